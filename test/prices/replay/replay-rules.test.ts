import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import { confirmedAgainAt, isDue, nextDueFetch } from '../../../src/prices/ingest/confirmation-rules.ts'
import type { ServedRow } from '../../../src/prices/replay/measure-rules.ts'
import { rawChanges, rawLines } from '../../../src/prices/replay/raw-change-rules.ts'
import { startRawHistory } from '../../../src/prices/replay/raw-history.ts'
import { score } from '../../../src/prices/replay/score-rules.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, model, observed } from '../observed.ts'

const HOUR = 3_600_000
const parsed = (observations: Observation[]) => ({ providers: [], observations, ignored: [] })

describe('the independent difference of two snapshots', () => {
  const changes = (before: Observation[], after: Observation[]) =>
    rawChanges(rawLines(before), rawLines(after), day(1)).map(({ kind }) => kind)

  it.each([
    ['another price', '2', '3', ['ordinary']],
    ['the same price in another notation', '2', '2.0', []],
    ['a price a thousand times as high', '0.002', '2', ['unit_flip']],
    ['a price that fell to zero', '2', '0', ['to_zero']],
    ['a price that left zero', '0', '2', ['from_zero']],
  ] as const)('names %s', (_, before, after, kinds) => {
    expect(changes([observed('m', 'input_tokens', before)], [observed('m', 'input_tokens', after)])).toEqual(kinds)
  })

  it('has no change for lines that only one of them lists', () => {
    expect(changes(model('a', 1), model('b', 2))).toEqual([])
  })
})

