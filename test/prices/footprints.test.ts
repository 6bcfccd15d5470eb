import { beforeAll, describe, it } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { measureServed } from '../../src/prices/accuracy/measure-served.ts'
import { settleEvidence } from '../../src/prices/confirmation/settle-confirmations.ts'
import { findContradictions } from '../../src/prices/contradicted/find-contradictions.ts'
import { rotateCursorKey } from '../../src/prices/history/rotate-cursor-key.ts'
import { confirmPrices } from '../../src/prices/ingest/confirm-prices.ts'
import type { IngestInput } from '../../src/prices/ingest/ingest-prices.ts'
import { endSource } from '../../src/prices/publish/end-source.ts'
import { restoreRow, withdrawRow } from '../../src/prices/review/correct-price.ts'
import { decideReview, type ReviewDecision } from '../../src/prices/review/decide-review.ts'
import { replacePrice } from '../../src/prices/review/replace-price.ts'
import type { Observation } from '../../src/prices/schema.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { testDatabase } from '../support/database.ts'
import { type Action, expectFootprints } from './footprints-of.ts'
import { evidenceOf, LIST, PAGE, WITNESS } from './holds/evidence-support.ts'
import { day, model, models, observed } from './observed.ts'
import { snapshot } from './support.ts'

const BEST = { provider: 'best' }
const KEPT = model('kept', 0.000003)
const [M, NAMED] = [model('m', 0.000002), model('BGE-M3', 0.0000077)]
const CACHED = observed('m', 'cache_read_tokens', '0.0000002')
const ALL = [...M, CACHED, ...KEPT, ...NAMED]
const OTHERS = [...models(6, BEST), ...model('m', 0.000002, BEST), ...model('kept', 0.000003, BEST)]

/** Lines of acme that stay. */
const REST = models(8)

/** Takes these lines of acme in as the list of a day, beside those that stay. */
const list =
  (n: number, lines: Observation[], rest = REST, more: Partial<IngestInput> = {}): Action =>
  (sql) =>
    snapshot(sql, 'list', [...rest, ...lines], { at: day(n), source: LIST, ...more })
const whole =
  (n: number, lines: Observation[]): Action =>
  (sql) =>
    snapshot(sql, 'list', lines, { at: day(n), source: LIST })
const days = (from: number, to: number, lines: Observation[]): Action[] =>
  Array.from({ length: to - from + 1 }, (_, n) => list(from + n, lines))
const decide =
  (n: number, decision: ReviewDecision['decision'], more: Partial<ReviewDecision> = {}, kind?: string): Action =>
  async (sql) => {
    const [item] = await openReviewItems(sql, 1, { source: 'list', kind })
    const edits = decision === 'edit' ? [{ contentHash: item!.rows[0]!, price: '0.0000021' }] : undefined
    const by = { actor: 'ada', reason: 'looked at', at: day(n) }
    return decideReview(sql, { reviewId: item!.reviewId, decision, edits, ...by, ...more })
  }
const ofRow =
  (n: number, price: string, correct: (sql: Sql, row: Parameters<typeof withdrawRow>[1]) => Promise<unknown>): Action =>
  async (sql) => {
    const [row] = await sql<{ hash: string }[]>`
      select content_hash as hash from price_row join price_line using (line_id)
      where source = 'list' and resource = 'm' and dimension = 'input_tokens' and price = ${price}`
    return correct(sql, { contentHash: row!.hash, actor: 'ada', reason: 'a slip', at: day(n) })
  }
const undeclared: Action = (sql) =>
  sql`update source set declared = false, undeclared_at = ${day(2)} where source = 'list'`
/** The same list, which announces input prices of `m` from days on. */
const announcing =
  (n: number, ahead: [price: string, from: number][], more: Partial<IngestInput> = {}, lines = ALL): Action =>
  (sql) => {
    const observations = [...REST, ...lines]
    const announced = ahead.map(([price, from]) => ({
      observation: observed('m', 'input_tokens', price, { effectiveFrom: day(from).slice(0, 10) }),
      from: day(from),
    }))
    const parsed = { providers: [{ provider: 'acme', name: 'acme' }], observations, ignored: [], announced }
    return snapshot(sql, 'list', observations, { at: day(n), source: LIST, parsed, ...more })
  }
const without = (...resources: string[]) => ALL.filter(({ resource }) => !resources.includes(resource))
const at = (input: number) => [...model('m', input), ...without('m'), CACHED]

