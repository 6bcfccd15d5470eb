import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import {
  isInWrongSet,
  isTrue,
  type MeasuredChange,
  measureAll,
  type ServedRow,
} from '../../../src/prices/replay/measure-rules.ts'
import { findMisses } from '../../../src/prices/replay/miss-rules.ts'
import type { RawChange } from '../../../src/prices/replay/raw-change-rules.ts'
import { day } from '../observed.ts'
import { rawChange } from './raw-facts.ts'

const HOUR = 3_600_000
const row = (price: string, from?: Instant, more: Partial<ServedRow> = {}): ServedRow => ({
  price,
  recordedAt: from ?? day(1),
  from,
  heldFor: [],
  ...more,
})
const old = row('1', day(0))
const measured = (rows: ServedRow[], more: Partial<RawChange> = {}): MeasuredChange =>
  measureAll([rawChange(more)], new Map([['["acme","m1"]', rows]]))[0]!

describe('a changed price', () => {
  const publishedAt = (rows: ServedRow[], more: Partial<RawChange> = {}) => {
    const { publishedAt, hours, servedBefore } = measured(rows, more)
    return [publishedAt, hours, servedBefore]
  }
  const NEVER = [undefined, undefined, false]

  it('is published when its row is served, at once or later', () => {
    expect(publishedAt([old, row('2', day(1))])).toEqual([day(1), 0, false])
    expect(publishedAt([old, row('2.0', day(3))])).toEqual([day(3), 48, false])
    expect(publishedAt([row('2', day(3)), old])).toEqual([day(3), 48, false])
    expect(publishedAt([old, row('3', day(3))])).toEqual(NEVER)
    expect(publishedAt([old, row('2')])).toEqual(NEVER)
    expect(publishedAt([])).toEqual(NEVER)
  })

  it('is published first when several rows serve it', () => {
    expect(publishedAt([old, row('2', day(5)), row('2', day(3), { to: day(4) })])).toEqual([day(3), 48, false])
  })

  it('is not published once its source lists something else', () => {
    expect(publishedAt([old, row('2', day(3))], { until: day(3) })).toEqual(NEVER)
    expect(publishedAt([old, row('2', day(3))], { until: plus(day(3), 1) })).toEqual([day(3), 48, false])
  })

  it('is not published by a row that was served before only', () => {
    expect(publishedAt([row('2', day(0), { to: day(1) })])).toEqual(NEVER)
  })

  it('is published when the row that was recorded after it is no longer served', () => {
    const newer = row('3', day(0), { recordedAt: day(1), to: day(2) })
    expect(publishedAt([row('2', day(0)), newer])).toEqual([day(2), 24, false])
  })

  it('was served before when the price between was never published', () => {
    expect(publishedAt([row('2', day(0))])).toEqual([day(1), 0, true])
    expect(publishedAt([row('2', day(0)), row('1', day(0), { recordedAt: plus(day(0), HOUR) })])).toEqual(NEVER)
  })

  it('has the reasons of the row that is served, or else of the one that is held', () => {
    const reasons = (...rows: ServedRow[]) => measured([old, ...rows]).reasons
    const held = (price: string, reason: string, more: Partial<ServedRow> = {}) =>
      row(price, undefined, { heldFor: [reason], ...more })
    const served = row('2', day(3), { heldFor: ['large_change'] })
    expect(reasons(held('2', 'to_zero'), served)).toEqual(['large_change'])
    expect(reasons(held('2', 'earlier', { recordedAt: day(0) }), held('2', 'held'))).toEqual(['held'])
    expect(reasons(held('2', 'earlier', { recordedAt: day(0) }))).toEqual(['earlier'])
    expect(reasons(held('3', 'another'))).toEqual([])
  })
})

describe('a true change', () => {
  const is = (more: Partial<RawChange>, wrongUntil?: Instant) => {
    const one = { ...measured([], more), wrongUntil }
    return [isTrue(one), isInWrongSet(one)]
  }
  it('is one that stays for two days, is not damage, and is in no set of which the list was wrong', () => {
    expect([is({}), is({ kind: 'from_zero' }), is({ until: day(3) })]).toEqual(Array(3).fill([true, false]))
    expect([is({ kind: 'unit_flip' }), is({ kind: 'to_zero' }), is({ until: plus(day(3), -1) })]).toEqual(
      Array(3).fill([false, false]),
    )
    expect([is({}, day(5)), is({ kind: 'to_zero' }, day(5))]).toEqual([[false, true], [false, false]]) // biome-ignore format: pairs
  })

  it('is in a wrong set where another price of it was wrong', () => {
    const slip = { before: '1', after: '20', next: '1', until: day(9) }
    const all = measureAll(
      [rawChange(slip), rawChange({ key: '["acme","m1","output"]' }), rawChange({ set: 'another' })],
      new Map(),
    )
    expect(all.map(({ wrongUntil }) => wrongUntil)).toEqual([day(9), day(9), undefined])
  })
})

describe('what keeps a replay from being perfect', () => {
  const found = (all: MeasuredChange[], torn: MeasuredChange[] = []) =>
    findMisses(all, torn, [], 48).map(({ what }) => what)

  it('is each true change that was never published, or after more than 48 hours', () => {
    expect(found([measured([old])])).toEqual(['unpublished'])
    expect(found([measured([old, row('2', day(3))])])).toEqual([])
    expect(found([measured([old, row('2', plus(day(3), 1))])])).toEqual(['late'])
    expect(found([measured([old], { until: day(2) })])).toEqual([])
  })

  it('is each unit flip and each zero that was published', () => {
    const published = (kind: RawChange['kind']) => measured([row('2', day(1))], { kind })
    expect(found([published('unit_flip'), published('to_zero'), published('ordinary')])).toEqual([
      'unit_flip_published',
      'zero_published',
    ])
    expect(found([measured([], { kind: 'unit_flip' }), measured([], { kind: 'to_zero' })])).toEqual([])
  })

  it('is not a unit flip that corrects a price, and no price that was served all the time', () => {
    const flip = (more: Partial<RawChange>, rows = [row('2', day(1))]) =>
      measured(rows, { before: '20', kind: 'unit_flip', ...more })
    expect(found([flip({ sellers: [2] }), flip({}, [row('2', day(0))])])).toEqual([])
    expect(found([flip({ sellers: [20] }), flip({})])).toEqual(['unit_flip_published', 'unit_flip_published'])
    expect(found([measured([row('0', day(0))], { after: '0', kind: 'to_zero' })])).toEqual([])
  })

  it('is each line of a torn set, and each line that was removed while it was listed', () => {
    const rows = [old, row('2', day(2), { heldFor: ['large_change'] })]
    const torn = measured(rows, { until: day(8), kind: 'to_zero' })
    expect(findMisses([], [torn], [{ key: 'k', at: day(7) }], 48)).toEqual([
      {
        what: 'torn',
        key: '["acme","m1"]',
        at: day(1),
        before: '1',
        after: '2',
        until: day(8),
        hours: 24,
        reasons: ['large_change'],
      },
      { what: 'false_removal', key: 'k', at: day(7) },
    ])
  })
})
