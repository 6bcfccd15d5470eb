import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { databaseNow } from '../../../src/catalog/clock/clock-store.ts'
import { closeAsOf } from '../../../src/catalog/clock/close-as-of.ts'
import { type SourceDeclaration, sourceDeclaration } from '../../../src/catalog/schema.ts'
import { deleteOldFetches } from '../../../src/catalog/snapshots/delete-old-snapshots.ts'
import { recordFetch } from '../../../src/collecting/record-fetch.ts'
import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import { settleEvidence } from '../../../src/prices/confirmation/settle-confirmations.ts'
import { findContradictions } from '../../../src/prices/contradicted/find-contradictions.ts'
import { confirmedResources } from '../../../src/prices/explore/confirmed-store.ts'
import { continued } from '../../../src/prices/history/cursor-rules.ts'
import type { HistoryRequest } from '../../../src/prices/history/history-rules.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import { replacePrice } from '../../../src/prices/review/replace-price.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { CURSOR_KEY, readPage, readRows } from '../../support/definitions/history.ts'
import { evidenceOf, LIST, PAGE, WITNESS } from '../holds/evidence-support.ts'
import { day, model, models, observed } from '../observed.ts'
import { snapshot } from '../support.ts'

type Row = {
  resource: string
  source: string
  price: string
  contentHash: string
  recordedAt: string
  confirmedAt?: string
  contradictedSince?: string
  confirmedBy?: { agree: { source: string; rank: string }[]; disagree: { source: string; price?: string }[] }
}

