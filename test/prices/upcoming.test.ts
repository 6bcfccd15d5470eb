import { describe, expect, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { priceAnnouncedEvent } from '../../src/events/payloads/price-announced.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { confirmPrices } from '../../src/prices/ingest/confirm-prices.ts'
import { endSource } from '../../src/prices/publish/end-source.ts'
import type { AnnouncedPrice, Observation } from '../../src/prices/schema.ts'
import { upcomingAt } from '../../src/prices/upcoming/upcoming-store.ts'
import { testDatabase } from '../support/database.ts'
import { EMPTY } from '../support/empty.ts'
import { addProviders, addWebhook, addWorkspace, matchAll, record } from '../support/webhooks/subscriptions.ts'
import { day, model, models, observed } from './observed.ts'
import { eventsOf, priceNow, snapshot } from './support.ts'

const LIST = sourceDeclaration.parse({ source: 'list', format: 'hand' })
const PAGE = sourceDeclaration.parse({ source: 'page', format: 'hand', rank: 'provider', speaksFor: ['acme'] })

/** An announced input price of a model, from a day of 2026 on. */
const announced = (resource: string, price: string, from: number, more: Partial<Observation> = {}): AnnouncedPrice => ({
  observation: observed(resource, 'input_tokens', price, { effectiveFrom: day(from).slice(0, 10), ...more }),
  from: day(from),
})

describe('an announced price', () => {
  const db = testDatabase({ each: true })
  const take = (source: typeof PAGE) => (lines: Observation[], ahead: AnnouncedPrice[], n: number) => {
    const providers = [...new Set(lines.map(({ provider }) => provider))].map((provider) => ({
      provider,
      name: provider,
    }))
    const parsed = { providers, observations: lines, ignored: [], announced: ahead }
    return snapshot(db.sql, source.source, lines, { source, parsed, at: day(n) })
  }
  const page = take(PAGE)
  const list = take(LIST)
  const events = () => eventsOf(db.sql, 'price.announced')
  const open = async () => {
    const rows = await db.sql<{ line: string }[]>`
      select concat_ws(' ', source, resource, dimension, price, effective_from) as line
      from upcoming_price where ended_at is null order by 1`
    return rows.map(({ line }) => line)
  }
  const ended = async () =>
    (
      await db.sql<{ line: string }[]>`
        select price || ' ' || ended_because as line from upcoming_price where ended_at is not null order by upcoming_id`
    ).map(({ line }) => line)
  const shownAt = async (at: Instant) =>
    (await upcomingAt(db.sql, at, [{ provider: 'acme', resource: 'm' }])).map(({ price }) => price)

  const M = model('m', 0.000001)
  const risen = [observed('m', 'input_tokens', '0.0000015'), M[1]!]

  it('is sent with the price in force, is the price from its day on, and has begun then', async () => {
    await page(M, [], 1)
    const report = await page(M, [announced('m', '0.0000015', 20)], 2)
    expect(report).toMatchObject({ published: 0, events: { 'price.announced': 1 } })
    const [event] = await events()
    expect(event).toMatchObject({
      version: 'price-announced.v1',
      type: 'price.announced.acme',
      source: 'page',
      resource: 'm',
      dimension: 'input_tokens',
      action: 'announced',
      current: { price: '0.000001' },
      announced: { price: '0.0000015', effectiveFrom: '2026-01-21' },
    })
    expect(event!.pricingTier).toEqual({})
    expect(event).not.toHaveProperty('replaces')
    expect(await priceNow(db.sql, 'm')).toBe('0.000001')
    const begun = await page(risen, [], 20)
    expect(begun.events).toEqual({ 'price.changed': 1 })
    expect(await eventsOf(db.sql, 'price.changed')).toMatchObject([
      { previous: { price: '0.000001' }, current: { price: '0.0000015' }, eligibleAt: day(20) },
    ])
    expect([await open(), await ended()]).toEqual([[], ['0.0000015 begun']])
  })

  it('is sent once, however often the page repeats it, and counts the good fetches', async () => {
    await page(M, [], 1)
    for (const n of [2, 3, 4]) await page(M, [announced('m', '0.0000015', 20)], n)
    await confirmPrices(db.sql, 'page', day(5))
    expect(await events()).toHaveLength(1)
    const [row] = await db.sql`select fetches, first_seen_at as "first", last_seen_at as "last" from upcoming_price`
    expect(row).toEqual({ fetches: 4, first: day(2), last: day(5) })
  })

  it('is changed when the page states another price or another day, and withdrawn when it states none', async () => {
    await page(M, [], 1)
    await page(M, [announced('m', '0.0000015', 20)], 2)
    await page(M, [announced('m', '0.000002', 20)], 3)
    await page(M, [announced('m', '0.000002', 30)], 4)
    await page(M, [], 5)
    const sent = (await events()).map(({ action, announced, replaces }) => ({ action, announced, replaces }))
    expect(sent).toEqual([
      { action: 'announced', announced: { price: '0.0000015', effectiveFrom: '2026-01-21' }, replaces: undefined },
      {
        action: 'changed',
        announced: { price: '0.000002', effectiveFrom: '2026-01-21' },
        replaces: { price: '0.0000015', effectiveFrom: '2026-01-21' },
      },
      {
        action: 'changed',
        announced: { price: '0.000002', effectiveFrom: '2026-01-31' },
        replaces: { price: '0.000002', effectiveFrom: '2026-01-21' },
      },
      { action: 'withdrawn', announced: undefined, replaces: { price: '0.000002', effectiveFrom: '2026-01-31' } },
    ])
    expect(await ended()).toEqual(['0.0000015 changed', '0.000002 changed', '0.000002 withdrawn'])
  })

  it('is read as of an instant as it was announced then, whatever was announced later', async () => {
    await page(M, [], 1)
    await page(M, [announced('m', '0.0000015', 20)], 2)
    const before = [await shownAt(day(1)), await shownAt(day(2)), await shownAt(day(3))]
    await page(M, [announced('m', '0.000002', 20)], 4)
    await page(M, [], 6)
    expect([await shownAt(day(1)), await shownAt(day(2)), await shownAt(day(3))]).toEqual(before)
    expect(before).toEqual([[], ['0.0000015'], ['0.0000015']])
    expect([await shownAt(day(4)), await shownAt(day(6))]).toEqual([['0.000002'], []])
  })

  it('is not shown from its day on, also where the page could not be read then', async () => {
    await page(M, [announced('m', '0.0000015', 20)], 1)
    expect([await shownAt(day(19)), await shownAt(day(20))]).toEqual([['0.0000015'], []])
  })

  it('is withdrawn when its day has come and the page states the old price', async () => {
    await page(M, [], 1)
    await page(M, [announced('m', '0.0000015', 20)], 2)
    await page(M, [], 20)
    expect((await events()).map(({ action }) => action)).toEqual(['announced', 'withdrawn'])
    expect(await priceNow(db.sql, 'm')).toBe('0.000001')
  })

  it('is the next one of several, and the one after it is sent when that has begun', async () => {
    await page(M, [], 1)
    const later = announced('m', '0.000002', 40)
    await page(M, [later, announced('m', '0.0000015', 20)], 2)
    expect(await open()).toEqual(['page m input_tokens 0.0000015 2026-01-21'])
    await page(risen, [later], 20)
    expect((await events()).map(({ action, announced }) => [action, announced])).toEqual([
      ['announced', { price: '0.0000015', effectiveFrom: '2026-01-21' }],
      ['announced', { price: '0.000002', effectiveFrom: '2026-02-10' }],
    ])
  })

  it('has no event in the first snapshot of its source, and is kept and shown all the same', async () => {
    const report = await page(M, [announced('m', '0.0000015', 20)], 1)
    expect(report.events).toEqual({ 'provider.added': 1, 'resource.added': 1 })
    expect(report.suppressed).toEqual({ first_snapshot: 1 })
    expect(await open()).toEqual(['page m input_tokens 0.0000015 2026-01-21'])
  })

  it('of a line without a price has none in force', async () => {
    await page(M, [], 1)
    const cached = observed('m', 'cache_read_tokens', '0.0000001', { effectiveFrom: '2026-01-21' })
    await page(M, [{ observation: cached, from: day(20) }], 2)
    const [event] = await events()
    expect(event).toMatchObject({ dimension: 'cache_read_tokens', announced: { price: '0.0000001' } })
    expect(event).not.toHaveProperty('current')
  })

  it('outlives a newer parser that reads the snapshot from before its day, and is not held on it', async () => {
    const before = [...M, ...models(10)]
    const ahead = [announced('m', '0.0000035', 20)]
    const read = (parserVersion: number, n: number, lines: Observation[], prices: AnnouncedPrice[], hash: string) => {
      const parsed = {
        providers: [{ provider: 'acme', name: 'acme' }],
        observations: lines,
        ignored: [],
        announced: prices,
      }
      return snapshot(db.sql, 'page', lines, { source: PAGE, parsed, at: day(n), parserVersion, snapshotHash: hash })
    }
    const bytes = await storeSnapshot(db.sql, { bytes: Buffer.from('page'), at: day(1) })
    for (const n of [1, 17, 18]) await read(1, n, before, n === 1 ? [] : ahead, bytes)
    expect((await read(2, 20, before, ahead, bytes)).events).toEqual(EMPTY)
    expect(await open()).toEqual(['page m input_tokens 0.0000035 2026-01-21'])
    const output = observed('m', 'output_tokens', '0.000004')
    const report = await read(2, 20.1, [observed('m', 'input_tokens', '0.0000035'), output, ...models(10)], [], bytes)
    expect(report).toMatchObject({ held: EMPTY, events: { 'price.changed': 1 } })
    expect(await ended()).toEqual(['0.0000035 begun'])
  })

  it('is announced by the source that decides alone', async () => {
    await list(M, [announced('m', '0.000009', 20)], 1)
    await page(M, [], 2)
    await list(M, [announced('m', '0.000003', 20)], 3)
    expect(await open()).toEqual([])
    expect(await events()).toMatchObject([{ source: 'list', action: 'withdrawn' }])
    await page(M, [announced('m', '0.0000015', 20)], 4)
    expect(await open()).toEqual(['page m input_tokens 0.0000015 2026-01-21'])
  })

  it('that another source takes over as it is has no event, and with another price one', async () => {
    const N = model('n', 0.000001)
    await list([...M, ...N], [], 1)
    await list([...M, ...N], [announced('m', '0.0000015', 20), announced('n', '0.0000015', 20)], 2)
    await page([...M, ...N], [announced('m', '0.0000015', 20), announced('n', '0.000002', 20)], 3)
    expect((await events()).map(({ source, action, resource }) => `${source} ${action} ${resource}`)).toEqual([
      'list announced m',
      'list announced n',
      'page changed n',
    ])
    expect(await ended()).toEqual(['0.0000015 taken_over', '0.0000015 changed'])
    expect(await open()).toEqual([
      'page m input_tokens 0.0000015 2026-01-21',
      'page n input_tokens 0.000002 2026-01-21',
    ])
  })

  it('is kept under the name that is served, where its source spells it otherwise and means one alone', async () => {
    await list(M, [], 1)
    await page(
      [...model('M', 0.000001), ...model('Two', 0.000003), ...model('TWO', 0.000003)],
      [announced('M', '0.0000015', 20), announced('two', '0.0000035', 20)],
      2,
    )
    expect(await open()).toEqual(['page m input_tokens 0.0000015 2026-01-21'])
  })

  it('ends with its source', async () => {
    await page(M, [announced('m', '0.0000015', 20)], 1)
    await db.sql`update source set declared = false where source = 'page'`
    await endSource(db.sql, 'page')
    expect(await open()).toEqual([])
    expect(await events()).toMatchObject([{ action: 'withdrawn', replaces: { price: '0.0000015' } }])
  })

  it.each([
    ['a thousand times higher', '0.001'],
    ['ten times lower', '0.0000001'],
    ['zero', '0'],
    ['above its output price by far', '0.00001'],
  ])('is not announced when it is %s', async (_, price) => {
    await page([...M, ...models(10)], [], 1)
    const report = await page([...M, ...models(10)], [announced('m', price, 20)], 2)
    expect(report.suppressed).toEqual({ announced_implausible: 1 })
    expect([await open(), await events()]).toEqual([[], []])
  })

  it('is announced for two years at most, and never for two prices at once', async () => {
    await page(M, [], 1)
    const far = await page(M, [announced('m', '0.0000015', 2 + 733)], 2)
    expect(far.suppressed).toEqual({ announced_too_far_ahead: 1 })
    const twice = await page(M, [announced('m', '0.0000015', 20), announced('m', '0.000002', 20)], 3)
    expect(twice.suppressed).toEqual({ announced_twice: 2 })
    expect(await events()).toEqual([])
    expect((await page(M, [announced('m', '0.0000015', 2 + 732)], 4)).events).toEqual({ 'price.announced': 1 })
  })

  it('that is the price in force is not an announcement', async () => {
    await page(M, [], 1)
    expect((await page(M, [announced('m', '0.000001', 20)], 2)).events).toEqual(EMPTY)
    expect(await open()).toEqual([])
  })

  describe('that is five times higher', () => {
    const higher = (resource = 'm') => [
      observed(resource, 'input_tokens', '0.0000035'),
      observed(resource, 'output_tokens', '0.000014'),
    ]
    const ahead = higher().map((observation) => ({ observation, from: day(20) }))

    it('is published on its day when it was announced a day before, in three good fetches with that of the day', async () => {
      await page([...M, ...models(10)], [], 1)
      for (const n of [18, 18.5]) await page([...M, ...models(10)], ahead, n)
      const report = await page([...higher(), ...models(10)], [], 20)
      expect(report).toMatchObject({ held: EMPTY, events: { 'price.changed': 2 } })
      const [status] = await db.sql`
        select s.reason from price_status s join price_row r using (content_hash) where r.price = 0.0000035`
      expect(status).toEqual({ reason: `large_change; listed in 3 fetches since ${day(18)}` })
    })

    it.each([
      ['it is announced for less than a day', [19.25, 19.5]],
      ['fewer good fetches showed it', [18]],
    ])('is held when %s', async (_, days) => {
      await page([...M, ...models(10)], [], 1)
      for (const n of days) await page([...M, ...models(10)], ahead, n)
      expect((await page([...higher(), ...models(10)], [], 20)).held).toEqual({ large_change: 2 })
    })

    it('is held when it comes before its day', async () => {
      await page([...M, ...models(10)], [], 1)
      for (const n of [16, 17, 18]) await page([...M, ...models(10)], ahead, n)
      expect((await page([...higher(), ...models(10)], [], 19)).held).toEqual({ large_change: 2 })
    })
  })
})

describe('an announcement and the webhooks that name it', () => {
  const db = testDatabase()

  it('is received with its filters and groups, and never by * alone', async () => {
    await addProviders(db.sql, ['acme', 'credited'], ['credited'])
    const { id: group } = await saveGroup(db.sql, {
      name: 'G',
      members: [{ provider: 'acme', resource: 'm' }],
      actor: 'ada',
    })
    const workspace = await addWorkspace(db.sql)
    const named = { eventTypes: ['price.announced' as const] }
    const hooks = {
      usual: await addWebhook(db.sql, workspace),
      wants: await addWebhook(db.sql, workspace, named),
      filtered: await addWebhook(db.sql, workspace, {
        ...named,
        filters: { acme: { resources: ['n'], documents: [] } },
      }),
      grouped: await addWebhook(db.sql, workspace, { ...named, aliases: [group] }),
      credited: await addWebhook(db.sql, workspace, { ...named, providers: ['credited'] }),
    }
    const line = { dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD', pricingTier: {} }
    const said = { ...line, action: 'announced' as const, announced: { price: '0.1', effectiveFrom: '2027-01-01' } }
    await record(
      db.sql,
      priceAnnouncedEvent('acme', false, { source: 'page', resource: 'm', ...said }),
      priceAnnouncedEvent('acme', false, { source: 'page', resource: 'n', ...said }),
      priceAnnouncedEvent('credited', true, { source: 'page', resource: 'c', ...said }),
    )
    await matchAll(db.sql)
    const rows = await db.sql<{ webhook: string; resource: string; alias: { name: string } | null }[]>`
      select d.webhook_id as webhook, e.body::jsonb ->> 'resource' as resource, d.alias::jsonb as alias
      from delivery d join event e using (event_id) order by e.seq`
    const sent = (hook: string) => rows.filter(({ webhook }) => webhook === hook).map(({ resource }) => resource)
    expect(Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, sent(hook)]))).toEqual({
      usual: [],
      wants: ['m', 'n'],
      filtered: ['n'],
      grouped: ['m'],
      credited: ['c'],
    })
    expect(rows.find(({ webhook }) => webhook === hooks.grouped)?.alias?.name).toBe('G')
  })
})
