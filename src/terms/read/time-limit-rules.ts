/** Processor time for texts of a megabyte together, and for every megabyte more; a PDF is a program and gets all of it. */
const CPU_MS = 4_000
const CPU_MS_PER_MB = 4_000
/**
 * What is left when repetitions are packed gets more. A contract is packed to 30 %, and a process that has just begun takes
 * 6 s for half a megabyte beside the text in force; a page that repeats a text to cost time is packed to nothing.
 */
const CPU_MS_PER_PACKED_MB = 24_000
const MAX_CPU_MS = 30_000
const MB = 1024 * 1024

/** How much processor time reading and comparing texts may take, in milliseconds: by their bytes, as they are and packed. */
export const cpuLimitOf = (bytes: number, packedBytes: number): number =>
  Math.min(CPU_MS + CPU_MS_PER_MB * Math.max(0, bytes / MB - 1) + CPU_MS_PER_PACKED_MB * (packedBytes / MB), MAX_CPU_MS)
