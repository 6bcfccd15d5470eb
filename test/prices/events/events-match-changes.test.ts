import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { withDatabase } from '../../support/database.ts'
import { happening, randomWorld } from '../../support/definitions/random-history.ts'

/** The same histories every time; others for so long with PRICETAPE_PROPERTY_SECONDS, or from PRICETAPE_PROPERTY_SEED. */
const { PRICETAPE_PROPERTY_SECONDS, PRICETAPE_PROPERTY_SEED: SEED } = process.env
const isSearch = PRICETAPE_PROPERTY_SECONDS !== undefined
const SECONDS = Number(PRICETAPE_PROPERTY_SECONDS ?? 0)
const FIXED = { seed: 101, numRuns: 12 }
const LEAST_RUNS = 3
/** Histories that failed once, by the seed of their run and their number in it. */
const KEPT = [{ seed: -586_596_271, path: '8' }]
const MOST_SHRINKING_MS = 120_000

type Line = { provider: string; resource: string; dimension: string; unit: string; currency: string }
type Point = { price: string }
type Body = Line & {
  type: string
  previousResource?: string
  previous?: Point
  current?: Point
  lines?: (Line & Point)[]
}

const keyOf = ({ provider, resource, dimension, unit, currency }: Line) =>
  [provider, resource, dimension, unit, currency].join(' ')

/** The price of each line at an instant. What is served under a former name goes on under the listed one. */
async function pricesAt(sql: Sql, at: Instant): Promise<Map<string, string>> {
  const rows = await sql<(Line & Point)[]>`
    select distinct on (p.line_id) l.provider, l.resource, l.dimension, l.unit, l.currency, r.price
    from publication p join price_line l using (line_id) join price_row r using (content_hash)
    where p.published_at <= ${at} and (p.unpublished_at is null or p.unpublished_at > ${at})
      and not exists (select from resource_rename n
                      where (n.source, n.provider, n.old_resource) = (l.source, l.provider, l.resource)
                        and n.at <= ${at} and (n.ended_at is null or n.ended_at > ${at}))
    order by p.line_id, r.recorded_at desc, r.content_hash desc`
  return new Map(rows.map((row) => [keyOf(row), row.price]))
}

async function checkInstant(sql: Sql, at: Instant, renamed: Set<string>): Promise<void> {
  const [before, after] = [await pricesAt(sql, plus(at, -1)), await pricesAt(sql, at)]
  const events = await sql<{ body: string }[]>`select body from event where eligible_at = ${at} order by seq`
  const reported = new Set<string>()
  const resources = new Set<string>()
  for (const event of events.map(({ body }) => JSON.parse(body) as Body)) {
    const { type, provider, resource, previousResource, previous, current } = event
    const key = keyOf(event)
    if (type.startsWith('resource.'))
      for (const name of [resource, previousResource]) resources.add(`${provider} ${name}`)
    if (type.startsWith('resource.added'))
      for (const line of event.lines!) expect(before.get(keyOf({ ...event, ...line }))).toBeUndefined()
    if (!type.startsWith('price.')) continue
    reported.add(key)
    // A row under a former name can be corrected: the line goes on under the listed name.
    if (renamed.has(`${provider} ${resource}`)) continue
    expect([at, type, key, previous?.price, current?.price]).toEqual([at, type, key, before.get(key), after.get(key)])
  }
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [provider, resource] = key.split(' ')
    const isReported = reported.has(key) || resources.has(`${provider} ${resource}`)
    if (before.get(key) !== after.get(key))
      expect([at, key, before.get(key), after.get(key), isReported].at(-1), `${at} ${key}`).toBe(true)
  }
}

/** Each row that a person withdrew as wrong, and each that was restored, has its price.corrected, and nothing else has. */
async function checkCorrections(sql: Sql): Promise<void> {
  const decided = await sql<{ at: Instant; hash: string; action: string }[]>`
    select at, content_hash as hash, case status when 'withdrawn' then 'withdrawn' else 'restored' end as action
    from (select *, lag(status) over (partition by content_hash order by seq) as before from price_status) s
    where status = 'withdrawn' or before = 'withdrawn' order by seq`
  const events = await sql<{ at: Instant; hash: string; action: string }[]>`
    select eligible_at as at, body::jsonb #>> '{corrected,contentHash}' as hash, body::jsonb ->> 'action' as action
    from event where type = 'price.corrected' and body::jsonb ->> 'reason' <> 'listed again by its source' order by seq`
  expect([...events]).toEqual([...decided])
}

async function checkHistory(
  sql: Sql,
  happenings: Parameters<ReturnType<typeof randomWorld>['happen']>[0][],
): Promise<void> {
  const world = randomWorld(sql)
  await world.read()
  for (const one of happenings) await world.happen(one)
  const instants = await sql<{ at: Instant }[]>`
    select published_at as at from publication union select unpublished_at from publication where unpublished_at is not null
    union select eligible_at from event order by 1`
  const renames = await sql<{ name: string }[]>`select provider || ' ' || old_resource as name from resource_rename`
  const renamed = new Set(renames.map(({ name }) => name))
  for (const { at } of instants) await checkInstant(sql, at, renamed)
  await checkCorrections(sql)
}

describe('a served price', () => {
  const history = fc.array(happening, { minLength: 6, maxLength: 20 })

  it.each(KEPT)('is reported as it changes in a history that failed once (seed $seed)', async (kept) => {
    const [happenings] = fc.sample(history, { ...kept, numRuns: 1 })
    await withDatabase((sql) => checkHistory(sql, happenings!))
  })

  it('never changes without its event, and no event reports a change that is none', async () => {
    const began = performance.now()
    let right = 0
    let failed = false
    const isOver = () => isSearch && right >= LEAST_RUNS && performance.now() - began > SECONDS * 1_000
    await fc.assert(
      fc.asyncProperty(history, async (happenings) => {
        // What failed is made smaller without regard to the time.
        if (!failed && isOver()) return
        try {
          await withDatabase((sql) => checkHistory(sql, happenings))
          right++
        } catch (error) {
          failed = true
          throw error
        }
      }),
      {
        ...(isSearch ? { numRuns: Math.max(LEAST_RUNS, SECONDS * 10) } : FIXED),
        interruptAfterTimeLimit: SECONDS * 1_000 + MOST_SHRINKING_MS,
        ...(SEED !== undefined && { seed: Number(SEED) }),
      },
    )
  })
})
