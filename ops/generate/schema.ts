/** A file that follows from others, by its path from the root. */
export type GeneratedFile = { path: string; text: string }
