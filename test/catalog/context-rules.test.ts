import { describe, expect, it } from 'vitest'
import { canonicalContext } from '../../src/catalog/context-rules.ts'

describe('from how many tokens on a price holds', () => {
  it.each([
    ['>200000', '>200000'],
    ['>199999', '>200000'],
    ['>=200000', '>200000'],
    ['≥200000', '>200000'],
    ['>= 200001', '>200000'],
    ['>271999', '>272000'],
    ['>=1000000', '>1000000'],
    ['>262143', '>262143'],
    ['>=262144', '>262143'],
    ['>200001', '>200001'],
    ['>999', '>1000'],
  ])('%s is %s', (written, spelling) => {
    expect(canonicalContext(written)).toBe(spelling)
    expect(canonicalContext(spelling)).toBe(spelling)
  })

  it('stays as it is written where it is something else', () => {
    for (const text of ['<=200000', '32k', '>?', '>1999999999999999', 'long']) expect(canonicalContext(text)).toBe(text)
  })
})
