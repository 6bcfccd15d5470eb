import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { confirmedAgainAt, fetchAt, isDue, nextDueFetch } from '../../src/prices/ingest/confirmation-rules.ts'
import {
  newLines,
  plannedRows,
  publicationOf,
  publishedPairs,
  reviewsOf,
  verdictOf,
} from '../../src/prices/ingest/publication-rules.ts'
import type { StagedInput } from '../../src/prices/ingest/schema.ts'
import type { HeldLine, Plan, Proposal, Verdict } from '../../src/prices/plan/schema.ts'
import {
  absentState,
  confirmedState,
  correctedState,
  hasUnjudgedState,
  heldState,
  publishedState,
  rejectedState,
  removedState,
  supersededState,
  unjudgedState,
  waitingState,
} from '../../src/prices/publish/line-state-rules.ts'
import { distinctResources } from '../../src/prices/publish/listed-resource-rules.ts'
import type { KnownLine, NewRow } from '../../src/prices/schema.ts'

const HOUR = 3_600_000
const at = '2026-11-22T10:00:00.000Z' as Instant
const earlier = '2026-11-20T10:00:00.000Z' as Instant
const again = '2026-11-23T10:00:00.000Z' as Instant
const PLAIN = { provider: 'acme', resource: 'm1', dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD' }
const identity = { ...PLAIN, pricingTier: '{}' }
const current = { price: '1', contentHash: 'published', recordedAt: earlier }
const held = {
  contentHash: 'held',
  price: '9',
  recordedAt: earlier,
  reasons: ['large_change'],
  standing: { since: earlier, fetches: 2 },
}
const line = (more: Partial<KnownLine> = {}): KnownLine => ({
  ...identity,
  lineId: '1',
  missingCount: 0,
  current,
  ...more,
})
const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  reasons: ['large_change'],
  standing: { since: earlier, fetches: 3 },
  judgedAgainAt: again,
  ...more,
})

