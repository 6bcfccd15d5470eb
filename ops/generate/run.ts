import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, say } from '../run.ts'
import { generateFiles } from './files.ts'

/** Writes the files that follow from others, after one of those has changed. */
for (const { path, text } of await generateFiles()) {
  const before = await readFile(join(ROOT, path), 'utf8').catch(() => undefined)
  if (before === text) continue
  await writeFile(join(ROOT, path), text)
  say(`Wrote ${path}`)
}
