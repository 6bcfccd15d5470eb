import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import type { EventRow } from '../../../src/prices/events/change-schema.ts'
import { addedEvent } from '../../../src/prices/events/payload-rules.ts'
import { publicationBody } from '../../../src/prices/history/history-rules.ts'
import { contentHash } from '../../../src/prices/row-rules.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { dropDeadStagings, type StagedSnapshot, withStagedPrices } from '../../../src/prices/staging/stage-prices.ts'
import { stagedText } from '../../../src/prices/staging/staged-line-rules.ts'
import { copyIntoStaging, registerStaging } from '../../../src/prices/staging/staging-store.ts'
import { testDatabase } from '../../support/database.ts'
import { model, models, observed } from '../observed.ts'
import { eventsOf, snapshot } from '../support.ts'

const tables = async (sql: Sql): Promise<string[]> =>
  (await sql<{ name: string }[]>`select tablename as name from pg_tables where tablename like 'staged\\_%'`).map(
    ({ name }) => name,
  )

describe('the staging table of a check', () => {
  const db = testDatabase({ each: true })
  const write = (observations: Observation[]) => async (to: (part: string) => unknown) => {
    for (const part of stagedText(observations, [])) await to(part)
  }

  it('is gone when the check is done, and when it fails', async () => {
    const lines = model('m', 1e-6)
    const staged = withStagedPrices(db.sql, 's', write(lines), async ({ table }) => {
      expect(await tables(db.sql)).toEqual([table])
      throw new Error('the check failed')
    })
    await expect(staged).rejects.toThrow('the check failed')
    expect(await tables(db.sql)).toEqual([])
    expect(await db.sql`select from staging`).toHaveLength(0)
  })

  it('leaves no statement prepared that names it', async () => {
    const one = connect(db.url, { max: 1 })
    const lines = [...models(8), ...model('m', 1e-6)]
    await snapshot(one, 'list', lines)
    await snapshot(one, 'list', [...models(8), ...model('m', 1.1e-6), ...model('n', 1e-6)])
    // Another source shows the same resources, and takes one of them over.
    await snapshot(one, 'another', model('m', 1.2e-6))
    const source = sourceDeclaration.parse({ source: 'own', format: 'hand', rank: 'provider', speaksFor: ['acme'] })
    await snapshot(one, 'own', model('n', 1.2e-6), { source })
    const prepared = await one<{ statement: string }[]>`select statement from pg_prepared_statements`
    await one.end()
    expect(prepared.length).toBeGreaterThan(50)
    expect(prepared.filter(({ statement }) => statement.includes('staged_'))).toEqual([])
  })

  it('has nothing when the list ends in the middle, or holds what is not a line, and the connection goes on', async () => {
    const fail = async (to: (part: string) => unknown) => {
      await write(model('m', 1e-6))(to)
      throw new Error('the list ended early')
    }
    const work = async () => 'compared'
    await expect(withStagedPrices(db.sql, 's', fail, work)).rejects.toThrow('the list ended early')
    const malformed = async (to: (part: string) => unknown) => void (await to('not\ta\tline\n'))
    await expect(withStagedPrices(db.sql, 's', malformed, work)).rejects.toThrow(/transaction is aborted/)
    expect(await tables(db.sql)).toEqual([])
    expect(await withStagedPrices(db.sql, 's', write(model('m', 1e-6)), work)).toBe('compared')
  })

  it('of a process that was killed during the copy has no lines; what it left is dropped by the next check', async () => {
    const name = await registerStaging(db.sql, 's')
    const process = connect(db.url, { max: 1 })
    const killed = copyIntoStaging(process, name, async (to) => {
      for (const part of stagedText(model('m', 1e-6), [])) await to(part)
      await process.end({ timeout: 0 })
      for (let n = 0; n < 100; n++) await to('x'.repeat(100_000))
    })
    await expect(killed).rejects.toThrow()
    expect(await tables(db.sql)).toEqual([name])
    expect(await db.sql`select from ${db.sql(name)}`).toHaveLength(0)
    await dropDeadStagings(db.sql, 'another')
    expect(await tables(db.sql)).toEqual([name])
    await dropDeadStagings(db.sql, 's')
    expect(await tables(db.sql)).toEqual([])
    expect(await db.sql`select from staging`).toHaveLength(0)
  })

  it('keeps of several prices of one line that of the lowest rank, and counts the others', async () => {
    const line = (price: string, rank: string | undefined) =>
      [
        rank ?? '\\N',
        'acme',
        'm',
        'input_tokens',
        'usd_per_token',
        'USD',
        '{}',
        price,
        ...Array(5).fill('\\N'),
        `/${price}`,
      ].join('\t')
    const text = [line('3', 'b'), line('2', 'a'), line('2', 'c'), line('2', 'a'), line('1', undefined)].join('\n')
    const found = await withStagedPrices(
      db.sql,
      's',
      async (to) => void (await to(`${text}\n`)),
      async (staged: StagedSnapshot) => {
        const [kept] = await db.sql`select price from ${db.sql(staged.table)}`
        return { kept: kept?.price, ...staged.duplicates }
      },
    )
    expect(found).toEqual({
      kept: '2',
      same: { same: true, count: 2, example: 'm input_tokens at /2' },
      other: { same: false, count: 2, example: 'm input_tokens: 2, then 3 at /3' },
    })
  })
})

