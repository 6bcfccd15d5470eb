import { randomBytes } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { cachedBundle } from '../../src/temporal/cached-bundle.ts'

const ROOT = join(import.meta.dirname, '../..')
const log = pino({ level: 'silent' })

/** A product of few sources, whose bundle is quickly made. Inside the repository, so that its packages are found. */
let product: string
let folder: string
let bundle: (folder: string) => ReturnType<typeof cachedBundle>
beforeEach(async () => {
  product = join(ROOT, `.cache/bundle-${randomBytes(4).toString('hex')}`)
  folder = join(product, 'data')
  for (const path of ['src/temporal/cached-bundle.ts', 'src/lib/process/code-file.ts'])
    await cp(join(ROOT, path), join(product, path))
  for (const name of ['workflows', 'data']) await mkdir(join(product, name))
  await write('workflows/index.ts', 'export {}')
  await write(
    'src/temporal/bundle.ts',
    `let n = 0; export const bundleWorkflows = async () => ({ code: 'bundle ' + ++n })`,
  )
  const module: { cachedBundle: typeof cachedBundle } = await import(join(product, 'src/temporal/cached-bundle.ts'))
  bundle = (where) => module.cachedBundle(where, log)
})
afterEach(() => rm(product, { recursive: true }))
const write = (path: string, text: string) => writeFile(join(product, path), text)

it('The workflows are bundled once, and those of another version are deleted', async () => {
  await write('data/workflow-bundle-of-another-version.js', '')
  await write('data/of-someone-else.js', '')
  expect(await bundle(folder)).toEqual({ code: 'bundle 1' })
  const [other, kept] = (await readdir(folder)).sort()
  expect([other, await readdir(folder)]).toEqual(['of-someone-else.js', expect.objectContaining({ length: 2 })])
  expect(kept).toMatch(/^workflow-bundle-[0-9a-f]{32}\.js$/)
  const codePath = join(folder, kept!)
  expect(await readFile(codePath, 'utf8')).toBe('bundle 1')
  // Code that a worker runs is written by no one else.
  expect((await stat(codePath)).mode & 0o777).toBe(0o600)
  expect(await bundle(folder)).toEqual({ codePath })
})

it('The workflows are bundled again where any source has changed, and not for a page beside them', async () => {
  await bundle(folder)
  await write('src/README.md', 'a page')
  expect(await bundle(folder)).toHaveProperty('codePath')
  let bundles = 1
  // As long as before, the second time: what it says counts.
  for (const path of ['workflows/index.ts', 'workflows/index.ts', 'src/another.ts', 'src/lib/another.js']) {
    await write(path, `export const bundled = ${bundles}`)
    expect(await bundle(folder), path).toEqual({ code: `bundle ${++bundles}` })
    expect(await bundle(folder), path).toHaveProperty('codePath')
  }
  // A source under another name is another source.
  await cp(join(product, 'src/another.ts'), join(product, 'src/other.ts'))
  await rm(join(product, 'src/another.ts'))
  expect(await bundle(folder)).toEqual({ code: `bundle ${++bundles}` })
  expect(await readdir(folder)).toHaveLength(1)
})

it('The workflows are bundled each time where nothing can be kept', async () => {
  expect(await bundle(join(product, 'none'))).toEqual({ code: 'bundle 1' })
  expect(await bundle(join(product, 'none'))).toEqual({ code: 'bundle 2' })
})
