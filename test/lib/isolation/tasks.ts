import { setTimeout as sleep } from 'node:timers/promises'
import type { Emit } from '../../../src/lib/isolation/task.ts'

/** Tasks that do what parsers of hostile bytes may do. */
export const echo = (input: unknown) => input
export const sizeOf = (input: { bytes: Uint8Array }) => input.bytes.length
export const environment = () => ({ ...process.env })
export const processId = () => process.pid
export const fail = (input: string) => {
  throw new TypeError(`cannot read ${input}`)
}
export const endProcess = () => process.exit(3)
export const slow = (ms: number) => sleep(ms, 'done')
export const slowProcessId = (ms: number) => sleep(ms, process.pid)
export const textOf = (length: number) => 'x'.repeat(length)

/** Gives this many parts of a megabyte before its result. */
export async function parts(count: number, emit: Emit) {
  for (let n = 0; n < count; n++) await emit(new Uint8Array(1024 * 1024).fill(n))
  return count
}

export function spin() {
  for (;;);
}

export function backtrack() {
  return /^(a+)+$/.test(`${'a'.repeat(60)}!`)
}

export function fillHeap() {
  const kept: unknown[] = []
  for (let number = 0; ; number++) kept.push({ number, text: `${number}` })
}

export function fillBuffers() {
  const kept: Uint8Array[] = []
  for (;;) kept.push(new Uint8Array(16 * 1024 * 1024).fill(1))
}
