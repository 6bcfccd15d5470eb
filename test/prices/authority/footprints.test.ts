import { beforeAll, describe, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { settleEvidence } from '../../../src/prices/confirmation/settle-confirmations.ts'
import { findContradictions } from '../../../src/prices/contradicted/find-contradictions.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { type Action, expectFootprints } from '../footprints-of.ts'
import { evidenceOf, LIST, PAGE, WITNESS } from '../holds/evidence-support.ts'
import { day, model, models, observed } from '../observed.ts'
import { snapshot } from '../support.ts'

const SECOND = sourceDeclaration.parse({ source: 'second', format: 'second-format' })
const OWN = sourceDeclaration.parse({
  ...{ source: 'own', format: 'own-format', rank: 'provider', speaksFor: ['acme'], complete: true },
})
const FRESH = sourceDeclaration.parse({ source: 'fresh', format: 'fresh-format' })
const M = model('m', 0.000002)
const KEPT = model('kept', 0.000003)
const REST = models(4)
const ALL = [...M, ...KEPT, ...REST]

const reads =
  (source: typeof LIST) =>
  (n: number, lines: Observation[], rowsAtOnce?: number, quiet?: boolean): Action =>
  (sql) =>
    snapshot(sql, source.source, lines, { at: day(n), source, quiet }, rowsAtOnce)
const [list, second, page, own, fresh] = [reads(LIST), reads(SECOND), reads(PAGE), reads(OWN), reads(FRESH)]
const witness =
  (n: number, lines: Observation[]): Action =>
  (sql) =>
    evidenceOf({ sql }).witness(lines, n)
const fetched =
  (n: number): Action =>
  (sql) =>
    evidenceOf({ sql }).fetched(LIST, n)
const decide =
  (n: number, decision: 'approve' | 'reject'): Action =>
  async (sql) => {
    const [item] = await openReviewItems(sql, 1, { source: 'page' })
    return decideReview(sql, { reviewId: item!.reviewId, decision, actor: 'ada', reason: 'looked at', at: day(n) })
  }

describe('what a reading changes where several sources list the same', () => {
  const db = testDatabase()
  beforeAll(async () => {
    await evidenceOf(db).declare(LIST, SECOND, PAGE, OWN, WITNESS, FRESH)
    await list(1, ALL)(db.sql)
    await second(1.1, [...M, ...model('only', 0.000004), ...models(2, { provider: 'best' })])(db.sql)
    await witness(1.2, [...M, ...KEPT])(db.sql)
    await fetched(1.3)(db.sql)
  })

  it('of the page of the provider', () =>
    expectFootprints(db.sql, 'page', {
      'at the same price': page(2, M),
      'at another price': page(2, model('m', 0.0000021)),
      'at another price, without history': page(2, model('m', 0.0000021), undefined, true),
      'with some of the prices': page(2, M.slice(0, 1)),
      'with a price more': page(2, [...M, observed('m', 'cache_read_tokens', '0.0000002')]),
      'with a new resource': page(2, model('new', 0.000005)),
      'with another spelling': page(2, model('Kept', 0.000003)),
      'with two spellings': page(2, [...model('Kept', 0.000003), ...model('KEPT', 0.000003)]),
      'with a price in doubt': page(2, model('m', 0.002)),
      'with a price in doubt, approved': { given: [page(2, model('m', 0.002))], does: decide(3, 'approve') },
      'with a price in doubt, rejected': { given: [page(2, model('m', 0.002))], does: decide(3, 'reject') },
      'that took it over, and the list': { given: [page(2, M)], does: list(3, ALL) },
      'that took it over, and another price in the list': {
        given: [page(2, M)],
        does: list(3, [...model('m', 0.0000025), ...KEPT, ...REST]),
      },
      'that no longer has it': {
        given: [2, 3, 4].map((n) => page(n, n === 2 ? [...M, ...KEPT, ...REST] : [...KEPT, ...REST])),
        does: page(6, [...KEPT, ...REST]),
      },
      'that no longer has it, and the list': {
        given: [page(2, [...M, ...KEPT]), page(3, KEPT), page(4, KEPT), page(6, KEPT)],
        does: list(6.5, ALL),
      },
      'that was not read for a week, and the list': { given: [page(2, M)], does: list(10, ALL) },
    }))

  it('of the complete list of the provider', () =>
    expectFootprints(db.sql, 'complete', {
      'for the first time': own(2, [...M, ...KEPT]),
      'and then of another list': { given: [own(2, M)], does: list(3, ALL) },
      'without output prices': own(2, [M[0]!, KEPT[0]!]),
    }))

  it('of other lists and witnesses', () =>
    expectFootprints(db.sql, 'others', {
      'at the same price': second(2, [...M, ...model('only', 0.000004), ...models(2, { provider: 'best' })]),
      'at another price': second(2, [
        ...model('m', 0.0000021),
        ...model('only', 0.000004),
        ...models(2, { provider: 'best' }),
      ]),
      'without it': second(2, [...model('only', 0.000004), ...models(2, { provider: 'best' })]),
      'a witness at the same price': witness(2, [...M, ...KEPT]),
      'a witness at another price': witness(2, [...model('m', 0.0000022), ...KEPT]),
      'a witness without it': witness(2, KEPT),
      'a good fetch': fetched(2),
      'a good fetch of a list that says otherwise': {
        given: [list(2, [...model('m', 0.002), ...KEPT, ...REST])],
        does: fetched(3),
      },
      'a good fetch of a list without it': {
        given: [list(2, [...KEPT, ...REST])],
        does: fetched(3),
      },
    }))

  const another = model('m', 0.0000025)
  const disagree: Action[] = [
    second(2, [...another, ...model('only', 0.000004), ...models(2, { provider: 'best' })]),
    witness(2, [...another, ...KEPT]),
    (sql) => sql`update source set last_good_at = ${day(4)}`,
  ]
  const contradicted: Action[] = [...disagree, (sql) => findContradictions(sql, day(4.5))]
  it('of others that contradict a price', () =>
    expectFootprints(db.sql, 'contradicted', {
      'for two days': { given: disagree, does: (sql) => findContradictions(sql, day(4.5)) },
      'for less': { given: disagree, does: (sql) => findContradictions(sql, day(3.9)) },
      'as was found before': { given: contradicted, does: (sql) => findContradictions(sql, day(4.6)) },
      'and are compared': { given: contradicted, does: (sql) => settleEvidence(sql, day(4.6), day(4.6)) },
      'and one of them is read': {
        given: contradicted,
        does: second(5, [...another, ...model('only', 0.000004), ...models(2, { provider: 'best' })]),
      },
      'and the list follows': {
        given: contradicted,
        does: list(5, [...another, ...KEPT, ...REST]),
      },
      'until one no longer shows it': {
        given: [
          ...contradicted,
          second(5, [...model('only', 0.000004), ...models(2, { provider: 'best' })]),
          (sql) => sql`update source set last_good_at = ${day(6)}`,
        ],
        does: (sql) => findContradictions(sql, day(6)),
      },
    }))

  const FIRST = [...models(3, { provider: 'fresh' }), ...model('m', 0.000002, { provider: 'fresh' })]
  it('of a source for the first time', () =>
    expectFootprints(db.sql, 'first', {
      'in one publication': fresh(2, FIRST),
      'in several publications': fresh(2, FIRST, 3),
      'without history': fresh(2, FIRST, undefined, true),
      'with an implausible price': fresh(2, [...FIRST, ...model('dear', 0.4, { provider: 'fresh' })], 3),
      'of what others list': fresh(2, [...FIRST, ...M, ...model('only', 0.000004)]),
    }))
})