describe('the state of a line', () => {
  const full = line({ held, decidedPrice: '7', missingSince: earlier, missingCount: 4, removedAt: earlier })
  const row = { lineId: '1', contentHash: 'new' }
  const waits = { heldHash: 'held', heldSince: earlier, heldFetches: 2 }

  it('forgets all else when a row is published, but for the price of the source that was decided about', () => {
    expect(publishedState(row)).toEqual({ lineId: '1', currentHash: 'new', missingCount: 0 })
    expect(publishedState(row, '7').decidedPrice).toBe('7')
  })

  it('keeps what is published and removed while a new row is held', () => {
    expect(heldState(row, verdict(), full)).toEqual({
      lineId: '1',
      currentHash: 'published',
      heldHash: 'new',
      heldSince: earlier,
      heldFetches: 3,
      judgedAgainAt: again,
      missingCount: 0,
      removedAt: earlier,
    })
    expect(heldState(row, verdict())).toMatchObject({ lineId: '1', currentHash: undefined, removedAt: undefined })
    expect(heldState(row, verdict(), line({ current: undefined })).currentHash).toBeUndefined()
  })

  it('remembers the price that was rejected', () => {
    const rejected = { lineId: '1', currentHash: 'published', decidedPrice: '9', missingCount: 0, removedAt: earlier }
    expect(rejectedState(full, '9')).toEqual(rejected)
    expect(rejectedState(line({ current: undefined }), '9')).toMatchObject({ currentHash: undefined })
  })

  it('keeps what is published and decided when the snapshot confirms it', () => {
    const confirmed = { lineId: '1', currentHash: 'published', decidedPrice: '7', missingCount: 0 }
    expect(confirmedState(full)).toEqual(confirmed)
    expect(confirmedState(line({ current: undefined })).currentHash).toBeUndefined()
  })

  it('counts how long a held row stands', () => {
    expect(waitingState({ line: full, verdict: verdict() })).toEqual({
      lineId: '1',
      currentHash: 'published',
      decidedPrice: '7',
      missingCount: 0,
      heldHash: 'held',
      heldSince: earlier,
      heldFetches: 3,
      judgedAgainAt: again,
      removedAt: earlier,
    })
    expect(waitingState({ line: line(), verdict: verdict() }).heldHash).toBeUndefined()
  })

  it('leaves a line that cannot be judged as it is, until its source says something else', () => {
    expect(unjudgedState(full)).toEqual({
      lineId: '1',
      currentHash: 'published',
      decidedPrice: '7',
      missingCount: 0,
      judgedAgainAt: undefined,
      ...waits,
    })
    expect(unjudgedState(line())).toEqual({ lineId: '1', currentHash: 'published', missingCount: 0 })
    expect(hasUnjudgedState(line())).toBe(false)
    expect(hasUnjudgedState(line({ held }))).toBe(false)
    expect(hasUnjudgedState(line({ missingSince: earlier }))).toBe(true)
    expect(hasUnjudgedState(line({ held: { ...held, judgedAgainAt: again } }))).toBe(true)
  })

  it('counts absences from the first on', () => {
    expect(absentState(line({ decidedPrice: '7' }), at)).toEqual({
      lineId: '1',
      currentHash: 'published',
      decidedPrice: '7',
      missingSince: at,
      missingCount: 1,
    })
    expect(absentState(full, at)).toMatchObject({ missingSince: earlier, missingCount: 5 })
  })

  it('keeps since when a line is missing when it is removed, and when it loses its held row', () => {
    const kept = { lineId: '1', currentHash: 'published', decidedPrice: '7', missingSince: earlier, missingCount: 4 }
    expect(removedState(full, at)).toEqual({ ...kept, removedAt: at })
    expect(supersededState(full)).toEqual({ ...kept, removedAt: earlier })
  })

  it('keeps what is held and missing when a person corrects what is published', () => {
    const kept = { lineId: '1', missingSince: earlier, missingCount: 4, removedAt: earlier, judgedAgainAt: undefined }
    expect(correctedState(full, 'new', '8')).toEqual({ ...kept, ...waits, currentHash: 'new', decidedPrice: '8' })
    expect(correctedState(line())).toEqual({ lineId: '1', missingCount: 0 })
  })
})

describe('the resources of published rows', () => {
  it('are each one, with the facts of the last row', () => {
    const named = { provider: 'acme', resource: 'm1', canonicalResource: 'maker/m1', category: 'chat' }
    expect(
      distinctResources([identity, { ...identity, ...named }, { provider: 'acme', resource: 'm2' }, named] as never),
    ).toEqual([named, { provider: 'acme', resource: 'm2', canonicalResource: undefined, category: undefined }])
  })
})

const proposal = (more: Partial<Proposal> = {}): Proposal => ({
  key: 'k1',
  line: identity,
  money: { price: '2' },
  locator: '/models/0',
  kind: 'changed',
  ...more,
})
const plan = (more: Partial<Plan> = {}): Plan => ({
  publish: [],
  hold: [],
  confirmed: [],
  released: [],
  waiting: [],
  verdicts: new Map(),
  superseded: [],
  unjudged: [],
  missing: [],
  renamed: [],
  removed: [],
  retired: [],
  toReview: [],
  contested: new Map(),
  ...more,
})
const input = { source: { source: 'openrouter' }, snapshotHash: 'snap', parserVersion: 4, quiet: true } as StagedInput
const hold = (more: Partial<Proposal> = {}, inMassChange = false, of = verdict()) => ({
  proposal: proposal(more),
  inMassChange,
  verdict: of,
})

