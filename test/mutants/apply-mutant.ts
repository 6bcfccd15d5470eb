import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutant.ts'

/**
 * Returns the text of a file with its mutation.
 * @throws Error when the searched text does not stand in it exactly once: the code has changed, and the mutant must follow it
 */
export function mutated(text: string, { name, file, search, replacement }: Mutant): string {
  const found = text.split(search).length - 1
  if (found !== 1) throw new Error(`"${name}": its text stands ${found} times in ${file}, not once.`)
  return text.replace(search, () => replacement)
}

/** Runs `work` while the mutant is in its file. */
export async function withMutant<T>(root: string, mutant: Mutant, work: () => Promise<T>): Promise<T> {
  const path = join(root, mutant.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, mutated(text, mutant))
  try {
    return await work()
  } finally {
    writeFileSync(path, text)
  }
}
