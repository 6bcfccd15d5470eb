import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import type { ServedRow } from '../../../src/prices/replay/measure-rules.ts'
import type { RawChange } from '../../../src/prices/replay/raw-change-rules.ts'
import type { Removal } from '../../../src/prices/replay/removal-rules.ts'
import { score } from '../../../src/prices/replay/score-rules.ts'
import { day } from '../observed.ts'
import { rawChange } from './raw-facts.ts'

const HOUR = 3_600_000
type Rows = { [key: string]: ServedRow[] }
const row = (price: string, from?: Instant, heldFor: string[] = []): ServedRow => ({
  price,
  recordedAt: from ?? day(1),
  from,
  heldFor,
})
/** A change of the line with this key, in a set of its own. */
const change = (key: string, more: Partial<RawChange> = {}) => rawChange({ key: `["${key}"]`, set: key, ...more })
const scored = (changes: RawChange[], served: Rows, removals: Removal[] = [], listed = new Map()) =>
  score({ changes, listed }, new Map(Object.entries(served).map(([key, rows]) => [`["${key}"]`, rows])), removals).score
const publishedAfter = (hours: number, heldFor: string[] = []) => [row('2', plus(day(1), hours * HOUR), heldFor)]

describe('the score of a replay', () => {
  it('counts changes by their kind, and which of them were published', () => {
    const kinds = ['a', 'b', 'c'] as const
    const all = (kind: RawChange['kind']) => kinds.map((name) => change(`${name} ${kind}`, { kind }))
    const changes = [...all('unit_flip'), ...all('to_zero'), ...all('ordinary')]
    const { changes: counts } = scored(changes, {
      'a unit_flip': publishedAfter(0),
      'a to_zero': publishedAfter(0),
      'b to_zero': publishedAfter(0),
      'a ordinary': publishedAfter(0),
    })
    expect(counts).toEqual({
      total: 9,
      unit_flip: { seen: 3, published: 1 },
      to_zero: { seen: 3, published: 2 },
      flips: {
        correction: { seen: 0, published: 0 },
        slip: { seen: 0, published: 0 },
        unproven: { seen: 3, published: 1 },
      },
      true: { seen: 3, published: 1 },
      wrong: { seen: 0, published: 0 },
    })
  })

  it('counts unit flips by what the snapshots say of them, but for prices that were served all the time', () => {
    const flips = [
      change('a', { kind: 'unit_flip', before: '20', after: '2', sellers: [2] }),
      change('b', { kind: 'unit_flip', before: '20', after: '2', next: '20', until: day(9) }),
      change('c', { kind: 'unit_flip', before: '20', after: '2' }),
      change('d', { kind: 'unit_flip', before: '20', after: '2', at: day(2) }),
    ]
    const { unit_flip, flips: proven } = scored(flips, {
      a: publishedAfter(0),
      b: publishedAfter(0),
      c: publishedAfter(0),
      d: [row('2', day(0))],
    }).changes
    expect(unit_flip).toEqual({ seen: 4, published: 3 })
    expect(proven).toEqual({
      correction: { seen: 1, published: 1 },
      slip: { seen: 1, published: 1 },
      unproven: { seen: 2, published: 1 },
    })
  })

  it('counts a price of a wrong set as published that was served before its list corrected itself', () => {
    const slip = change('a', { before: '1', after: '20', next: '1', until: day(9) })
    const wrong = (at?: Instant) =>
      scored([slip, change('b', { set: 'a' })], at ? { b: [row('2', at)] } : {}).changes.wrong
    expect([wrong(), wrong(day(8)), wrong(day(9))]).toEqual([
      { seen: 2, published: 0 },
      { seen: 2, published: 1 },
      { seen: 2, published: 0 },
    ])
  })

  it('measures the hours to publish: the median, the 95th percentile and the share within 48 hours', () => {
    const hours = [100, 1, 2, 48, 3]
    const changes = [...hours, 9, 9, 9].map((_, n) => change(`m${n}`))
    const served = Object.fromEntries(hours.map((one, n) => [`m${n}`, publishedAfter(one)]))
    expect(scored(changes, served).hoursToPublish).toEqual({ median: 3, p95: 100, shareWithin48h: 0.5 })
    const twenty = Array.from({ length: 20 }, (_, n) => change(`m${n}`))
    const each = Object.fromEntries(twenty.map((_, n) => [`m${n}`, publishedAfter(20 - n)]))
    expect(scored(twenty, each).hoursToPublish).toEqual({ median: 10, p95: 19, shareWithin48h: 1 })
    expect(scored([], {}).hoursToPublish).toEqual({ median: null, p95: null, shareWithin48h: null })
    expect(scored([change('a'), change('b'), change('c')], { a: publishedAfter(1 / 9) }).hoursToPublish).toEqual({
      median: 0.111,
      p95: 0.111,
      shareWithin48h: 0.333,
    })
  })

  it('measures the hours by what the price was held for', () => {
    const changes = ['a', 'b', 'c', 'd', 'e'].map((name) => change(name))
    const served = {
      a: publishedAfter(0),
      b: publishedAfter(24, ['large_change', 'flips_back']),
      c: publishedAfter(30, ['flips_back', 'large_change']),
      d: [row('2', undefined, ['to_zero', 'large_change'])],
    }
    const { hoursByReason, unpublished } = scored(changes, served)
    expect(hoursByReason).toEqual({
      at_once: { changes: 1, median: 0, p95: 0 },
      'flips_back, large_change': { changes: 2, median: 24, p95: 30 },
    })
    expect(unpublished).toEqual({ to_zero: 1, large_change: 1, not_held: 1 })
  })
})

