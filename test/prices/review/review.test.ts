import { beforeEach, describe, expect, it } from 'vitest'
import { findGroup } from '../../../src/aliases/list-groups.ts'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { HOUR, plus } from '../../../src/lib/instant.ts'
import { readPublishedPrices } from '../../../src/prices/replay/read-published-prices.ts'
import { restoreRow, withdrawRow } from '../../../src/prices/review/correct-price.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import { openReviewItems, recordVerdicts } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, model, models, observed } from '../observed.ts'
import { eventsOf, priceNow, snapshot } from '../support.ts'

const who = { actor: 'ada', reason: 'seen on the price page' }

describe('a review', () => {
  const db = testDatabase({ each: true })
  let n = 0
  beforeEach(() => {
    n = 0
  })
  /** A held jump of one resource of a provider of its own, from 2 to 20 per million. */
  async function heldJump(provider: string) {
    const rest = models(8, { provider })
    await snapshot(db.sql, provider, [...rest, ...model('r', 0.000002, { provider })], { at: day(n++) })
    await snapshot(db.sql, provider, [...rest, ...model('r', 0.00002, { provider })], { at: day(n++) })
    const item = (await openReviewItems(db.sql)).find((open) => open.provider === provider)!
    const again = (price = 0.00002) =>
      snapshot(db.sql, provider, [...rest, ...model('r', price, { provider })], { at: day(n++) })
    const price = async () => {
      const [row] = await db.sql`
        select r.price from price_line l join price_row r on r.content_hash = l.current_hash
        where l.provider = ${provider} and l.resource = 'r' and l.dimension = 'input_tokens'`
      return row?.price
    }
    return { item, again, price }
  }

  it('that approves publishes the held rows and tells the change', async () => {
    const { item, again, price } = await heldJump('approved')
    const learned = async () => (await readPublishedPrices(db.sql)).some(({ price }) => Number(price) === 0.00002)
    expect(await learned()).toBe(false)
    const outcome = await decideReview(db.sql, { reviewId: item.reviewId, decision: 'approve', ...who, at: day(n++) })
    expect(outcome).toEqual({ kind: 'price', rows: 2, events: { 'price.changed': 2 } })
    expect(await price()).toBe('0.00002')
    // Limits of prices are learned from what is published, so not from what is held.
    expect(await learned()).toBe(true)
    expect((await again()).unchanged).toBe(18)
    const [status] = await db.sql`select status, actor, reason from price_status where actor is not null limit 1`
    expect(status).toEqual({ status: 'approved', ...who })
    const [open] =
      await db.sql`select body from publication where provider = 'approved' and body like '%approvalStatus":"approved"%' limit 1`
    expect(JSON.parse(open?.body).approvalStatus).toBe('approved')
  })

  it('that approves a price which is withdrawn later: the event says since when it was served, not recorded', async () => {
    const { item } = await heldJump('served')
    await decideReview(db.sql, { reviewId: item.reviewId, decision: 'approve', ...who, at: day(2) })
    const [row] = await db.sql`
      select current_hash as hash from price_line where resource = 'r' and dimension = 'input_tokens'`
    await withdrawRow(db.sql, { contentHash: row?.hash, ...who, at: day(3) })
    const [event] = await eventsOf(db.sql, 'price.corrected', 'served')
    expect(event).toMatchObject({ action: 'withdrawn', affected: { from: day(2), to: day(3) } })
  })

  it('that rejects sticks until the source says another price', async () => {
    const { item, again, price } = await heldJump('rejected')
    await decideReview(db.sql, { reviewId: item.reviewId, decision: 'reject', ...who, at: day(n++) })
    const [decided] = await db.sql`select decision from review where review_id = ${item.reviewId}`
    expect(decided).toEqual({ decision: 'rejected' })
    expect(await again()).toMatchObject({ held: EMPTY, events: EMPTY })
    expect(await price()).toBe('0.000002')
    expect((await again(0.0000025)).events).toEqual({ 'price.changed': 2 })
    expect((await again()).held).not.toEqual({})
  })

  it('that rejects refuses its own price, and none that the source replaced before someone decided', async () => {
    const { again } = await heldJump('replaced')
    await again(0.002)
    const [item] = await openReviewItems(db.sql)
    await decideReview(db.sql, { reviewId: item!.reviewId, decision: 'reject', ...who, at: day(n++) })
    expect((await again(0.00002)).held).not.toEqual({})
    expect(await openReviewItems(db.sql)).toHaveLength(1)
  })

  it('shows the doubts that its prices have now, also where they were judged again', async () => {
    const { item } = await heldJump('doubted')
    expect(item.reasons).not.toContain('unlike_other_sellers')
    await db.sql.begin((tx) =>
      recordVerdicts(
        tx,
        item.rows.map((contentHash) => ({ contentHash, reasons: ['unlike_other_sellers', 'large_change'] })),
        ['unlike_other_sellers'],
      ),
    )
    expect((await openReviewItems(db.sql))[0]?.reasons).toEqual(['unlike_other_sellers', 'large_change'])
  })

  it('that edits publishes the price of the person, whatever the source goes on saying', async () => {
    const { item, again, price } = await heldJump('edited')
    const [first] = item.rows
    const edits = [{ contentHash: first!, price: '0.0000033' }]
    const outcome = await decideReview(db.sql, {
      reviewId: item.reviewId,
      decision: 'edit',
      edits,
      ...who,
      at: day(n++),
    })
    expect(outcome.events).toEqual({ 'price.changed': 2 })
    expect((await again()).events).toEqual({})
    const prices =
      await db.sql`select r.price from price_line l join price_row r on r.content_hash = l.current_hash where l.provider = 'edited' and l.resource = 'r'`
    expect(prices.map((row) => row.price)).toContain('0.0000033')
    expect(await price()).toBeDefined()
  })

  it.each([
    [
      'an unknown item',
      { reviewId: '00000000-0000-0000-0000-000000000000', decision: 'approve' as const },
      'not_found',
    ],
    ['something that is not an id', { reviewId: 'x', decision: 'approve' as const }, 'not_found'],
    ['an edit without prices', { reviewId: 'x', decision: 'edit' as const }, 'invalid_body'],
    [
      'an edit to no price',
      { reviewId: 'x', decision: 'edit' as const, edits: [{ contentHash: 'x', price: '-1' }] },
      'invalid_body',
    ],
  ])('refuses %s', async (_, request, code) => {
    await expect(decideReview(db.sql, { ...request, ...who })).rejects.toMatchObject({ code })
  })

  it('decides an item once', async () => {
    const { item } = await heldJump('once')
    const approve = () => decideReview(db.sql, { reviewId: item.reviewId, decision: 'approve' as const, ...who })
    const results = await Promise.allSettled([approve(), approve()])
    expect(results.map((item) => item.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('a question about absences', () => {
  const db = testDatabase({ each: true })
  let n = 0
  beforeEach(() => {
    n = 0
  })
  const next = (provider: string, lines: ReturnType<typeof models>) =>
    snapshot(db.sql, provider, lines, { at: day(n++) })
  const itemOf = async (provider: string) => (await openReviewItems(db.sql)).find((item) => item.provider === provider)!
  const decide = async (provider: string, decision: 'approve' | 'reject') =>
    decideReview(db.sql, { reviewId: (await itemOf(provider)).reviewId, decision, ...who, at: day(n++) })

  async function maybeRenamed(provider: string) {
    const rest = models(8, { provider })
    await next(provider, [...rest, ...model('magistral-medium-2506', 0.0000077, { provider })])
    const after = [...rest, ...model('magistral-medium', 0.0000077, { provider })]
    await next(provider, after)
    return after
  }

  it('answered with yes renames, and alias groups list the new name too', async () => {
    const after = await maybeRenamed('yes')
    const old = { provider: 'yes', resource: 'magistral-medium-2506' }
    await saveGroup(db.sql, { name: 'Magistral', members: [old], actor: 'ada', at: day(n++) })
    expect((await decide('yes', 'approve')).events).toEqual({ 'resource.renamed': 1 })
    const members = (await findGroup(db.sql, 'Magistral'))?.members
    expect(members).toEqual([{ provider: 'yes', resource: 'magistral-medium' }, old])
    for (let i = 0; i < 4; i++) expect((await next('yes', after)).events).toEqual({})
    expect(await priceNow(db.sql, 'magistral-medium-2506')).toBe('0.0000077')
  })

  const itemOfKind = async (provider: string, kind: string) =>
    (await openReviewItems(db.sql)).find((item) => item.provider === provider && item.kind === kind)!
  const yes = async (provider: string, kind: string) =>
    decideReview(db.sql, {
      ...{ reviewId: (await itemOfKind(provider, kind)).reviewId, decision: 'approve', ...who, at: day(n++) },
    })
  const renamings = () => db.sql`select old_resource, new_resource from resource_rename`

  it('cannot be answered with yes before the prices of the new name are published', async () => {
    const rest = models(8, { provider: 'early' })
    await next('early', [...rest, observed('falcon-9', 'input_tokens', '0.000002', { provider: 'early' })])
    await next('early', [...rest, observed('Falcon_9', 'input_tokens', '0.077', { provider: 'early' })])
    await expect(yes('early', 'rename')).rejects.toMatchObject({
      code: 'invalid_body',
      message:
        'Falcon_9 has no published price. Decide about its prices first. If they were refused, leave this item until the source lists others: falcon-9 stays served. Or reject it: then falcon-9 is removed.',
    })
    expect(await renamings()).toEqual([])
    expect(await priceNow(db.sql, 'falcon-9')).toBe('0.000002')
    await yes('early', 'price')
    expect((await yes('early', 'rename')).events).toEqual({ 'resource.renamed': 1 })
    expect(await renamings()).toEqual([{ old_resource: 'falcon-9', new_resource: 'Falcon_9' }])
    expect([await priceNow(db.sql, 'falcon-9'), await priceNow(db.sql, 'Falcon_9')]).toEqual(['0.000002', '0.077'])
  })

  it('waits for another price of the new name where a person refused the one it came with, and serves the old name', async () => {
    const provider = 'refused'
    const rest = models(8, { provider })
    const renamedAt = (price: string) => [...rest, observed('Falcon_9', 'input_tokens', price, { provider })]
    await next(provider, [...rest, observed('falcon-9', 'input_tokens', '0.000002', { provider })])
    await next(provider, renamedAt('0.077'))
    const { reviewId } = await itemOfKind(provider, 'price')
    await decideReview(db.sql, { reviewId, decision: 'reject', ...who, at: day(n++) })
    for (let i = 0; i < 8; i++) expect((await next(provider, renamedAt('0.077'))).events).toEqual({})
    await expect(yes(provider, 'rename')).rejects.toMatchObject({
      code: 'invalid_body',
      message: expect.stringContaining('leave this item until the source lists others'),
    })
    expect(await priceNow(db.sql, 'falcon-9')).toBe('0.000002')
    await next(provider, renamedAt('0.000003'))
    expect(await priceNow(db.sql, 'Falcon_9')).toBe('0.000003')
    expect((await yes(provider, 'rename')).events).toEqual({ 'resource.renamed': 1 })
  })

  it('waits longer than 14 days where a person refused the price of the new name', async () => {
    const provider = 'refused-long'
    const rest = models(8, { provider })
    const named = (name: string, price: string) => [...rest, observed(name, 'input_tokens', price, { provider })]
    await next(provider, named('falcon-9', '0.000002'))
    await next(provider, named('Falcon_9', '0.077'))
    const { reviewId } = await itemOfKind(provider, 'price')
    await decideReview(db.sql, { reviewId, decision: 'reject', ...who, at: day(n++) })
    for (let i = 0; i < 20; i++) expect((await next(provider, named('Falcon_9', '0.077'))).events).toEqual({})
    expect(await priceNow(db.sql, 'falcon-9')).toBe('0.000002')
  })

  it('answered with yes ends the prices that the new name does not have, and serves the others', async () => {
    const provider = 'fewer'
    const rest = models(8, { provider })
    const cached = observed('falcon-9', 'cache_read_tokens', '0.0000005', { provider })
    const stored = observed('falcon-9', 'cache_write_tokens', '0.0000025', { provider })
    await next(provider, [...rest, ...model('falcon-9', 0.000002, { provider }), cached, stored])
    const hashOf = async (dimension: string) => {
      const [row] = await db.sql`
        select current_hash as hash from price_line where resource = 'falcon-9' and dimension = ${dimension}`
      return { contentHash: row?.hash as string, ...who }
    }
    const [input, write] = [await hashOf('input_tokens'), await hashOf('cache_write_tokens')]
    for (const correction of [input, write]) await withdrawRow(db.sql, { ...correction, at: day(n++) })
    await next(provider, [...rest, ...model('Falcon_9', 0.000003, { provider })])
    await yes(provider, 'rename')
    const served = await db.sql`
      select p.resource, p.dimension from publication p
      where p.resource ilike 'falcon%' and p.unpublished_at is null order by p.resource collate "C", p.dimension`
    expect(served.map(({ resource, dimension }) => `${resource} ${dimension}`)).toEqual([
      'Falcon_9 input_tokens',
      'Falcon_9 output_tokens',
      'falcon-9 output_tokens',
    ])
    const ended = await db.sql`
      select l.dimension, s.reason from price_status s join price_row r using (content_hash) join price_line l using (line_id)
      where s.status = 'removed'`
    expect(ended).toEqual([{ dimension: 'cache_read_tokens', reason: 'not listed under the new name' }])
    await expect(restoreRow(db.sql, { ...write, at: day(n++) })).rejects.toThrow('no longer lists this price')
    await restoreRow(db.sql, { ...input, at: day(n++) })
    expect(await priceNow(db.sql, 'falcon-9')).toBe('0.000002')
  })

  it('answered with no lets the old name be removed', async () => {
    const after = await maybeRenamed('no')
    await decide('no', 'reject')
    const reports = [await next('no', after), await next('no', after), await next('no', after)]
    expect(reports.map((item) => item.events['resource.removed'] ?? 0)).toEqual([0, 1, 0])
  })

  it('answered with yes removes what is still missing, and retires a provider that sells nothing more', async () => {
    const rest = models(20, { provider: 'stays' })
    await next('src', [...rest, ...models(3, { provider: 'leaves' })])
    for (let i = 0; i < 4; i++) await next('src', rest)
    expect((await decide('leaves', 'approve')).events).toEqual({ 'resource.removed': 3 })
    const [status] = await db.sql`select status from provider_status where provider = 'leaves' order by at desc limit 1`
    expect(status?.status).toBe('retired')
    expect((await next('src', rest)).questions).toEqual({})
  })
})

describe('a correction', () => {
  const db = testDatabase({ each: true })

  /** A price that its source changed twice. Returns a correction of each of its rows, the oldest first. */
  async function threePrices() {
    for (const price of [0.000002, 0.000003, 0.000004]) await snapshot(db.sql, 's', model('m', price))
    const rows = await db.sql<{ hash: string }[]>`
      select r.content_hash as hash from price_row r join price_line l using (line_id)
      where l.dimension = 'input_tokens' order by r.recorded_at`
    return rows.map(({ hash }) => ({ contentHash: hash, ...who }))
  }
  /** Lists a price again, which makes no event. Returns what is served then. */
  async function listed(price: number) {
    expect((await snapshot(db.sql, 's', model('m', price))).events).toEqual({})
    return priceNow(db.sql, 'm')
  }

  it('withdraws a row: the earlier price holds again, and the source is not believed until it says another', async () => {
    await snapshot(db.sql, 's', model('m', 0.000002))
    await snapshot(db.sql, 's', model('m', 0.000003))
    const [row] = await db.sql`select current_hash as hash from price_line where dimension = 'input_tokens'`
    await withdrawRow(db.sql, { contentHash: row?.hash, ...who })
    expect(await priceNow(db.sql, 'm')).toBe('0.000002')
    const [event] = await eventsOf(db.sql, 'price.corrected')
    expect(event).toMatchObject({
      action: 'withdrawn',
      corrected: { price: '0.000003' },
      previous: { price: '0.000003' },
      current: { price: '0.000002' },
      reason: who.reason,
    })
    expect((await snapshot(db.sql, 's', model('m', 0.000003))).events).toEqual({})
    expect(await priceNow(db.sql, 'm')).toBe('0.000002')
  })

  it('of an earlier price leaves the withdrawn one without effect while its source goes on listing it', async () => {
    const [first, second, last] = await threePrices()
    const listedAgain = () => listed(0.000004)
    await withdrawRow(db.sql, second!)
    await withdrawRow(db.sql, last!)
    expect(await listedAgain()).toBe('0.000002')
    await restoreRow(db.sql, second!)
    expect(await listedAgain()).toBe('0.000003')
    await withdrawRow(db.sql, first!)
    expect(await listedAgain()).toBe('0.000003')
    await restoreRow(db.sql, first!)
    expect(await listedAgain()).toBe('0.000003')
    await restoreRow(db.sql, last!)
    expect((await snapshot(db.sql, 's', model('m', 0.000004))).unchanged).toBe(2)
    expect(await priceNow(db.sql, 'm')).toBe('0.000004')
  })

  it('of several prices in turn leaves each withdrawn one without effect, whichever its source lists', async () => {
    const [, second, last] = await threePrices()
    await withdrawRow(db.sql, last!)
    await withdrawRow(db.sql, second!)
    expect(await listed(0.000004)).toBe('0.000002')
    expect(await listed(0.000003)).toBe('0.000002')
    await restoreRow(db.sql, second!)
    expect(await listed(0.000004)).toBe('0.000003')
    expect((await snapshot(db.sql, 's', model('m', 0.000005))).events).toEqual({ 'price.changed': 2 })
    expect(await priceNow(db.sql, 'm')).toBe('0.000005')
  })

  it('restores nothing that was not withdrawn', async () => {
    await snapshot(db.sql, 's', model('m', 0.000002))
    const [row] = await db.sql`select current_hash as hash from price_line where dimension = 'input_tokens'`
    await expect(restoreRow(db.sql, { contentHash: row?.hash, ...who })).rejects.toThrow(
      'The row is auto_approved, not withdrawn.',
    )
  })

  it('restores a withdrawn row, with the time it was not served', async () => {
    await snapshot(db.sql, 's', model('m', 0.000002))
    await snapshot(db.sql, 's', model('m', 0.000003))
    const [row] = await db.sql`select current_hash as hash from price_line where dimension = 'input_tokens'`
    await withdrawRow(db.sql, { contentHash: row?.hash, ...who })
    await restoreRow(db.sql, { contentHash: row?.hash, ...who })
    expect(await priceNow(db.sql, 'm')).toBe('0.000003')
    const [, event] = await eventsOf(db.sql, 'price.corrected')
    expect(event).toMatchObject({ action: 'restored', previous: { price: '0.000002' }, current: { price: '0.000003' } })
    const periods = await db.sql<{ body: string }[]>`
      select body from publication where content_hash = ${row?.hash} order by published_at`
    expect(periods.map(({ body }) => JSON.parse(body).approvalStatus)).toEqual(['auto_approved', 'approved'])
    const statuses = await db.sql`select status, actor from price_status where content_hash = ${row?.hash} order by seq`
    expect(statuses.map(({ status, actor }) => [status, actor])).toEqual([
      ['auto_approved', null],
      ['withdrawn', 'ada'],
      ['approved', 'ada'],
    ])
  })

  it('cannot be restored once its resource is removed, also when it was the only row of its line', async () => {
    const cached = observed('gone', 'cache_read_tokens', '0.0000002')
    const others = models(40)
    await snapshot(db.sql, 'list', [...others, ...model('gone', 0.000002), cached], { at: day(1) })
    await snapshot(db.sql, 'list', [...others, ...model('gone', 0.000003), cached], { at: day(2) })
    const rows = await db.sql<{ hash: string }[]>`
      select current_hash as hash from price_line
      where resource = 'gone' and dimension in ('input_tokens', 'cache_read_tokens') order by dimension desc`
    for (const [n, { hash }] of rows.entries())
      await withdrawRow(db.sql, { contentHash: hash, ...who, at: plus(day(2), (n + 1) * HOUR) })
    for (const n of [3, 4, 5, 6]) await snapshot(db.sql, 'list', others, { at: day(n) })
    expect(await priceNow(db.sql, 'gone')).toBeUndefined()
    for (const { hash } of rows)
      await expect(restoreRow(db.sql, { contentHash: hash, ...who, at: day(7) })).rejects.toThrow(
        'Its source no longer lists this price.',
      )
    expect(await priceNow(db.sql, 'gone')).toBeUndefined()
    await snapshot(db.sql, 'list', [...others, ...model('gone', 0.000003), cached], { at: day(8) })
    await restoreRow(db.sql, { contentHash: rows[0]!.hash, ...who, at: day(9) })
    expect(await priceNow(db.sql, 'gone')).toBe('0.000003')
  })

  it('of all that a provider sells retires it, until a price of it is restored or its source says another', async () => {
    const only = (price: number) => model('only', price, { provider: 'only' }).slice(0, 1)
    await snapshot(db.sql, 'only', only(0.000002))
    const [row] = await db.sql`select current_hash as hash from price_line where provider = 'only'`
    const withdraw = () => withdrawRow(db.sql, { contentHash: row?.hash, ...who })
    await withdraw()
    await restoreRow(db.sql, { contentHash: row?.hash, ...who })
    await withdraw()
    await snapshot(db.sql, 'only', only(0.000003))
    const statuses = await db.sql`select status from provider_status where provider = 'only' order by at`
    expect(statuses.map(({ status }) => status)).toEqual(['active', 'retired', 'active', 'retired', 'active'])
    expect(await eventsOf(db.sql, 'provider.added', 'only')).toHaveLength(1)
  })

  it('of the only row leaves no price', async () => {
    await snapshot(db.sql, 'only', model('only', 0.000002, { provider: 'only' }))
    const [row] =
      await db.sql`select current_hash as hash from price_line where resource = 'only' and dimension = 'input_tokens'`
    await withdrawRow(db.sql, { contentHash: row?.hash, ...who })
    const [event] = await eventsOf(db.sql, 'price.corrected', 'only')
    expect(event).not.toHaveProperty('current')
    await expect(withdrawRow(db.sql, { contentHash: row?.hash, ...who })).rejects.toMatchObject({
      code: 'invalid_body',
    })
    await expect(restoreRow(db.sql, { contentHash: 'f'.repeat(64), ...who })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