describe('the score of a replay', () => {
  /** A source that changes both prices of one model at day 1, and lists them until the end. */
  function changed(until?: number) {
    const history = startRawHistory()
    history.add(parsed(model('m', 1)), day(0))
    history.add(parsed(model('m', 2)), day(1))
    if (until) history.add(parsed(model('m', 3)), day(until))
    const [input, output] = history.changes.map(({ key }) => key) as [string, string]
    return { history, input, output }
  }
  const row = (price: string, from: Instant, heldFor: string[] = []): ServedRow => ({
    price,
    recordedAt: from,
    from,
    heldFor,
  })

  it('measures the hours until each true change was served', () => {
    const { history, input, output } = changed()
    const at = plus(day(1), 24 * HOUR)
    const served = new Map([
      [input, [row('1', day(0)), row('2', at, ['large_change'])]],
      [output, [row('4', day(0)), row('8', at, ['large_change'])]],
    ])
    expect(score(history, served, []).score).toMatchObject({
      changes: { total: 2, true: { seen: 2, published: 2 } },
      hoursToPublish: { median: 24, p95: 24, shareWithin48h: 1 },
      hoursByReason: { large_change: { changes: 2, median: 24, p95: 24 } },
      unpublished: EMPTY,
      tornSets: 0,
    })
  })

  it('counts a set as torn when a reader saw a part of it before the rest', () => {
    const { history, input, output } = changed()
    const served = new Map([
      [input, [row('1', day(0)), row('2', day(1))]],
      [output, [row('4', day(0))]],
    ])
    const { tornSets, changes, unpublished } = score(history, served, []).score
    expect([tornSets, changes.true, unpublished]).toEqual([1, { seen: 2, published: 1 }, { not_held: 1 }])
  })

  it('counts no set as torn of which a part is priced again as it was served all the time', () => {
    const history = startRawHistory()
    for (const [n, price] of [1, 2].entries()) history.add(parsed(model('m', price)), day(n))
    history.add(parsed([observed('m', 'input_tokens', '1'), observed('m', 'output_tokens', '5')]), day(2))
    const [input, output] = history.changes.map(({ key }) => key) as [string, string]
    const served = new Map([
      [input, [row('1', day(0))]],
      [output, [row('4', day(0)), row('5', day(3))]],
    ])
    expect(score(history, served, []).score.tornSets).toBe(0)
  })

  it('counts apart the sets in which a list was far from all other sellers, and corrected itself', () => {
    const sold = (input: string, image: string) =>
      parsed([
        observed('maker/m', 'input_tokens', '3', { provider: 'maker' }),
        observed('m', 'input_tokens', input),
        observed('m', 'input_images', image),
        observed('m-001', 'input_tokens', input),
      ])
    const history = startRawHistory()
    for (const [n, list] of [sold('4', '7'), sold('0.2', '8'), sold('3', '8')].entries()) history.add(list, day(n * 9))
    expect(score(history, new Map(), []).score.changes).toMatchObject({
      true: { seen: 2, published: 0 },
      wrong: { seen: 3, published: 0 },
    })
    const slip = history.changes.find(({ after }) => after === '0.2')!
    const published = new Map([[slip.key, [row('0.2', day(10))]]])
    expect(score(history, published, []).score.changes.wrong.published).toBe(1)
    const stays = startRawHistory()
    for (const [n, list] of [sold('4', '7'), sold('0.2', '8')].entries()) stays.add(list, day(n * 9))
    expect(score(stays, new Map(), []).score.changes.wrong.seen).toBe(0)
  })

  it('counts apart the sets of a price that moved more than tenfold and that its list then moved back', () => {
    const wrongAfter = (...prices: string[]) => {
      const history = startRawHistory()
      for (const [n, price] of prices.entries()) history.add(parsed([observed('m', 'input_tokens', price)]), day(n * 9))
      return score(history, new Map(), []).score.changes.wrong.seen
    }
    expect(wrongAfter('5', '0.08', '1.25')).toBe(1)
    expect(wrongAfter('0.08', '5', '0.9')).toBe(1)
    expect([wrongAfter('5', '0.08', '0.3'), wrongAfter('5', '0.6', '4'), wrongAfter('5', '0.08')]).toEqual([0, 0, 0])
  })

  it('names each line that was published late, never or in parts', () => {
    const { history, input, output } = changed()
    const served = new Map([[input, [row('1', day(0)), row('2', day(4), ['large_change'])]]])
    const { misses } = score(history, served, [])
    const line = { at: day(1), reasons: [] as string[] }
    expect(misses).toMatchObject([
      { ...line, what: 'unpublished', key: output },
      { ...line, what: 'late', key: input, hours: 72, reasons: ['large_change'] },
      { what: 'torn', key: input },
      { what: 'torn', key: output },
    ])
  })

  it('leaves out what the source listed for less than two days', () => {
    const { changes } = score(changed(2).history, new Map(), []).score
    expect([changes.total, changes.true.seen]).toEqual([4, 2])
  })

  it('counts removals of what the source still lists, or lists again within two days', () => {
    const history = startRawHistory()
    history.add(parsed(model('m', 1)), day(0))
    const removal = (at: Instant) => score(history, new Map(), [{ key: [...history.listed.keys()][0]!, at }]).score
    expect(removal(day(1)).falseRemovals).toBe(1)
    history.add(parsed(model('n', 1)), day(2))
    expect(removal(day(3)).falseRemovals).toBe(0)
    history.add(parsed([...model('m', 1), ...model('n', 1)]), day(4))
    expect(removal(day(3)).falseRemovals).toBe(1)
    expect(removal(plus(day(2), HOUR))).toMatchObject({ falseRemovals: 1, listedAgain: 1 })
    expect(removal(plus(day(2), -HOUR)).falseRemovals).toBe(1)
  })
})

describe('a fetch that brings the same bytes', () => {
  it('changes a line once it is the third and a day has passed', () => {
    const waiting = { fetches: 1, dueAt: day(1) }
    expect(isDue(waiting, day(1))).toBe(false)
    expect(isDue({ ...waiting, fetches: 2 }, plus(day(1), -1))).toBe(false)
    expect(isDue({ ...waiting, fetches: 2 }, day(1))).toBe(true)
  })

  it('comes within eight hours when a line may be confirmed within a day', () => {
    const again = (dueAt: Instant) => confirmedAgainAt([{ fetches: 1, dueAt }], day(1))
    expect([again(day(2)), again(day(0)), again(day(3))]).toEqual([
      plus(day(1), 8 * HOUR),
      plus(day(1), 8 * HOUR),
      undefined,
    ])
    expect(confirmedAgainAt([], day(1))).toBeUndefined()
  })

  it('is found by its number', () => {
    const next = (fetches: number, dueAt: Instant) => nextDueFetch([{ fetches, dueAt }], day(0), HOUR)
    expect([next(1, day(1)), next(1, day(0)), next(5, day(0)), next(1, plus(day(0), 90 * 60_000))]).toEqual([
      24, 2, 1, 2,
    ])
    expect(nextDueFetch([], day(0), HOUR)).toBeUndefined()
  })
})
