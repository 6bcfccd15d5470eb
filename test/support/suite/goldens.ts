import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../goldens')

/** Returns the names of the goldens in a folder of `test/goldens` and the folders in it, without `.json`. */
export const goldensIn = async (folder: string): Promise<string[]> =>
  (await readdir(join(FOLDER, folder), { recursive: true }))
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))
    .sort()

/**
 * Compares a value with its golden, `test/goldens/<name>.json`: every field, in its order. `npx vitest run <file> -u`
 * writes goldens again: read what changed before you commit them.
 * @param names what differs each time, such as ids that the database gives, and what stands for it in the golden
 */
export async function expectGolden(name: string, value: unknown, names: Record<string, string> = {}): Promise<void> {
  const text = Object.entries(names).reduce(
    (json, [actual, shown]) => json.replaceAll(JSON.stringify(actual).slice(1, -1), shown),
    JSON.stringify(value, null, 2),
  )
  await expect(`${text}\n`).toMatchFileSnapshot(join(FOLDER, `${name}.json`))
}
