import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mutated } from './apply-mutant.ts'
import { HAND_MUTANTS } from './hand/all.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the mutants that were written by hand', () => {
  it('have a name each', () => {
    expect(new Set(HAND_MUTANTS.map(({ name }) => name)).size).toBe(HAND_MUTANTS.length)
  })

  it('change code that is there, and name tests that are there', () => {
    for (const mutant of HAND_MUTANTS) {
      const text = readFileSync(join(ROOT, mutant.file), 'utf8')
      expect(mutated(text, mutant), mutant.name).not.toBe(text)
      for (const test of mutant.tests) expect(existsSync(join(ROOT, test)), `${mutant.name}: ${test}`).toBe(true)
    }
  })

  it('are refused when the code that they change is no longer there, or there twice', () => {
    const mutant = { name: 'A bug', file: 'f', search: 'a', replacement: 'b', tests: [] }
    expect(() => mutated('c', mutant)).toThrow('"A bug": its text stands 0 times in f, not once.')
    expect(() => mutated('aa', mutant)).toThrow('2 times')
    expect(mutated('ac', mutant)).toBe('bc')
  })
})