describe('the confirmation of a price', () => {
  const db = testDatabase({ each: true })

  const { declare, fetched, witness } = evidenceOf(db)
  const read = async (source: SourceDeclaration, lines: Observation[], n: number) => {
    const report = await snapshot(db.sql, source.source, [...lines, ...models(6)], { source, at: plus(day(n), -1000) })
    await fetched(source, n)
    return report
  }
  const compare = (n: number) => settleEvidence(db.sql, day(n), day(n))
  const rows = (n: number, more: Partial<HistoryRequest> = {}): Promise<Row[]> =>
    readRows<Row>(db.sql, {
      asOf: day(n),
      include: ['confirmation'],
      filters: { resources: ['m'], current: true },
      ...more,
    })
  const said = async (n: number) => {
    const [row] = await rows(n, { filters: { resources: ['m'], dimensions: ['input_tokens'], current: true } })
    const { confirmedAt, confirmedBy, contradictedSince } = row!
    return { confirmedAt, confirmedBy, contradictedSince }
  }
  const OWN = { source: 'page', rank: 'provider' }

  it('is the last good fetch of its source at or before the instant', async () => {
    await declare(PAGE)
    await read(PAGE, model('m', 0.000001), 1)
    await fetched(PAGE, 2)
    await fetched(PAGE, 3)
    const both = { agree: [OWN], disagree: [] }
    expect(await said(1)).toEqual({ confirmedAt: day(1), confirmedBy: both })
    expect(await said(2.9)).toEqual({ confirmedAt: day(2), confirmedBy: both })
    expect(await said(3)).toEqual({ confirmedAt: day(3), confirmedBy: both })
    // Not read for more than a week: no one confirms it now.
    expect(await said(11)).toEqual({ confirmedAt: day(3), confirmedBy: { agree: [], disagree: [] } })
  })

  it('is absent before anything was recorded of its source', async () => {
    await declare(PAGE)
    await snapshot(db.sql, 'page', model('m', 0.000001), { source: PAGE, at: day(1) })
    await fetched(PAGE, 2)
    expect(await said(1.5)).toEqual({})
    expect(await said(2)).toMatchObject({ confirmedAt: day(2) })
  })

  describe('that its source no longer says', () => {
    const held = [observed('m', 'input_tokens', '0.001'), observed('m', 'output_tokens', '0.000004')]

    it('is the fetch before it was held with another price, and goes on once the source says it again', async () => {
      await declare(PAGE)
      await read(PAGE, model('m', 0.000001), 1)
      await read(PAGE, held, 2)
      await fetched(PAGE, 3)
      const waits = {
        confirmedAt: day(1),
        confirmedBy: { agree: [], disagree: [{ ...OWN, held: true }] },
      }
      expect(await said(2)).toEqual(waits)
      await read(PAGE, model('m', 0.000001), 4)
      expect(await said(2)).toEqual(waits)
      expect(await said(3.9)).toEqual(waits)
      expect(await said(4)).toEqual({ confirmedAt: day(4), confirmedBy: { agree: [OWN], disagree: [] } })
    })

    it('is the fetch before it was missing', async () => {
      await declare(PAGE)
      await read(PAGE, [...model('m', 0.000001), ...model('n', 0.000001)], 1)
      await read(PAGE, model('n', 0.000001), 2)
      expect(await said(2)).toEqual({ confirmedAt: day(1), confirmedBy: { agree: [], disagree: [OWN] } })
      await read(PAGE, [...model('m', 0.000001), ...model('n', 0.000001)], 2.5)
      expect(await said(2.2)).toMatchObject({ confirmedAt: day(1) })
      expect(await said(2.5)).toMatchObject({ confirmedAt: day(2.5), confirmedBy: { agree: [OWN] } })
    })

    it('is the fetch before it could not be read', async () => {
      await declare(PAGE)
      const output = observed('m', 'output_tokens', '0.000004')
      await read(PAGE, model('m', 0.000001), 1)
      const unreadable = [{ ...observed('m', 'input_tokens', ''), text: 'N/A' }]
      const parsed = {
        providers: [{ provider: 'acme', name: 'acme' }],
        observations: [output, ...models(6)],
        unreadable,
        ignored: [],
      }
      await snapshot(db.sql, 'page', [], { source: PAGE, at: plus(day(2), -1), parsed })
      await fetched(PAGE, 2)
      expect(await said(2)).toEqual({ confirmedAt: day(1), confirmedBy: { agree: [], disagree: [OWN] } })
      await read(PAGE, model('m', 0.000001), 3)
      expect(await said(3)).toMatchObject({ confirmedAt: day(3) })
      expect(await said(2)).toMatchObject({ confirmedAt: day(1) })
    })

    it('is the last one before a newer price of its line, which is confirmed from then on', async () => {
      await declare(PAGE)
      await read(PAGE, model('m', 0.000001), 1)
      await fetched(PAGE, 2)
      await read(PAGE, model('m', 0.0000012), 3)
      await fetched(PAGE, 4)
      const history = await rows(4, { filters: { resources: ['m'], dimensions: ['input_tokens'] } })
      expect(history.map(({ price, confirmedAt, confirmedBy }) => ({ price, confirmedAt, confirmedBy }))).toEqual(
        expect.arrayContaining([
          { price: '0.000001', confirmedAt: day(2), confirmedBy: undefined },
          { price: '0.0000012', confirmedAt: day(4), confirmedBy: { agree: [OWN], disagree: [] } },
        ]),
      )
      expect(await said(2)).toEqual({ confirmedAt: day(2), confirmedBy: { agree: [OWN], disagree: [] } })
    })

    it('is never, for a price that a person put in its place', async () => {
      await declare(PAGE)
      await read(PAGE, model('m', 0.000001), 1)
      const [row] = await rows(1, { filters: { resources: ['m'], dimensions: ['input_tokens'] } })
      const by = { actor: 'someone', reason: 'a slip' }
      await replacePrice(db.sql, { contentHash: row!.contentHash, price: '0.000003', ...by, at: day(2) })
      await fetched(PAGE, 3)
      const unsaid = { confirmedBy: { agree: [], disagree: [OWN] } }
      expect(await said(2)).toEqual(unsaid)
      expect(await said(3)).toEqual(unsaid)
      // The source follows.
      await read(PAGE, [observed('m', 'input_tokens', '0.000003'), observed('m', 'output_tokens', '0.000004')], 4)
      expect(await said(4)).toEqual({ confirmedAt: day(4), confirmedBy: { agree: [OWN], disagree: [] } })
      expect(await said(3)).toEqual(unsaid)
      expect(await said(1)).toEqual({ confirmedAt: day(1), confirmedBy: { agree: [OWN], disagree: [] } })
    })
  })

  describe('by others', () => {
    it('names who agreed and who did not, as of the instant', async () => {
      await declare(PAGE, WITNESS)
      await read(PAGE, model('m', 0.000001), 1)
      await witness(model('m', 0.000001), 2)
      await compare(2)
      await witness(model('m', 0.000002), 3)
      await compare(3)
      await witness([], 4)
      await compare(4)
      const other = { source: 'witness', rank: 'community' }
      const by = async (n: number) => (await said(n)).confirmedBy
      expect(await by(1)).toEqual({ agree: [OWN], disagree: [] })
      expect(await by(2)).toEqual({ agree: [OWN, other], disagree: [] })
      expect(await by(3)).toEqual({ agree: [OWN], disagree: [{ ...other, price: '0.000002' }] })
      expect(await by(4)).toEqual({ agree: [OWN], disagree: [] })
      expect(await compare(5)).toBe(0)
    })

    it('forgets who could not be read for a week', async () => {
      await declare(PAGE, WITNESS)
      await witness(model('m', 0.000001), 1)
      await read(PAGE, model('m', 0.000001), 1.5)
      await compare(2)
      await read(PAGE, model('m', 0.000001), 8)
      await compare(9)
      expect((await said(2)).confirmedBy?.agree).toHaveLength(2)
      expect((await said(9)).confirmedBy?.agree).toEqual([OWN])
    })

    it('calls nothing confirmed that they contradict', async () => {
      await declare(PAGE, LIST)
      await read(LIST, model('m', 0.0000012), 1)
      const verified = sourceDeclaration.parse({ ...WITNESS, source: 'verified', format: 'v', rank: 'verified' })
      await declare(LIST, verified)
      await witness(model('m', 0.000001), 2, verified)
      await compare(2)
      expect(await said(2)).toMatchObject({ confirmedAt: day(1) })
      await findContradictions(db.sql, day(5))
      await compare(5)
      expect(await said(5)).toEqual({
        contradictedSince: day(2),
        confirmedBy: {
          agree: [{ source: 'list', rank: 'community' }],
          disagree: [{ source: 'verified', rank: 'verified', price: '0.000001' }],
        },
      })
      expect(await rows(5, { filters: { resources: ['m'], confirmed: 'provider' } })).toEqual([])
    })
  })

  describe('as a filter', () => {
    const named = (all: Row[]) => all.map(({ source, resource }) => `${source} ${resource}`).sort()
    /** The rows of a walk in pages of one. */
    const walk = async (n: number, filters: HistoryRequest['filters']) => {
      const found: Row[] = []
      let request: HistoryRequest | undefined = {
        asOf: day(n),
        limit: 1,
        after: '',
        filters,
        include: ['confirmation'],
      }
      while (request) {
        const page = JSON.parse(await readPage(db.sql, request as HistoryRequest & { asOf: Instant }))
        found.push(...page.prices)
        request = page.nextCursor === null ? undefined : continued(CURSOR_KEY, page.nextCursor, 1)
      }
      return found
    }
    const other = sourceDeclaration.parse({ ...WITNESS, source: 'other', format: 'other-format' })

    it('keeps what the provider confirmed, or independent sources, on every page of a walk', async () => {
      await declare(PAGE, LIST, WITNESS, other)
      await witness([...model('m', 0.000001), ...model('listed', 0.000003)], 1)
      await witness([...model('listed', 0.000003), ...model('alone', 0.000009)], 1, other)
      await read(LIST, [...model('listed', 0.000003), ...model('alone', 0.000005)], 1.1)
      await read(PAGE, model('m', 0.000001), 1.2)
      await compare(2)
      const [input, output] = [{ dimensions: ['input_tokens' as const] }, { dimensions: ['output_tokens' as const] }]
      const resources = ['m', 'listed', 'alone']
      const byProvider = await walk(2, { ...input, resources, confirmed: 'provider' })
      expect(named(byProvider)).toEqual(['page m'])
      const independent = await walk(2, { ...input, resources, confirmed: 'independent' })
      expect(named(independent)).toEqual(['list listed', 'page m'])
      for (const { confirmedBy } of independent) expect(confirmedBy?.agree.length).toBeGreaterThan(1)
      expect(await walk(2, { ...output, resources })).toHaveLength(3)
      // What is confirmed now was not then.
      expect(await walk(1.9, { ...input, resources, confirmed: 'independent' })).toEqual([])
      const all = await walk(2, { ...input, confirmed: 'provider' })
      expect(new Set(all.map(({ source }) => source))).toEqual(new Set(['page']))
      expect(all).toHaveLength(7)
    })

    it('is what marks a resource of a source: all its prices are kept by one of the two', async () => {
      await declare(PAGE, LIST, WITNESS, other)
      const half = [observed('half', 'input_tokens', '0.000003'), observed('half', 'output_tokens', '0.000012')]
      await witness([...model('m', 0.000001), ...model('listed', 0.000003), half[0]!], 1)
      await witness(model('listed', 0.000003), 1, other)
      await read(LIST, [...model('listed', 0.000003), ...half, ...model('gone', 0.000004)], 1.1)
      await read(PAGE, model('m', 0.000001), 1.2)
      await compare(2)
      await read(LIST, [...model('listed', 0.000003), ...half], 3)
      await read(PAGE, model('m', 0.0000012), 4)
      await compare(5)
      for (const n of [1.15, 1.9, 2, 3, 4, 5, 9, 12]) {
        const kept = async (confirmed?: 'provider' | 'independent') =>
          new Set((await walk(n, { current: true, ...(confirmed && { confirmed }) })).map((row) => row.contentHash))
        const [provider, independent] = [await kept('provider'), await kept('independent')]
        const marks = new Map<string, string | undefined>()
        for (const { source, resource, contentHash } of await walk(n, { current: true })) {
          const by = provider.has(contentHash) ? 'provider' : independent.has(contentHash) ? 'independent' : undefined
          const [name, before] = [`${source} ${resource}`, marks.get(`${source} ${resource}`)]
          const isWeaker = marks.has(name) && (before === undefined || (before === 'independent' && by === 'provider'))
          if (!isWeaker) marks.set(name, by)
        }
        const found = (await confirmedResources(db.sql, day(n))).map(({ source, resource, by }) => [
          `${source} ${resource}`,
          by,
        ])
        expect(found.sort()).toEqual([...marks].filter(([, by]) => by).sort())
        if (n === 2)
          expect(Object.fromEntries(found)).toMatchObject({ 'page m': 'provider', 'list listed': 'independent' })
      }
    })

    it('keeps no row that was superseded, or that its source no longer says', async () => {
      await declare(PAGE)
      await read(PAGE, [...model('m', 0.000001), ...model('n', 0.000001)], 1)
      await read(PAGE, [...model('m', 0.0000012), ...model('o', 0.000001)], 2)
      const kept = await walk(2, { dimensions: ['input_tokens'], resources: ['m', 'n', 'o'], confirmed: 'provider' })
      expect(kept.map(({ resource, price }) => `${resource} ${price}`).sort()).toEqual(['m 0.0000012', 'o 0.000001'])
    })
  })

  it('is that of each source in its time where another one takes over', async () => {
    await declare(LIST, PAGE)
    await read(LIST, model('m', 0.000001), 1)
    await fetched(LIST, 2)
    await read(PAGE, model('m', 0.000001), 3)
    await fetched(LIST, 4)
    const before = {
      confirmedAt: day(2),
      confirmedBy: { agree: [{ source: 'list', rank: 'community' }], disagree: [] },
    }
    expect(await said(2.5)).toEqual(before)
    await compare(4.5)
    expect(await said(4.5)).toMatchObject({ confirmedAt: day(3), confirmedBy: { disagree: [] } })
    expect(await said(2.5)).toEqual(before)
  })

  it('is when it was recorded, for a row that is newer than the last read of its own source alone', async () => {
    await declare(LIST, PAGE)
    await read(PAGE, model('m', 0.000001), 1)
    await snapshot(db.sql, 'page', [...model('m', 0.000002), ...models(6)], { source: PAGE, at: day(2) })
    await fetched(LIST, 3)
    expect(await said(3)).toEqual({ confirmedAt: day(2), confirmedBy: { agree: [OWN], disagree: [] } })
  })

  it('stays as it was after the log of fetches was shortened', async () => {
    await declare(PAGE)
    await read(PAGE, model('m', 0.000001), 1)
    const record = {
      source: 'page',
      claimId: randomUUID(),
      outcome: 'unchanged' as const,
      confirmed: true,
      nextDueAt: day(1),
      durationMs: 1,
    }
    const now = await databaseNow(db.sql)
    for (const days of [0, 1]) {
      await db.sql`update source set claim = ${record.claimId}`
      await recordFetch(db.sql, { ...record, at: plus(now, -(100 - days) * DAY) })
    }
    const [newest] = await db.sql<{ at: Instant }[]>`select max(at) as at from good_fetch`
    const answers = () => db.sql`select * from confirming_sources(${newest!.at})`
    const before = await answers()
    expect(before).toMatchObject([{ source: 'page', at: newest!.at }])
    expect(await deleteOldFetches(db.sql, now, 100)).toBe(2)
    expect(await answers()).toEqual(before)
  })

  it('is stamped after every instant that was closed, whoever records at the same time', async () => {
    await declare(PAGE, LIST)
    await snapshot(db.sql, 'page', model('m', 0.000001), { source: PAGE })
    const record = { outcome: 'unchanged' as const, confirmed: true, nextDueAt: day(1), durationMs: 1 }
    let isDone = false
    const recording = Promise.all(
      ['page', 'list'].map(async (source) => {
        while (!isDone) {
          const claimId = randomUUID()
          await db.sql`update source set claim = ${claimId} where source = ${source}`
          await recordFetch(db.sql, { ...record, source, claimId, at: await databaseNow(db.sql) })
        }
      }),
    )
    const answers: { at: Instant; said: unknown }[] = []
    const answerAt = (at: Instant) => db.sql`select source, at from confirming_sources(${at}) order by source`
    for (let n = 0; n < 40; n++) {
      const at = await databaseNow(db.sql)
      await closeAsOf(db.sql, at)
      answers.push({ at, said: [...(await answerAt(at))] })
    }
    isDone = true
    await recording
    expect(new Set(answers.map(({ said }) => JSON.stringify(said))).size).toBeGreaterThan(5)
    for (const { at, said } of answers) expect([...(await answerAt(at))]).toEqual(said)
  })

  it('follows what a row says of its renaming', async () => {
    await declare(PAGE)
    const named = (name: string) => [
      observed(name, 'input_tokens', '0.000001234'),
      observed(name, 'output_tokens', '0.00000543'),
    ]
    await read(PAGE, named('model-old'), 1)
    for (const n of [2, 3, 4, 5, 6, 7, 8, 9]) await read(PAGE, named('model-new'), n)
    const [review] = await db.sql<{ id: string }[]>`select review_id as id from review where kind = 'rename'`
    if (review)
      await decideReview(db.sql, { reviewId: review.id, decision: 'approve', actor: 'x', reason: '', at: day(10) })
    const [old] = await rows(11, { filters: { resources: ['model-old'] } })
    expect(old).toMatchObject({ renamedTo: 'model-new', confirmedAt: day(1) })
    expect(old?.confirmedBy).toBeUndefined()
  })
})
