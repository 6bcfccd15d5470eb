import { describe, expect, it } from 'vitest'
import { requireShown } from '../../../src/lib/revision.ts'
import { reviewRevision } from '../../../src/prices/review/revision-rules.ts'
import { heldRevision } from '../../../src/terms/review/revision-rules.ts'

type Content = Parameters<typeof reviewRevision>[0]

describe('the revision of a review item', () => {
  const removal: Content = {
    kind: 'removal',
    detail: { resources: ['a', 'b'], to: null },
    rows: ['h1', 'h2'],
    missing: ['1', '2'],
  }
  const revised = (changed: Partial<Content>) => reviewRevision({ ...removal, ...changed })

  it('is short, and the same for the same content in another order', () => {
    expect(reviewRevision(removal)).toMatch(/^[0-9a-f]{16}$/)
    expect(revised({})).toBe(reviewRevision(removal))
    expect(revised({ detail: { to: null, resources: ['b', 'a'] } })).toBe(reviewRevision(removal))
    expect(revised({ rows: ['h2', 'h1'] })).toBe(reviewRevision(removal))
    expect(revised({ missing: ['2', '1'] })).toBe(reviewRevision(removal))
  })

  it.each<[string, Partial<Content>]>([
    ['kind', { kind: 'line_removal' }],
    ['resources', { detail: { resources: ['a', 'b', 'c'], to: null } }],
    ['new name', { detail: { resources: ['a', 'b'], to: 'c' } }],
    ['texts', { detail: { resources: ['a', 'b'], to: null, texts: ['input_tokens {}'] } }],
    ['held rows', { rows: ['h1', 'h3'] }],
    ['held rows, one more', { rows: ['h1', 'h2', 'h3'] }],
    ['missing lines', { missing: ['1', '2', '3'] }],
  ])('is another one for another %s', (_, changed) => {
    expect(revised(changed)).not.toBe(reviewRevision(removal))
  })

  it('does not tell a list by the place of its names alone', () => {
    expect(revised({ rows: [], missing: ['h1'] })).not.toBe(revised({ rows: ['h1'], missing: [] }))
  })

  it('is the same however often a source serves a snapshot again', () => {
    const served = (fetches: number, snapshotHash = 'f0'): Content => ({
      kind: 'snapshot',
      detail: { snapshotHash, message: 'It has 3 prices.', fetches },
      rows: [],
      missing: [],
    })
    expect(reviewRevision(served(7))).toBe(reviewRevision(served(1)))
    expect(reviewRevision(served(1, 'f1'))).not.toBe(reviewRevision(served(1)))
  })
})

describe('the revision of a held document', () => {
  type HeldRevisionInput = Parameters<typeof heldRevision>[0]
  const held = {
    versionId: 'v2',
    textHash: 't2',
    currentVersion: 'v1',
    currentHash: 't1',
    reasons: ['language'],
  } as HeldRevisionInput

  it('is that of its text beside the one in force, whyever it waits', () => {
    expect(heldRevision(held)).toMatch(/^[0-9a-f]{16}$/)
    expect(heldRevision({ ...held, reasons: ['length'] })).toBe(heldRevision(held))
    for (const changed of [{ versionId: 'v3' }, { textHash: 't3' }, { currentVersion: null }, { currentHash: 't0' }])
      expect(heldRevision({ ...held, ...changed })).not.toBe(heldRevision(held))
  })
})

describe('a decision about an item', () => {
  it('is refused when it was shown otherwise; without a revision nothing is known', () => {
    expect(() => requireShown('a1', 'a2')).toThrow('This item changed since you saw it. Look at it again')
    expect(() => requireShown('a1', 'a2')).toThrow(expect.objectContaining({ code: 'review_changed', status: 409 }))
    expect(() => requireShown('', 'a2')).toThrow()
    expect(requireShown('a1', 'a1')).toBeUndefined()
    expect(requireShown(undefined, 'a2')).toBeUndefined()
  })
})
