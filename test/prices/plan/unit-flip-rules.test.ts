import { describe, expect, it } from 'vitest'
import type { RawChange } from '../../../src/prices/replay/raw-change-rules.ts'
import { proveFlips } from '../../../src/prices/replay/unit-flip-rules.ts'
import { day } from '../observed.ts'
import { rawChange } from '../replay/raw-facts.ts'

const key = (resource: string, dimension = 'input', provider = 'p') => JSON.stringify([provider, resource, dimension])
/** A price that moved from 1 to 10, each in a set of its own. */
const flip = (more: Partial<RawChange> = {}): RawChange =>
  rawChange({ key: key('m'), set: `${more.key} ${more.at}`, before: '1', after: '10', kind: 'unit_flip', ...more })
const proofs = (...changes: RawChange[]) => [...proveFlips(changes).values()]

describe('a price that moved by a power of ten', () => {
  const proof = (more: Partial<RawChange>) => proofs(flip(more))[0]

  it.each([
    ['is no longer far from the only seller', [10], 'correction'],
    ['is nearly what a seller charges', [20, 90], 'correction'],
    ['is still more than twice of all', [21], 'unproven'],
    ['was not far from all', [4.9, 10], 'unproven'],
    ['was five times away from all', [5, 10], 'correction'],
    ['was nearly what a seller charges: others may follow later', [1], 'unproven'],
    ['may be either, as sellers charge both', [1, 10], 'unproven'],
    ['is beside sellers that charge nothing', [0], 'unproven'],
    ['is a correction though another charges nothing', [0, 10], 'correction'],
    ['is no one else’s', [], 'unproven'],
  ] as const)('%s: of sellers at %j it is a %s', (_, sellers, is) => {
    expect(proof({ sellers: [...sellers] })).toBe(is)
    expect(proof({ before: '10', after: '1', sellers: sellers.map((price) => price && 10 / price) })).toBe(is)
  })

  it.each([
    ['1', '10', '2', 'slip'],
    ['1', '10', '2.1', 'unproven'],
    ['1', '10', '90', 'unproven'],
    ['10', '1', '5', 'slip'],
    ['10', '1', '4.9', 'unproven'],
    ['10', '1', '0.1', 'unproven'],
    ['1', '10', '0', 'unproven'],
    ['1', '10', undefined, 'unproven'],
  ] as const)('from %s to %s, and then to %s, is %s', (before, after, next, is) => {
    expect(proof({ before, after, next, until: day(9) })).toBe(is)
  })

  it('is a slip when its list took it back, whatever others charge', () => {
    expect(proof({ next: '1', until: day(9), sellers: [10] })).toBe('slip')
  })

  it('is a correction when it takes an earlier one back', () => {
    const slip = flip({ next: '1', until: day(9) })
    const back = (more: Partial<RawChange> = {}) =>
      proofs(slip, flip({ at: day(9), before: '10', after: '1', ...more }))
    expect(back()).toEqual(['slip', 'correction'])
    for (const other of [{ at: day(10) }, { after: '100' }, { key: key('n') }]) expect(back(other)[1]).toBe('unproven')
  })

  it('counts nothing but unit flips', () => {
    expect(proofs(rawChange({ kind: 'ordinary', sellers: [10] }))).toEqual([])
  })
})

describe('a price that moved by a power of ten, and of which nothing else is known', () => {
  const proven = flip({ sellers: [10], set: 's' })

  it('is what the others of its set are, if they agree', () => {
    const cache = flip({ key: key('m', 'cache'), set: 's', before: '0.1', after: '1' })
    expect(proofs(proven, cache)).toEqual(['correction', 'correction'])
    expect(proofs(proven, { ...cache, set: 'other' })).toEqual(['correction', 'unproven'])
    expect(proofs(proven, flip({ key: key('m', 'output'), set: 's', next: '1', until: day(9) }), cache)).toEqual([
      'correction',
      'slip',
      'unproven',
    ])
  })

  it('is what the same change under another name of the provider is, and so is the rest of its set', () => {
    const renamed = flip({ key: key('m2'), set: 's2' })
    const rest = flip({ key: key('m2', 'output'), set: 's2', before: '4', after: '40' })
    expect(proofs(rest, proven, renamed)).toEqual(['correction', 'correction', 'correction'])
    for (const other of [{ key: key('m2', 'input', 'q') }, { before: '2', after: '20' }, { at: day(2) }])
      expect(proofs(rest, proven, { ...renamed, ...other })).toEqual(['unproven', 'correction', 'unproven'])
  })

  it('is what a price of its set is that has another name', () => {
    const cache = flip({ key: key('m', 'cache'), set: 's', before: '0.1', after: '1' })
    const renamed = { ...cache, key: key('m2', 'cache'), set: 's2' }
    expect(proofs(renamed, cache, proven)).toEqual(['correction', 'correction', 'correction'])
  })
})
