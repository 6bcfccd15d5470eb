import { describe, expect, it } from 'vitest'
import { storeSnapshot } from '../../src/catalog/snapshot-store.ts'
import { withdrawRow } from '../../src/prices/review/correct-price.ts'
import { testDatabase } from '../support/database.ts'
import { EMPTY } from '../support/empty.ts'
import { day, eventsOf, model, models, observed, priceNow, snapshot } from './support.ts'

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

  it('sends provider.added and resource.added once, whichever other source prices the resource later', async () => {
    const lines = model('first', 0.000001, { provider: 'newcomer' })
    const report = await snapshot(db.sql, 'n1', lines)
    expect(report.events).toEqual({ 'provider.added': 1, 'resource.added': 1 })
    expect((await snapshot(db.sql, 'n2', lines)).events).toEqual({})
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

  it('adopts what a newer parser reads in the same snapshot without an event', async () => {
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

  it('learns a canonical id without an event', async () => {
    const more = { provider: 'learning' }
    await snapshot(db.sql, 'learning', model('l', 0.000001, more))
    const report = await snapshot(db.sql, 'learning', model('l', 0.000001, { ...more, canonicalResource: 'maker/l' }))
    expect(report).toMatchObject({ revised: 2, events: EMPTY, suppressed: { detail_learned: 2 } })
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
    expect(report).toMatchObject({ events: { 'price.changed': 1 }, suppressed: { line_first_priced: 1 } })
    const [event] = await eventsOf(db.sql, 'price.changed', 'steps')
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