describe('a first list', () => {
  const db = testDatabase({ each: true })
  const odd = [
    observed('tab\u2028and "quotes" \\ é👍', 'input_tokens', '0.000001', {
      category: 'a\tb',
      canonicalResource: 'maker/"x"\\',
      effectiveFrom: '2026-01-01',
      billingCondition: 'línea\n2',
      pricingTier: { region: 'ü "1"', service: 'batch' },
      locator: '/a\\b',
    }),
    ...model('plain', 2e-6),
  ]

  it('has the hashes and texts that rows have which are published one by one', async () => {
    await snapshot(db.sql, 'first', odd)
    const rows = await db.sql`
      select l.*, r.*, p.body, p.published_at from price_line l join price_row r using (line_id)
      join publication p using (content_hash) join price_status s using (content_hash) where s.status = 'auto_approved'`
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      const {
        provider,
        resource,
        dimension,
        unit,
        currency,
        pricing_tier: pricingTier,
        price,
        recorded_at: recordedAt,
      } = row
      const line = { provider, resource, dimension, unit, currency, pricingTier }
      const given = (value: string | null) => value ?? undefined
      const money = {
        price,
        effectiveFrom: given(row.effective_from),
        canonicalResource: given(row.canonical_resource),
        category: given(row.category),
        billingCondition: given(row.billing_condition),
      }
      expect(row.content_hash).toBe(contentHash('first', line, money, recordedAt))
      const published = { ...line, ...money, source: 'first', recordedAt, contentHash: row.content_hash }
      expect(row.body).toBe(publicationBody({ ...published, approvalStatus: 'auto_approved' }))
      expect(row.body).toSatisfy((body: string) => JSON.parse(body).resource === resource)
    }
    expect(await snapshot(db.sql, 'first', odd)).toMatchObject({ unchanged: 3, published: 0 })
  })

  it('has the events that resources have which are published one by one', async () => {
    await snapshot(db.sql, 'first', odd)
    const recorded = await db.sql`
      select event_id as id, resources, members, credit_priced as "creditPriced", body, matched_at
      from event where type = 'resource.added' order by seq`
    expect(recorded.map(({ members }) => members)).toEqual([[odd[0]!.resource], ['plain']])
    for (const { id, body, ...event } of recorded) {
      const rows = await db.sql<EventRow[]>`
        select provider, resource, dimension, unit, currency, pricing_tier as "pricingTier", r.price,
               r.recorded_at as "recordedAt", r.content_hash as "contentHash", r.canonical_resource as "canonicalResource"
        from price_line l join price_row r using (line_id) where resource = ${event.members[0]} order by line_id`
      const facts = {
        source: 'first',
        isFirstSnapshot: true,
        startsQuietly: false,
        creditPriced: new Set<string>(),
        reads: new Map(),
      }
      const { payload, type, provider, ...audience } = addedEvent({ kind: 'resourceAdded', rows: [...rows] }, facts)
      expect(event).toEqual({ ...audience, matched_at: null })
      const { createdAt } = JSON.parse(body)
      expect(createdAt).toBe(rows[0]!.recordedAt)
      const envelope = {
        version: 'resource-added.v1',
        type: `${type}.${provider}`,
        id,
        createdAt,
        eligibleAt: createdAt,
      }
      expect(body).toBe(JSON.stringify({ ...envelope, provider, ...payload }))
    }
  })

  it('goes on after it was interrupted: each resource is whole and published once', async () => {
    const lines = Array.from({ length: 9 }, (_, n) => model(`m${n}`, (n + 1) / 1e6)).flat()
    await db.sql`
      create function fail() returns trigger language plpgsql as
        $$ begin if new.resource = 'm6' then raise 'out of power'; end if; return new; end $$`
    await db.sql`create trigger fail before insert on publication for each row execute function fail()`
    await expect(snapshot(db.sql, 'cut', lines, {}, 4)).rejects.toThrow('out of power')
    const [before] = await db.sql<{ count: number }[]>`select count(*)::int from publication`
    expect([4, 8, 12]).toContain(before!.count)
    await db.sql`drop trigger fail on publication`
    const rest = { published: 18 - before!.count, unchanged: before!.count }
    expect(await snapshot(db.sql, 'cut', lines, {}, 4)).toMatchObject(rest)
    expect(await eventsOf(db.sql, 'resource.added')).toHaveLength(9)
    const [after] =
      await db.sql`select count(*)::int as rows, count(distinct resource)::int as resources from publication`
    expect(after).toEqual({ rows: 18, resources: 9 })
  })

  it('holds a resource with an implausible price, and publishes the others', async () => {
    const lines = [...model('fine', 1e-6), ...model('wild', 5)]
    expect(await snapshot(db.sql, 'wild', lines)).toMatchObject({ published: 2, held: { implausible_price: 2 } })
    expect(await eventsOf(db.sql, 'resource.added')).toHaveLength(1)
  })
})