describe('a torn set', () => {
  const torn = (served: Rows, more: Partial<RawChange>[] = [{}, {}]) =>
    scored(
      more.map((one, n) => change(`m${n}`, { set: 's', ...one })),
      served,
    ).tornSets

  it('is one of which a part was published at another instant, or never', () => {
    expect(torn({ m0: publishedAfter(1), m1: publishedAfter(1) })).toBe(0)
    expect(torn({ m0: publishedAfter(1), m1: publishedAfter(2) })).toBe(1)
    expect(torn({ m0: publishedAfter(2), m1: publishedAfter(1) })).toBe(1)
    expect(torn({ m0: publishedAfter(1) })).toBe(1)
    expect(torn({})).toBe(0)
    expect(torn({ m0: publishedAfter(1), m1: publishedAfter(2) }, [{}, { set: 'another' }])).toBe(0)
  })

  it('has no line that its source changed once more before the first of it was published', () => {
    const until = (hours: number) => [{}, { until: plus(day(1), hours * HOUR) }]
    expect([torn({ m0: publishedAfter(5) }, until(5)), torn({ m0: publishedAfter(5) }, until(6))]).toEqual([0, 1])
    expect(torn({ m0: publishedAfter(7), m1: publishedAfter(5) }, until(6))).toBe(1)
  })

  it('has no line whose price was served all the time', () => {
    expect(torn({ m0: publishedAfter(5), m1: [row('2', day(0))] })).toBe(0)
  })
})

describe('a removal', () => {
  const removed = (periods: { from: Instant; to?: Instant }[] | undefined, at: Instant) => {
    const listed = new Map(periods && [['["k"]', periods]])
    const { falseRemovals, listedAgain } = scored([], {}, [{ key: '["k"]', at }], listed)
    return [falseRemovals, listedAgain]
  }

  it('is false while the source lists the line, or when it lists it again within two days', () => {
    expect(removed([{ from: day(1) }], day(1))).toEqual([1, 1])
    expect(removed([{ from: day(1), to: day(4) }], day(3))).toEqual([1, 1])
    expect(removed([{ from: day(1), to: day(4) }], day(4))).toEqual([0, 0])
    expect(removed([{ from: day(1), to: day(4) }, { from: day(6) }], day(4))).toEqual([1, 1])
    expect(removed([{ from: day(1), to: day(4) }, { from: plus(day(6), 1) }], day(4))).toEqual([0, 1])
    expect(removed(undefined, day(4))).toEqual([0, 0])
  })

  it('is not false that ended with a true change of its resource, and came back when that ended', () => {
    const cache = '["acme","m1","cache"]'
    const periods = new Map([[cache, [{ from: day(1), to: day(4) }, { from: day(8) }]]])
    const changed = (more: Partial<RawChange> = {}) =>
      rawChange({ set: `["acme","m1"] ${day(4)}`, at: day(4), until: day(8), ...more })
    const count = (...changes: RawChange[]) => {
      const { falseRemovals, listedAgain } = score({ changes, listed: periods }, new Map(), [
        { key: cache, at: day(7) },
      ]).score
      return [falseRemovals, listedAgain]
    }
    expect(count(changed())).toEqual([0, 1])
    expect(count()).toEqual([1, 1])
    for (const other of [
      { set: `["acme","m2"] ${day(4)}` },
      { set: `["acme","m1"] ${day(3)}` },
      { until: day(9) },
      { until: undefined },
      { kind: 'unit_flip' as const },
      { at: plus(day(6), 1) },
    ])
      expect(count(changed(other))).toEqual([1, 1])
  })

  it('is false while the line is listed, whatever ended with it', () => {
    const cache = '["acme","m1","cache"]'
    const periods = new Map([[cache, [{ from: day(1), to: day(4) }, { from: day(8) }]]])
    const change = rawChange({ set: `["acme","m1"] ${day(4)}`, at: day(4), until: day(8) })
    const count = (at: Instant) =>
      score({ changes: [change], listed: periods }, new Map(), [{ key: cache, at }]).score.falseRemovals
    expect([count(day(3)), count(day(7)), count(day(9))]).toEqual([1, 0, 1])
  })
})
