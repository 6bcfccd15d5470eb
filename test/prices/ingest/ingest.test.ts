import { describe, expect, it } from 'vitest'
import { catalogAnswer } from '../../../src/catalog/catalog-answer-store.ts'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { declareSources } from '../../../src/catalog/sources/source-store.ts'
import { withdrawRow } from '../../../src/prices/review/correct-price.ts'
import { differingResources, readingAll } from '../../../src/prices/staging/compare-store.ts'
import { withStagedPrices } from '../../../src/prices/staging/stage-prices.ts'
import { stagedText } from '../../../src/prices/staging/staged-line-rules.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, model, models, observed } from '../observed.ts'
import { eventsOf, priceNow, snapshot } from '../support.ts'

describe('taking a snapshot in', () => {
  const db = testDatabase({ each: true })

  it('publishes first prices, and one price.changed for a price that changed', async () => {
    const [input, output] = model('m-1', 0.000002)
    await snapshot(db.sql, 's1', [input!, output!])
    const report = await snapshot(db.sql, 's1', [{ ...input!, price: '0.0000015' }, output!])
    expect(report).toMatchObject({ changed: 1, unchanged: 1, events: { 'price.changed': 1 } })
    const [event] = await eventsOf(db.sql, 'price.changed')
    expect(event).toMatchObject({
      version: 'price-change.v1',
      type: 'price.changed.acme',
      resource: 'm-1',
      previous: { price: '0.000002' },
      current: { price: '0.0000015' },
    })
    const open = await db.sql`select body from publication where unpublished_at is null`
    expect(open).toHaveLength(3)
  })

  it('records nothing when only the order, the locator or the notation differs', async () => {
    const lines = [...models(6, { provider: 'calm' })]
    await snapshot(db.sql, 'calm', lines)
    const shuffled = [...lines].reverse().map((item, i) => ({ ...item, locator: `/${i}` }))
    const report = await snapshot(db.sql, 'calm', shuffled)
    expect(report).toMatchObject({ unchanged: 12, published: 0, events: EMPTY })
    expect(report.at).toBeUndefined()
  })

  it('sends provider.added for a provider of a source that was added later, and no resource.added', async () => {
    await snapshot(db.sql, 'n1', model('first', 0.000001, { provider: 'long-known' }))
    await declareSources(db.sql, [{ ...sourceDeclaration.parse({ source: 'n2', format: 'hand' }), kind: 'prices' }])
    const later = await snapshot(db.sql, 'n2', model('second', 0.000001, { provider: 'later' }))
    expect([later.events, later.suppressed]).toEqual([{ 'provider.added': 1 }, { first_snapshot: 2 }])
  })

  it('keeps the canonical id of a resource that not every line names', async () => {
    const [input, output] = model('half', 0.000001, { provider: 'halves' })
    const read = async () => {
      const [row] = await db.sql<{ id: string | null }[]>`
        select canonical_resource as id from resource where provider = 'halves'`
      return row!.id
    }
    await snapshot(db.sql, 'halves', [{ ...input!, canonicalResource: 'maker/half' }, output!])
    expect(await read()).toBe('maker/half')
    const dearer = { ...output!, price: '0.000005' }
    await snapshot(db.sql, 'halves', [{ ...input!, canonicalResource: 'maker/half' }, dearer])
    expect(await read()).toBe('maker/half')
    const changedAt = async () => (await catalogAnswer(db.sql, 'halves'))!.updatedAt
    const before = await changedAt()
    await snapshot(db.sql, 'halves', [{ ...input!, price: '0.0000011' }, dearer])
    expect(await read()).toBeNull()
    expect(before).toBeDefined()
    expect((await changedAt())! > before!).toBe(true)
  })

  it('sends provider.added and resource.added once, whichever other source prices the resource later', async () => {
    const lines = model('first', 0.000001, { provider: 'newcomer' })
    const report = await snapshot(db.sql, 'n1', lines)
    expect(report.events).toEqual({ 'provider.added': 1, 'resource.added': 1 })
    const second = await snapshot(db.sql, 'n2', lines)
    expect([second.events, second.suppressed]).toEqual([{}, { first_snapshot: 2 }])
    const [added] = await eventsOf(db.sql, 'resource.added', 'newcomer')
    expect(added?.lines).toHaveLength(2)
    const [provider] =
      await db.sql`select status from provider_status where provider = 'newcomer' order by at desc limit 1`
    expect(provider?.status).toBe('active')
  })

  it('keeps the events of a quiet import to itself', async () => {
    const report = await snapshot(db.sql, 'quiet', model('m', 1e-6, { provider: 'hush' }), { quiet: true })
    expect(report).toMatchObject({ published: 2, events: EMPTY })
  })

  it('takes what a newer parser reads in the same snapshot without an event', async () => {
    const more = { provider: 'reread' }
    const input = { snapshotHash: await storeSnapshot(db.sql, { bytes: Buffer.from('reread'), at: day(0) }) }
    await snapshot(db.sql, 'reread', model('m', 0.000001, more), { ...input, parserVersion: 1 })
    const report = await snapshot(db.sql, 'reread', model('m', 0.000002, more), { ...input, parserVersion: 2 })
    expect(report).toMatchObject({ changed: 2, events: EMPTY })
    expect(await priceNow(db.sql, 'm')).toBeDefined()
  })

  it('tells a price that takes effect in an unchanged snapshot', async () => {
    const more = { provider: 'announced' }
    const input = { snapshotHash: await storeSnapshot(db.sql, { bytes: Buffer.from('announced'), at: day(0) }) }
    await snapshot(db.sql, 'announced', model('n', 0.000001, more), input)
    const report = await snapshot(db.sql, 'announced', model('n', 0.000002, more), input)
    expect(report.events).toEqual({ 'price.changed': 2 })
  })

  it('sends price.revised when a money field other than the price changed', async () => {
    const more = { provider: 'revising', category: 'chat' }
    await snapshot(db.sql, 'revising', model('r', 0.000001, more))
    const report = await snapshot(db.sql, 'revising', model('r', 0.000001, { ...more, category: 'agent' }))
    expect(report.events).toEqual({ 'price.revised': 2 })
    const [event] = await eventsOf(db.sql, 'price.revised', 'revising')
    expect(event).toMatchObject({
      revised: ['category'],
      previous: { category: 'chat' },
      current: { category: 'agent' },
    })
  })

  it('sends price.revised when a source begins to state a canonical id, which changes what filters match', async () => {
    const more = { provider: 'learning' }
    await snapshot(db.sql, 'learning', model('l', 0.000001, more))
    const stated = model('l', 0.000001, { ...more, canonicalResource: 'maker/l' })
    const report = await snapshot(db.sql, 'learning', stated)
    expect(report).toMatchObject({ revised: 2, events: { 'price.revised': 2 } })
    expect((await snapshot(db.sql, 'learning', model('l', 0.000001, more))).events).toEqual({ 'price.revised': 2 })
    const named =
      await db.sql`select distinct resources from event where provider = 'learning' and type = 'price.revised'`
    expect([...named]).toEqual([{ resources: ['l', 'maker/l'] }])
  })

  it('makes no event of a field that a newer parser adds to 4,000 rows of the same snapshot', async () => {
    const input = { snapshotHash: await storeSnapshot(db.sql, { bytes: Buffer.from('4,000'), at: day(0) }) }
    const list = (more: object) => Array.from({ length: 2_000 }, (_, n) => model(`m${n}`, 0.00001, more)).flat()
    await snapshot(db.sql, 'parsed', list({}), { ...input, parserVersion: 1 })
    const stated = list({ category: 'chat', effectiveFrom: '2026-01-01' })
    const report = await snapshot(db.sql, 'parsed', stated, { ...input, parserVersion: 2 })
    expect(report).toMatchObject({ revised: 4_000, events: EMPTY })
    expect(await snapshot(db.sql, 'parsed', stated)).toMatchObject({ unchanged: 4_000, events: EMPTY })
  })

  it('never changes a served price without its event: 19.99 to 20 has one, and another spelling changes nothing', async () => {
    const list = (price: string, more: object = {}) =>
      snapshot(db.sql, 'spelled', [observed('s', 'gpu_hours', price, { unit: 'usd_per_gpu_hour', ...more })])
    const served = () => priceNow(db.sql, 's', 'gpu_hours')
    await list('0.30000000000000004')
    for (const price of ['0.3', '0.29999999999999993', '0.30000000000000004']) {
      for (let fetches = 0; fetches < 2; fetches++) {
        const report = await list(price)
        expect(report).toMatchObject({ published: 0, unchanged: 1, events: EMPTY })
        expect(report.at).toBeUndefined()
      }
      expect(await served()).toBe('0.30000000000000004')
    }
    const revised = await list('0.3', { category: 'spot' })
    expect([revised.events, await served()]).toEqual([{ 'price.revised': 1 }, '0.30000000000000004'])
    for (const price of ['0.301', '0.3'])
      expect((await list(price, { category: 'spot' })).events).toEqual({ 'price.changed': 1 })
    const dear = (price: string) =>
      snapshot(db.sql, 'dear', [observed('d', 'gpu_hours', price, { unit: 'usd_per_gpu_hour' })])
    await dear('19.99')
    expect((await dear('20')).events).toEqual({ 'price.changed': 1 })
  })

  it('finds no difference in a list that goes on writing its prices differently', async () => {
    await snapshot(db.sql, 'spells', [observed('t', 'gpu_hours', '1.66667', { unit: 'usd_per_gpu_hour' })])
    const respelled = [observed('t', 'gpu_hours', '1.666666666667', { unit: 'usd_per_gpu_hour' })]
    await snapshot(db.sql, 'spells', respelled)
    await withStagedPrices(
      db.sql,
      'spells',
      async (write) => void (await write([...stagedText(respelled, [])].join(''))),
      async ({ table }) => {
        expect(await readingAll(db.sql, (tx) => differingResources(tx, table, 'spells'))).toEqual([])
      },
    )
  })

  it('tells a new step of a price as a change from the price that applied before', async () => {
    const lines = model('long', 0.000002, { provider: 'steps' })
    await snapshot(db.sql, 'steps', lines)
    const step = observed('long', 'input_tokens', '0.000004', {
      provider: 'steps',
      pricingTier: { context: '>200000' },
    })
    const same = observed('long', 'output_tokens', lines[1]!.price, {
      provider: 'steps',
      pricingTier: { context: '>200000' },
    })
    const report = await snapshot(db.sql, 'steps', [...lines, step, same])
    expect(report.events).toEqual({ 'price.changed': 2 })
    const [beginning, event] = await eventsOf(db.sql, 'price.changed', 'steps')
    expect(beginning).toMatchObject({ dimension: 'output_tokens', current: { price: same.price } })
    expect(event).toMatchObject({ tier: 'introduced', previous: { price: '0.000002' }, current: { price: '0.000004' } })
  })

  it('marks events of a provider that prices in credits', async () => {
    const credits = { provider: 'flake', unit: 'credit_per_token', currency: 'FLAKE_AI_CREDIT' }
    const dollars = (price: number) => snapshot(db.sql, 'dollars', model('d', price, { provider: 'flake' }))
    const snapshotOf = (price: string) => snapshot(db.sql, 'flake', [observed('c', 'input_tokens', price, credits)])
    await dollars(1e-6)
    await snapshotOf('0.5')
    await dollars(2e-6)
    await snapshotOf('0.4')
    const served = await db.sql<{ hash: string }[]>`
      select content_hash as hash from publication where provider = 'flake' and resource = 'c'`
    for (const { hash: contentHash } of served)
      await withdrawRow(db.sql, { contentHash, actor: 'test', reason: 'wrong' })
    await dollars(3e-6)
    const rows = await db.sql`
      select type, credit_priced from event where provider = 'flake' and body not like '%output_tokens%' order by seq`
    expect(rows.map((row) => `${row.type} ${row.credit_priced}`)).toEqual([
      'provider.added false',
      'resource.added true',
      'price.changed true',
      'price.changed true',
      'price.corrected true',
      'price.corrected true',
      'price.changed false',
    ])
  })

  it('plans again when the lines changed under it', async () => {
    const lines = (price: number) => model('raced', price, { provider: 'race' })
    await snapshot(db.sql, 'race', lines(0.000001))
    const reports = await Promise.all([
      snapshot(db.sql, 'race', lines(0.000002)),
      snapshot(db.sql, 'race', lines(0.000002)),
    ])
    expect(reports.map(({ changed }) => changed).sort()).toEqual([0, 2])
  })

  it('records a large first snapshot in several publications, as one report', async () => {
    const lines = models(25, { provider: 'large' })
    const report = await snapshot(db.sql, 'large', lines, {}, 8)
    expect(report).toMatchObject({ lines: 50, published: 50, unchanged: 0, events: { 'resource.added': 25 } })
    const stamps = await db.sql`select distinct published_at from publication where provider = 'large'`
    expect(stamps.length).toBeGreaterThan(2)
    for (const event of await eventsOf(db.sql, 'resource.added', 'large')) expect(event.lines).toHaveLength(2)
    expect(await snapshot(db.sql, 'large', lines)).toMatchObject({ unchanged: 50, events: EMPTY })
  })

  it('refuses to record history out of order', async () => {
    await snapshot(db.sql, 'late', model('l', 1e-6), { at: day(2) })
    await expect(snapshot(db.sql, 'late', model('l', 2e-6), { at: day(1) })).rejects.toThrow('in order')
  })
})