describe('what a line says, as a number', () => {
  const db = testDatabase({ each: true })
  const contents = async () =>
    db.sql<{ noted: string | null; now: string }[]>`
      select l.content as noted, line_content(l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier,
             r.price, r.effective_from, r.canonical_resource, r.category, r.billing_condition) as now
      from price_line l join price_row r on r.content_hash = l.current_hash order by l.line_id`
  const list = (price: number) => [...model('m', price), ...model('other', 3e-6)]

  it('is noted with each row that is published: in a first load, as a change, and of a resource that comes later', async () => {
    await snapshot(db.sql, 's', list(1e-6))
    await snapshot(db.sql, 's', [...list(1.1e-6), ...model('later', 2e-6)])
    const rows = await contents()
    expect(rows).toHaveLength(6)
    for (const { noted, now } of rows) expect(noted).toBe(now)
    expect(new Set(rows.map(({ noted }) => noted)).size).toBe(6)
  })

  it('follows a row that a process of an older version publishes, which knows nothing of it', async () => {
    await snapshot(db.sql, 's', list(1e-6))
    const [before] = await contents()
    await db.sql`update price_line set current_hash = null, content = null where resource = 'm'`
    await db.sql`
      update price_line l set current_hash = r.content_hash from price_row r where r.line_id = l.line_id and l.resource = 'm'`
    expect((await contents())[0]).toEqual(before)
  })

  it('is noted by the next check where a first load of an older version left none', async () => {
    await snapshot(db.sql, 's', list(1e-6))
    await db.sql`update price_line set content = null`
    expect(await snapshot(db.sql, 's', list(1e-6))).toMatchObject({ unchanged: 4, published: 0 })
    for (const { noted, now } of await contents()) expect(noted).toBe(now)
  })

  it('differs for each detail, and not for how a price is written', async () => {
    const line = (changed: Record<string, string | null> = {}) => {
      const { price = '1.5', effectiveFrom = null, canonical = 'c', category = 'd', condition = null } = changed
      return db.sql`line_content('p', 'r', 'x', 'u', 'USD', '{}', ${price}::numeric, ${effectiveFrom}, ${canonical},
        ${category}, ${condition})`
    }
    const [row] = await db.sql`
      select ${line()} = ${line({ price: '1.50' })} as alike, array[${line()}, ${line({ price: '1.51' })},
        ${line({ effectiveFrom: 'e' })}, ${line({ canonical: 'd' })}, ${line({ canonical: null })},
        ${line({ category: 'c' })}, ${line({ condition: 'e' })}] as contents`
    expect(row?.alike).toBe(true)
    expect(new Set(row?.contents).size).toBe(7)
  })
})