describe('the rows of a plan', () => {
  it('are recorded at its instant, on the known line or on the new one', () => {
    const all = plan({ publish: [proposal({ known: line() })], hold: [hold()] })
    const rows = plannedRows(all, input, new Map([['k1', '77']]), at)
    const recorded = { ...identity, price: '2', locator: '/models/0', snapshotHash: 'snap', parserVersion: 4 }
    expect(rows.published).toEqual([
      { ...recorded, lineId: '1', recordedAt: at, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect(rows.held).toMatchObject([{ ...recorded, lineId: '77' }])
    expect(newLines(all)).toEqual([identity])
  })

  it('are the held rows that are released, as they were recorded', () => {
    const released: HeldLine = { line: line({ held }), verdict: verdict() }
    const rows = plannedRows(plan({ released: [released] }), input, new Map(), at)
    expect(rows.released).toMatchObject([{ lineId: '1', price: '9', contentHash: 'held', recordedAt: earlier }])
    expect(publishedPairs(plan({ released: [released] }), rows)).toEqual([{ row: rows.released[0], before: current }])
  })

  it('are each published with the row of its line before it', () => {
    const all = plan({ publish: [proposal({ known: line() }), proposal()] })
    const rows = plannedRows(all, input, new Map([['k1', '77']]), at)
    expect(publishedPairs(all, rows).map(({ before }) => before)).toEqual([current, undefined])
  })
})

describe('what a plan publishes', () => {
  const publish = (all: Plan) => {
    const rows = plannedRows(all, input, new Map([['k1', '77']]), at)
    return { ...publicationOf(all, rows, input, at), planned: rows }
  }
  const states = (all: Plan) =>
    publish(all).lines.map(({ lineId, heldHash, missingCount }) => [lineId, heldHash, missingCount])

  it('has a status and a reason for each row', () => {
    const doubtful = proposal()
    const all = plan({
      publish: [doubtful, proposal({ known: line() })],
      verdicts: new Map([[doubtful, verdict()]]),
      hold: [hold({}, false, verdict({ reasons: ['large_change', 'with_its_set'] }))],
      released: [{ line: line({ held }), verdict: verdict({ reasons: ['to_zero'] }) }],
      superseded: [line({ lineId: '9', held })],
    })
    const { source, recorded, rows, planned, isHistory } = publish(all)
    expect(rows.map(({ status, reason, row }) => [status, reason, row.contentHash])).toEqual([
      ['rejected', 'superseded', 'held'],
      ['auto_approved', `large_change; listed in 3 fetches since ${earlier}`, planned.published[0]!.contentHash],
      ['auto_approved', undefined, planned.published[1]!.contentHash],
      ['auto_approved', `to_zero; listed in 3 fetches since ${earlier}`, 'held'],
      ['pending', 'large_change, with_its_set', planned.held[0]!.contentHash],
    ])
    expect([source, isHistory]).toEqual(['openrouter', true])
    expect(recorded).toEqual([...planned.published, ...planned.held])
  })

  it('lists the resources of published, released and relisted lines', () => {
    const removed = line({ lineId: '5', removedAt: earlier })
    const repriced = line({ lineId: '6', removedAt: earlier })
    const waits = line({ lineId: '7', held })
    const all = plan({
      publish: [proposal({ known: repriced }), proposal({ known: line() })],
      confirmed: [line({ lineId: '4' }), removed],
      released: [{ line: waits, verdict: verdict() }],
    })
    const { listed, relisted, planned } = publish(all)
    expect(listed).toEqual([...planned.published, waits, removed])
    expect(relisted).toEqual([removed, repriced])
  })

  it('gives every line that it touches one state, and leaves those that it ends to what ends them', () => {
    const ids = (...lineIds: string[]) => lineIds.map((lineId) => line({ lineId, held }))
    const all = plan({
      publish: [proposal({ known: line({ lineId: '1' }) })],
      hold: [hold({ known: line({ lineId: '2' }) })],
      confirmed: ids('3'),
      released: [{ line: line({ lineId: '4', held }), verdict: verdict() }],
      waiting: [{ line: line({ lineId: '5', held }), verdict: verdict() }],
      unjudged: [line({ lineId: '6', held }), line({ lineId: '7', held, missingSince: earlier })],
      missing: ids('8'),
      removed: [{ provider: 'acme', resource: 'm1', lines: ids('9') }],
      renamed: [{ provider: 'acme', from: 'm1', to: 'm2', lines: ids('10') } as Plan['renamed'][number]],
      retired: ids('11'),
      superseded: ids('1', '8', '9', '10', '11', '12'),
    })
    const { held: ours } = publish(all).planned
    expect(states(all)).toEqual([
      ['1', undefined, 0],
      ['2', ours[0]!.contentHash, 0],
      ['3', undefined, 0],
      ['4', undefined, 0],
      ['5', 'held', 0],
      ['7', 'held', 0],
      ['8', undefined, 1],
      ['12', undefined, 0],
    ])
  })
})

describe('the items to review', () => {
  it('are one per resource, and one per provider that is repriced as a whole', () => {
    const rows = ['h1', 'h2', 'h3', 'h4'].map((contentHash) => ({ contentHash })) as NewRow[]
    const evidence = { after: '2', fitAfter: 'plausible' as const }
    const of = (resource: string, inMassChange: boolean, more: Partial<Verdict>) =>
      hold({ line: { ...identity, resource } }, inMassChange, verdict(more))
    const all = plan({
      hold: [
        of('m1', false, { reasons: ['large_change'], evidence }),
        of('m1', false, { reasons: ['large_change', 'with_its_set'] }),
        of('m2', true, { reasons: ['mass_change'] }),
        of('m3', true, { reasons: ['mass_change', 'to_zero'] }),
      ],
    })
    expect(reviewsOf(all, rows)).toEqual([
      {
        provider: 'acme',
        kind: 'price',
        reasons: ['large_change', 'with_its_set'],
        rows: [
          { contentHash: 'h1', reasons: ['large_change'], evidence },
          { contentHash: 'h2', reasons: ['large_change', 'with_its_set'], evidence: undefined },
        ],
      },
      {
        provider: 'acme',
        kind: 'mass_change',
        reasons: ['mass_change', 'to_zero'],
        rows: [
          { contentHash: 'h3', reasons: ['mass_change'], evidence: undefined },
          { contentHash: 'h4', reasons: ['mass_change', 'to_zero'], evidence: undefined },
        ],
      },
    ])
    expect(verdictOf({ line: line({ held }), verdict: verdict({ evidence }) })).toEqual({
      contentHash: 'held',
      reasons: ['large_change'],
      evidence,
    })
  })
})

describe('the next fetch of a source with lines that wait', () => {
  const waiting = (fetches: number, dueAt = at) => ({ fetches, dueAt })
  const plusMs = (ms: number) => new Date(Date.parse(at) + ms).toISOString() as Instant

  it('may change a line in its third fetch, and no sooner than it is due', () => {
    expect(isDue(waiting(2), at)).toBe(true)
    expect(isDue(waiting(1), at)).toBe(false)
    expect(isDue(waiting(2, plusMs(1)), at)).toBe(false)
  })

  it('is within eight hours when a line is due within a day', () => {
    expect(confirmedAgainAt([waiting(0, plusMs(24 * HOUR))], at)).toBe(plusMs(8 * HOUR))
    expect(confirmedAgainAt([waiting(0, plusMs(24 * HOUR + 1))], at)).toBeUndefined()
    expect(confirmedAgainAt([waiting(0, plusMs(48 * HOUR)), waiting(0)], at)).toBe(plusMs(8 * HOUR))
    expect(confirmedAgainAt([], at)).toBeUndefined()
  })

  it('is the first at which one of them is due and was fetched three times', () => {
    expect(nextDueFetch([], at, HOUR)).toBeUndefined()
    expect(nextDueFetch([waiting(0)], at, HOUR)).toBe(3)
    expect(nextDueFetch([waiting(2)], at, HOUR)).toBe(1)
    expect(nextDueFetch([waiting(9, earlier)], at, HOUR)).toBe(1)
    expect(nextDueFetch([waiting(2, plusMs(4 * HOUR + 1))], at, HOUR)).toBe(5)
    expect(nextDueFetch([waiting(0), waiting(1), waiting(2, plusMs(9 * HOUR))], at, HOUR)).toBe(2)
    expect(fetchAt(at, 3, HOUR)).toBe(plusMs(3 * HOUR))
  })
})
