import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'
import { SHA256_HEX, sha256 } from '../../src/lib/hash.ts'
import { COMPILED, codeFile, codeUrl } from '../../src/lib/process/code-file.ts'
import { VERSION } from '../../src/lib/process/version.ts'

it('runs from its sources here', () => {
  expect(COMPILED).toBe(false)
})

it('knows where it was compiled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-compiled-'))
  try {
    const { code } = transformSync(readFileSync('src/lib/process/code-file.ts', 'utf8'), { loader: 'ts' })
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'code-file.js'), code)
    const compiled = (await import(join(folder, 'code-file.js'))) as { COMPILED: boolean; codeFile: typeof codeFile }
    expect(compiled.COMPILED).toBe(true)
    expect(compiled.codeFile('file:///product/src/lib/a.js', '../b')).toBe('/product/src/b.js')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('finds modules that are loaded by name beside the one that names them', () => {
  expect(codeUrl('file:///product/src/lib/a.ts', './tasks/b')).toBe('file:///product/src/lib/tasks/b.ts')
  expect(codeFile('file:///product%20x/src/lib/a.ts', '../b')).toBe('/product x/src/b.ts')
})

it('has the version of its package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(VERSION).toBe(version)
})

it('writes SHA-256 as 64 lower-case hex characters', () => {
  const ofNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect([sha256(''), sha256(new Uint8Array())]).toEqual([ofNothing, ofNothing])
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(SHA256_HEX.test(ofNothing)).toBe(true)
  for (const text of [ofNothing.toUpperCase(), ofNothing.slice(1), `${ofNothing}0`, `x${ofNothing.slice(1)}`])
    expect(SHA256_HEX.test(text)).toBe(false)
})