describe('what an action changes, beside another provider, another list and a witness', () => {
  const db = testDatabase()
  const { declare, witness } = evidenceOf(db)
  beforeAll(async () => {
    const other = sourceDeclaration.parse({ source: 'other', format: 'other-format' })
    await declare(LIST, other, WITNESS)
    await list(1, ALL)(db.sql)
    await snapshot(db.sql, 'other', OTHERS, { at: day(1.1), source: other })
    await witness([...M, ...model('m', 0.000002, BEST)], 1.2)
    await db.sql`update source set last_good_at = ${day(9)}`
  })

  it('of a list that is taken in', () =>
    expectFootprints(db.sql, 'lists', {
      'the same again': list(2, ALL),
      'the same again without history or events': list(2, ALL, REST, { quiet: true }),
      'read by a newer parser': async (sql) => {
        const [known] = await sql<{ hash: string }[]>`select ingested_hash as hash from source where source = 'list'`
        return list(2, at(0.0000021), REST, { snapshotHash: known!.hash, parserVersion: 2 })(sql)
      },
      'another price': list(2, at(0.0000021)),
      'another price without events': list(2, at(0.0000021), REST, { quiet: true }),
      'another detail': list(2, [...ALL.slice(1), { ...ALL[0]!, category: 'chat' }]),
      'a resource more': list(2, [...ALL, ...model('new', 0.000004)]),
      'a line more': list(2, [...ALL, observed('kept', 'cache_read_tokens', '0.0000003')]),
      'a name that is spelled otherwise': list(2, [...without('BGE-M3'), ...model('bge-m3', 0.0000077)]),
      'the same bytes': (sql) => confirmPrices(sql, 'list', day(2)),
    }))

  it('of a price that is held', () =>
    expectFootprints(db.sql, 'held', {
      'for the first time': list(2, at(0.002)),
      again: { given: [list(2, at(0.002))], does: list(3, at(0.002)) },
      'with another price': { given: [list(2, at(0.002))], does: list(3, at(0.003)) },
      'and taken back': { given: [list(2, at(0.002))], does: list(3, ALL) },
      'and gone': { given: [list(2, at(0.002))], does: list(3, without('m')) },
      'and shown by the same bytes': {
        given: [list(10, at(0.000009))],
        does: (sql) => confirmPrices(sql, 'list', day(10.3)),
      },
      'for long enough': { given: days(10, 11, at(0.000009)), does: list(12, at(0.000009)) },
      approved: { given: [list(2, at(0.002))], does: decide(3, 'approve') },
      rejected: { given: [list(2, at(0.002))], does: decide(3, 'reject') },
      edited: { given: [list(2, at(0.002))], does: decide(3, 'edit') },
      'and only looked at': { given: [list(2, at(0.002))], does: decide(3, 'approve', { dryRun: true }) },
      'rejected, and shown again': {
        given: [list(2, at(0.002)), decide(3, 'reject')],
        does: list(4, at(0.002)),
      },
      'of a new resource, approved': {
        given: [list(2, [...ALL, ...model('new', 0.4)])],
        does: decide(3, 'approve'),
      },
    }))

  it('of what is no longer listed', () =>
    expectFootprints(db.sql, 'absent', {
      'a resource, for the first time': list(2, without('kept')),
      'a resource, again': { given: [list(2, without('kept'))], does: list(3, without('kept')) },
      'a resource, for long enough': { given: days(2, 4, without('kept')), does: list(5, without('kept')) },
      'a resource that is back': { given: days(2, 5, without('kept')), does: list(6, ALL) },
      'a resource that is back at another price': {
        given: days(2, 5, without('kept')),
        does: list(6, [...without('kept'), ...model('kept', 0.0000031)]),
      },
      'a line, for long enough': {
        given: [2, 9, 14, 15].map((n) => list(n, [...M, ...without('m')])),
        does: list(16, [...M, ...without('m')]),
      },
      'many resources': list(2, []),
      'many resources, which is asked about': { given: days(2, 4, []), does: list(5, []) },
      'many resources, and a person removes them': {
        given: days(2, 5, []),
        does: decide(6, 'approve', {}, 'removal'),
      },
      'many resources, and a person keeps them': {
        given: days(2, 5, []),
        does: decide(6, 'reject', {}, 'removal'),
      },
      'many resources, which are back': { given: days(2, 5, []), does: list(6, ALL) },
      'a name that may be another one': {
        given: [list(2, [...ALL, ...model('magistral-2506', 0.0000055)])],
        does: list(3, [...ALL, ...model('magistral', 0.0000055)]),
      },
      'a name that is another one': {
        given: [
          list(2, [...ALL, ...model('magistral-2506', 0.0000055)]),
          list(3, [...ALL, ...model('magistral', 0.0000055)]),
        ],
        does: decide(4, 'approve', {}, 'rename'),
      },
      'a name that is not another one': {
        given: [
          list(2, [...ALL, ...model('magistral-2506', 0.0000055)]),
          list(3, [...ALL, ...model('magistral', 0.0000055)]),
        ],
        does: decide(4, 'reject', {}, 'rename'),
      },
    }))

  it('of a list that cannot be right', () =>
    expectFootprints(db.sql, 'quarantine', {
      'without prices': whole(2, []),
      'again without prices': { given: [whole(2, [])], does: whole(3, []) },
      'with few prices, after one without': { given: [whole(2, [])], does: whole(3, M) },
      'before a good one': { given: [whole(2, M)], does: list(3, ALL) },
      'with few prices, approved': { given: [whole(2, M)], does: decide(3, 'approve') },
      'with few prices, approved and read again': { given: [whole(2, M), decide(3, 'approve')], does: whole(4, M) },
      'with few prices, rejected and read again': { given: [whole(2, M), decide(3, 'reject')], does: whole(4, M) },
    }))

  it('of what a list announces', () =>
    expectFootprints(db.sql, 'announced', {
      'a price from a later day on': announcing(2, [['0.0000022', 20]]),
      'two prices': announcing(2, [
        ['0.0000022', 20],
        ['0.0000023', 30],
      ]),
      'the same again': { given: [announcing(2, [['0.0000022', 20]])], does: announcing(3, [['0.0000022', 20]]) },
      'the same, read by a newer parser': async (sql) => {
        await announcing(2, [['0.0000022', 20]])(sql)
        const [known] = await sql<{ hash: string }[]>`select ingested_hash as hash from source where source = 'list'`
        return announcing(3, [['0.0000022', 20]], { snapshotHash: known!.hash, parserVersion: 2 })(sql)
      },
      'the same bytes': {
        given: [announcing(2, [['0.0000022', 20]])],
        does: (sql) => confirmPrices(sql, 'list', day(3)),
      },
      'another price': { given: [announcing(2, [['0.0000022', 20]])], does: announcing(3, [['0.0000024', 20]]) },
      'another day': { given: [announcing(2, [['0.0000022', 20]])], does: announcing(3, [['0.0000022', 21]]) },
      'nothing more': { given: [announcing(2, [['0.0000022', 20]])], does: list(3, ALL) },
      'a price whose day has come': {
        given: [18, 18.4, 18.8].map((n) => announcing(n, [['0.0000065', 20]])),
        does: list(20, [observed('m', 'input_tokens', '0.0000065'), ...ALL.slice(1)]),
      },
      'a price that is not there on its day': {
        given: [announcing(2, [['0.0000022', 20]])],
        does: list(20, ALL),
      },
      'and ends': {
        given: [announcing(2, [['0.0000022', 20]]), undeclared],
        does: (sql) => endSource(sql, 'list'),
      },
    }))

  it('of corrections', () =>
    expectFootprints(db.sql, 'corrections', {
      'withdrawing the only row': ofRow(2, '0.000002', withdrawRow),
      'withdrawing the newest row': { given: [list(2, at(0.0000021))], does: ofRow(3, '0.0000021', withdrawRow) },
      'withdrawing an earlier row': { given: [list(2, at(0.0000021))], does: ofRow(3, '0.000002', withdrawRow) },
      'a withdrawn price that its source repeats': {
        given: [list(2, at(0.0000021)), ofRow(3, '0.0000021', withdrawRow)],
        does: list(4, at(0.0000021)),
      },
      'restoring the newest row': {
        given: [list(2, at(0.0000021)), ofRow(3, '0.0000021', withdrawRow)],
        does: ofRow(4, '0.0000021', restoreRow),
      },
      'restoring an earlier row': {
        given: [list(2, at(0.0000021)), ofRow(3, '0.000002', withdrawRow)],
        does: ofRow(4, '0.000002', restoreRow),
      },
      replacing: ofRow(2, '0.000002', (sql, row) => replacePrice(sql, { ...row, price: '0.0000025' })),
    }))

  it('of several sources', () =>
    expectFootprints(db.sql, 'sources', {
      'the page of the provider takes over what it shows': (sql) =>
        snapshot(sql, 'page', M, { at: day(2), source: PAGE }),
      'a source ends': { given: [undeclared], does: (sql) => endSource(sql, 'list') },
      'a source ends of which a price is held and a list waits': {
        given: [list(2, at(0.002)), whole(3, M), undeclared],
        does: (sql) => endSource(sql, 'list'),
      },
      'a source that is declared does not end': (sql) => endSource(sql, 'list'),
      'what a witness shows is compared': (sql) => settleEvidence(sql, day(2), day(2)),
      'what a witness shows is compared again': {
        given: [(sql) => settleEvidence(sql, day(2), day(2))],
        does: (sql) => settleEvidence(sql, day(2), day(3)),
      },
      'a better witness contradicts a price': {
        given: [
          (sql) => sql`update source set rank = 1 where source = 'witness'`,
          (sql) => sql`update witness_price set price = 0.000003 where provider = 'acme'`,
        ],
        does: (sql) => findContradictions(sql, day(4)),
      },
      'the served prices are measured': (sql) => measureServed(sql, day(2)),
      'cursors get another key': rotateCursorKey,
    }))
})
