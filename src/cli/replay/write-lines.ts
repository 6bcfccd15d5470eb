import { writeFile } from 'node:fs/promises'

/** Writes values to a file, one JSON line each. */
export const writeLines = (file: string, values: object[]): Promise<void> =>
  writeFile(file, values.map((value) => `${JSON.stringify(value)}\n`).join(''))
