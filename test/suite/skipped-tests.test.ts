import { describe, expect, it } from 'vitest'
import { lacks } from '../support/suite/needs.ts'
import { unexplained } from '../support/suite/skipped-tests.ts'

describe('tests that were skipped', () => {
  const onlyGoIsMissing = (need: string) => need === 'Go'

  it('are explained by something that this machine lacks', () => {
    expect(unexplained(['receivers > in go (needs Go)'], onlyGoIsMissing)).toEqual([])
  })

  it('fail the run when it could have run them, or when their title names no need', () => {
    const wrong = ['receivers > in java (needs Java)', 'prices > round', 'files > open (needs luck)']
    expect(unexplained(['receivers > in go (needs Go)', ...wrong], onlyGoIsMissing)).toEqual(wrong)
  })

  it('name needs that are looked for on this machine', () => {
    expect(lacks('Node.js')).toBe(false)
  })
})
