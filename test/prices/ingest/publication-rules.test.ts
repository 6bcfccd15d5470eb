import { describe, expect, it } from 'vitest'
import {
  newLines,
  plannedRows,
  publicationOf,
  publishedPairs,
  verdictOf,
} from '../../../src/prices/ingest/publication-rules.ts'
import type { StagedInput } from '../../../src/prices/ingest/schema.ts'
import type { HeldLine, Plan, Proposal } from '../../../src/prices/plan/schema.ts'
import { at, current, earlier, held, identity, line, verdict } from '../holds/held-lines.ts'
import { plan } from '../holds/plans.ts'

const proposal = (more: Partial<Proposal> = {}): Proposal => ({
  key: 'k1',
  line: identity,
  money: { price: '2' },
  locator: '/models/0',
  kind: 'changed',
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
      released: [
        { line: line({ held }), verdict: verdict({ reasons: ['to_zero'] }) },
        { line: line({ held }), verdict: verdict({ reasons: ['to_zero'] }), renamedFrom: 'old' },
      ],
      superseded: [line({ lineId: '9', held })],
    })
    const { source, recorded, rows, planned, isHistory } = publish(all)
    expect(rows.map(({ status, reason, row }) => [status, reason, row.contentHash])).toEqual([
      ['rejected', 'superseded', 'held'],
      ['auto_approved', `large_change; listed in 3 fetches since ${earlier}`, planned.published[0]!.contentHash],
      ['auto_approved', undefined, planned.published[1]!.contentHash],
      ['auto_approved', `to_zero; listed in 3 fetches since ${earlier}`, 'held'],
      ['auto_approved', 'the published price of old, which was renamed', 'held'],
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
    expect(listed).toEqual([...planned.published, ...planned.released, { ...removed, ...removed.current }])
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

describe('what is stored with a row that stays held', () => {
  it('is why, and what was known', () => {
    const evidence = { after: '2', fitAfter: 'plausible' as const }
    expect(verdictOf({ line: line({ held }), verdict: verdict({ evidence }) })).toEqual({
      contentHash: 'held',
      reasons: ['large_change'],
      evidence,
    })
  })
})
