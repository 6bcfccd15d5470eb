import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SHA256_HEX, sha256 } from '../../src/lib/hash.ts'
import { COMPILED, codeFile, codeUrl, loaderArguments } from '../../src/lib/process/code-file.ts'
import { VERSION } from '../../src/lib/process/version.ts'

it('runs from its sources here, for which Node needs a loader', () => {
  expect(COMPILED).toBe(false)
  const [option, loader, ...more] = loaderArguments()
  expect([option, more]).toEqual(['--import', []])
  expect(loader).toMatch(/^file:\/\/\/.*\/node_modules\/tsx\/.+\.mjs$/)
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
