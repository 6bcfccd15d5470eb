import { describe, expect, it } from 'vitest'
import { decidedRows, isEndedBy, publicationOf, resourcesWithout } from '../../../src/prices/review/decision-rules.ts'
import type { ReviewDecision } from '../../../src/prices/review/schema.ts'
import { contentHash } from '../../../src/prices/row-rules.ts'
import type { KnownLine } from '../../../src/prices/schema.ts'
import type { StoredRow } from '../../../src/prices/store/row-store.ts'
import { at, current, earlier, held, identity, line } from '../holds/held-lines.ts'

const row = (lineId: string, price: string): StoredRow => ({
  ...identity,
  source: 'openrouter',
  lineId,
  contentHash: `row ${lineId}`,
  price,
  category: 'chat',
  recordedAt: earlier,
  parserVersion: 1,
  status: 'pending',
  statusAt: earlier,
})
const [first, second] = [row('1', '9'), row('2', '8')]
const request = (more: Partial<ReviewDecision>): ReviewDecision => ({
  reviewId: 'r',
  decision: 'approve',
  actor: 'operator:ann',
  reason: 'Seen on the page.',
  ...more,
})
const decide = (more: Partial<ReviewDecision>) => decidedRows([first, second], request(more), at)
const edits = [{ contentHash: 'row 2', price: '0.8' }]

describe('the held rows of an item', () => {
  it.each(['approve', 'reject'] as const)('are not edited with the decision %s, which is refused', (decision) => {
    expect(() => decide({ decision, edits })).toThrow(
      expect.objectContaining({ code: 'invalid_body', field: 'edits', message: expect.stringMatching(/“edit” alone/) }),
    )
    expect(decide({ decision, edits: [] }).edited).toEqual([])
  })

  it('are all approved or all rejected', () => {
    expect(decide({ decision: 'approve' })).toEqual({ approved: [first, second], rejected: [], edited: [] })
    expect(decide({ decision: 'reject' })).toEqual({ approved: [], rejected: [first, second], edited: [] })
  })

  it('are published as they are beside those that a person gives another price', () => {
    const { approved, rejected, edited } = decide({ decision: 'edit', edits })
    expect([approved, rejected]).toEqual([[first], [second]])
    const hash = contentHash('openrouter', identity, { price: '0.8', category: 'chat' }, at)
    expect(edited).toEqual([{ ...second, price: '0.8', recordedAt: at, contentHash: hash }])
  })

  it('are not decided where an edit names a row that does not wait in the item', () => {
    const unknown = { decision: 'edit' as const, edits: [...edits, { contentHash: 'row 3', price: '1' }] }
    expect(() => decide(unknown)).toThrow(
      expect.objectContaining({ code: 'invalid_body', message: 'No row row 3 waits in this item.', field: 'edits' }),
    )
  })
})

describe('what a decision publishes', () => {
  const removed = line({ lineId: '2', held, removedAt: earlier })
  const lines = new Map<string, KnownLine>([
    ['1', line({ lineId: '1', held })],
    ['2', removed],
  ])
  const publication = (more: Partial<ReviewDecision>, of = lines) =>
    publicationOf('openrouter', decide(more), request(more), of)
  const state = (lineId: string, currentHash: string, decidedPrice?: string) => ({
    lineId,
    currentHash,
    decidedPrice,
    missingCount: 0,
  })
  const by = { actor: 'operator:ann', reason: 'Seen on the page.' }

  it('are the approved rows: their lines are listed, and those that were removed are listed again', () => {
    expect(publication({ decision: 'approve' })).toEqual({
      source: 'openrouter',
      recorded: [],
      rows: [
        { row: first, status: 'approved', ...by },
        { row: second, status: 'approved', ...by },
      ],
      listed: [first, second],
      relisted: [second],
      lines: [state('1', 'row 1'), state('2', 'row 2')],
    })
    expect(publication({ decision: 'approve' }, new Map()).relisted).toEqual([])
  })

  it('is nothing when they are rejected: the published rows stay, and the price has no effect while it is repeated', () => {
    expect(publication({ decision: 'reject' })).toEqual({
      source: 'openrouter',
      recorded: [],
      rows: [
        { row: first, status: 'rejected', ...by },
        { row: second, status: 'rejected', ...by },
      ],
      listed: [],
      relisted: [],
      lines: [
        { ...state('1', current.contentHash, '9'), removedAt: undefined },
        { ...state('2', current.contentHash, '8'), removedAt: earlier },
      ],
    })
  })

  it('is the price that a person gave in place of the held one, which has no effect while it is repeated', () => {
    const { recorded, rows, listed, relisted, lines: states } = publication({ decision: 'edit', edits })
    const edited = recorded![0]!
    expect(edited.price).toBe('0.8')
    expect(rows).toEqual([
      { row: second, status: 'rejected', ...by },
      { row: first, status: 'approved', ...by },
      { row: edited, status: 'approved', ...by },
    ])
    expect([listed, relisted]).toEqual([[first, edited], [edited]])
    expect(states).toEqual([state('1', 'row 1'), state('2', edited.contentHash, '8')])
  })
})

describe('lines that a person removes', () => {
  const of = (resource: string, lineId: string, more: Partial<KnownLine> = {}) => line({ resource, lineId, ...more })
  it('take their resource with them when it has no other price that is listed', () => {
    const known = [
      of('whole', '1'),
      of('whole', '2'),
      of('whole', '3', { removedAt: earlier }),
      of('whole', '4', { current: undefined }),
      of('part', '5'),
      of('part', '6'),
    ]
    const [a, b, , , c] = known as [KnownLine, KnownLine, KnownLine, KnownLine, KnownLine]
    expect(resourcesWithout(known, [a, b, c])).toEqual({
      removed: [{ provider: 'acme', resource: 'whole', lines: [a, b] }],
      retired: [c],
    })
    expect(resourcesWithout([], [a])).toEqual({ removed: [], retired: [a] })
  })

  it('are those that an item names: missing ones by what they price, unreadable ones by their resource too', () => {
    const named = (more: object) => ({
      ...{ resource: 'a', dimension: 'input_tokens', pricingTier: '{}', isMissing: true },
      ...more,
    })
    const lost = { kind: 'line_removal' as const, detail: { resources: ['a', 'b'], texts: ['input_tokens {}'] } }
    expect(isEndedBy(lost, named({}))).toBe(true)
    expect(isEndedBy(lost, named({ resource: 'b' }))).toBe(true)
    expect(isEndedBy(lost, named({ isMissing: false }))).toBe(false)
    expect(isEndedBy(lost, named({ dimension: 'output_tokens' }))).toBe(false)
    expect(isEndedBy(lost, named({ pricingTier: '{"service":"batch"}' }))).toBe(false)
    const unreadable = { kind: 'unreadable' as const, detail: { texts: ['a input_tokens {} = N/A'] } }
    expect(isEndedBy(unreadable, named({ isMissing: false }))).toBe(true)
    expect(isEndedBy(unreadable, named({ resource: 'b' }))).toBe(false)
    expect(isEndedBy(unreadable, named({ dimension: 'input' }))).toBe(false)
    expect(isEndedBy({ ...unreadable, detail: {} }, named({}))).toBe(false)
    const removal = { kind: 'removal' as const, detail: { resources: ['a'] } }
    expect([true, false].map((isMissing) => isEndedBy(removal, named({ isMissing })))).toEqual([true, false])
    expect(isEndedBy({ kind: 'rename', detail: { resources: ['a'], to: 'b' } }, named({}))).toBe(false)
  })
})
