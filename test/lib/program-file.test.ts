import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programArguments, programFile } from '../../src/lib/process/program-file.ts'

describe('a program of ours', () => {
  let folder: string
  let made: string[]
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pricetape-program-'))
    made = []
  })
  afterAll(() => {
    for (const path of [folder, ...made]) rmSync(path, { recursive: true, force: true })
  })
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const fileOf = (module: string) => {
    const file = programFile(module)
    if (file !== module) made.push(dirname(file))
    return file
  }
  const printed = (...args: string[]) => spawnSync(process.execPath, args).stdout.toString()

  it('is one file that Node runs without a loader, with what it imports', () => {
    write('word.ts', `export const word: string = 'hello'`)
    const module = write('program.ts', `import { word } from './word.ts'\nconsole.log(word)`)
    const file = fileOf(module)
    expect(file).toBe(resolve('.cache/programs', `.${folder}`, 'program.js'))
    expect(programArguments(module)).toEqual([file])
    expect(printed(file)).toBe('hello\n')
  })

  it('is made again after a change of what it imports, and only then', () => {
    const word = write('other-word.ts', `export const word: string = 'first'`)
    const module = write('again.ts', `import { word } from './other-word.ts'\nconsole.log(word)`)
    const file = fileOf(module)
    const before = statSync(file).ino
    expect(statSync(fileOf(module)).ino).toBe(before)
    writeFileSync(word, `export const word: string = 'other'`)
    // Also where a file is replaced by an older one.
    utimesSync(word, 1_000, 1_000)
    expect(printed(fileOf(module))).toBe('other\n')
    expect(statSync(file).ino).not.toBe(before)
    const left = readdirSync(dirname(file)).filter((name) => name.startsWith('again'))
    expect(left).toEqual(['again.js'])
  })

  it('is made again where its bundle is cut off', () => {
    const module = write('cut.ts', `console.log('whole')`)
    const file = fileOf(module)
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20))
    expect(printed(fileOf(module))).toBe('whole\n')
  })

  it('is run from its source, by a loader, where it cannot be bundled', () => {
    const module = write('wrong.ts', `import './missing.ts'`)
    expect(programFile(module)).toBe(module)
    expect(programArguments(module)).toEqual(['--import', expect.stringMatching(/\/tsx\/.+\.mjs$/), module])
  })
})
