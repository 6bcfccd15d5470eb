import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generateFiles } from '../../ops/generate/files.ts'
import { ROOT } from '../../ops/run.ts'
import { HOLDS } from '../../src/prices/plan/holds/index.ts'

it('what follows from other files is as "npm run generate" writes it', async () => {
  const files = await generateFiles()
  for (const { path, text } of files)
    expect(await readFile(join(ROOT, path), 'utf8'), `${path}: run npm run generate`).toBe(text)
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['src/prices/plan/holds/index.ts', 'docs/prices.md', 'src/app/webhooks/endpoints.ts']),
  )
})

it('no two holds have the same rank, so the name of an item does not depend on their files', () => {
  expect(new Set(HOLDS.map(({ rank }) => rank)).size).toBe(HOLDS.length)
})
