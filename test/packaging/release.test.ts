import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../../src/lib/version.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const json = async (path: string) => JSON.parse(await read(path))

describe('a release', () => {
  it('has the version that package.json declares, in every package', async () => {
    const python = await read('clients/python/pyproject.toml')
    const lock = await json('package-lock.json')
    expect({
      product: VERSION,
      lock: lock.version,
      lockedPackage: lock.packages[''].version,
      typescript: (await json('clients/typescript/package.json')).version,
      python: /^version = "(.*)"$/m.exec(python)?.[1],
    }).toEqual({
      product: (await json('package.json')).version,
      lock: VERSION,
      lockedPackage: VERSION,
      typescript: VERSION,
      python: VERSION,
    })
  })

  it('is described in the changelog, under its version or as unreleased', async () => {
    const [newest] = /^## .*$/m.exec(await read('CHANGELOG.md'))!
    expect(['## Unreleased', `## ${VERSION}`].some((heading) => newest.startsWith(heading))).toBe(true)
  })

  it('carries its licence in every package', async () => {
    const licence = await read('LICENSE')
    expect(licence).toContain('Apache License\n                           Version 2.0, January 2004')
    expect(await read('clients/typescript/LICENSE')).toBe(licence)
    expect(await read('clients/python/LICENSE')).toBe(licence)
    expect((await json('package.json')).license).toBe('Apache-2.0')
    expect((await json('clients/typescript/package.json')).license).toBe('Apache-2.0')
    expect(await read('clients/python/pyproject.toml')).toContain('license = "Apache-2.0"')
  })
})
