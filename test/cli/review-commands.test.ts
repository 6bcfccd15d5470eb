import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { decideReview } from '../../src/prices/review/decide-review.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { storedRows } from '../../src/prices/store/row-store.ts'
import { day, model, models } from '../prices/observed.ts'
import { eventsOf, priceNow, snapshot } from '../prices/support.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'

/** The commands as an operator types them, against a database named by settings. */
describe('operators’ commands on the review queue', () => {
  const db = testDatabase({ each: true })
  const secretKey = randomBytes(32).toString('base64')
  async function run<T>(...args: string[]): Promise<{ code: number | null; said: string; json: T }> {
    const env = {
      DATABASE_URL: db.url,
      PRICETAPE_SECRET_KEY: secretKey,
      PRICETAPE_DATA_DIR: join(tmpdir(), 'pricetape-nothing-runs-here'),
    }
    const { code, said } = await command(env, ...args, '--json')
    const line = said.split('\n').find((item) => item.startsWith('{'))
    return { code, said, json: line ? JSON.parse(line) : undefined }
  }
  type Items = { items: { id: string; kind: string; question: string }[] }
  const rest = models(40)

  beforeEach(async () => {
    const renamed = ['alpha-9', 'beta-9', 'gamma-9']
    const old = renamed.flatMap((name, i) => model(`lab/${name}`, (i + 3) / 1e6))
    await snapshot(db.sql, 'list', [...rest, ...old, ...model('flips', 0.000002), ...model('cut', 0.00002)], {
      at: day(0),
    })
    const later = renamed.flatMap((name, i) => model(`lab/${name}-safe`, (i + 3) / 1e6))
    const changed = [...model('flips', 0.002), ...model('cut', 0.000004)]
    await snapshot(db.sql, 'list', [...rest, ...later, ...changed], { at: day(10) })
  })

  it('`review list` and `review show` say what waits, and at which prices', async () => {
    const { json, code } = await run<Items>('review', 'list')
    expect(code).toBe(0)
    expect(json.items.map((item) => item.kind).sort()).toEqual(['price'])
    // A fifth of the price before is published after a day, and names end by time: no one is asked, and anyone may decide.
    const all = await run<Items>('review', 'list', '--all')
    expect(all.json.items.map((item) => item.kind).sort()).toEqual(['price', 'price', 'rename', 'rename', 'rename'])
    const renames = await run<Items>('review', 'list', '--kind', 'rename', '--provider', 'acme')
    expect(renames.json.items.map((item) => item.question).sort()[0]).toBe(
      'Was lab/alpha-9 renamed to lab/alpha-9-safe?',
    )
    const price = json.items.find((item) => item.kind === 'price')!
    const shown = await run<{ lines: { publishedPrice: string; price: string }[] }>('review', 'show', price.id)
    expect(shown.json.lines).toHaveLength(2)
    expect(shown.json.lines[0]).toMatchObject({ publishedPrice: expect.any(String), price: expect.any(String) })
    expect(shown.json.lines[0]).toMatchObject({
      verdict: { reasons: expect.any(Array), evidence: { fitBefore: 'plausible' }, wait: { fetches: 1 } },
    })
    const nothing = await run('review', 'show', 'no-such-item')
    expect(nothing).toMatchObject({ code: 1 })
    expect(nothing.said).toContain('does not wait for a decision')
  })

  it('`review approve --kind rename` approves every renaming at once', async () => {
    const { code, json } = await run<{ decided: object[] }>(
      'review',
      'approve',
      '--kind',
      'rename',
      '--provider',
      'acme',
    )
    expect([code, json.decided.length]).toEqual([0, 3])
    expect(await eventsOf(db.sql, 'resource.renamed')).toHaveLength(3)
  })

  it('`review edit` publishes the price a person gives, `review reject` none', async () => {
    const items = await openReviewItems(db.sql)
    const rows = await storedRows(
      db.sql,
      items.flatMap((item) => item.rows),
    )
    const input = rows.find((item) => item.resource === 'cut' && item.dimension === 'input_tokens')!
    const cut = items.find((item) => item.rows.includes(input.contentHash))!
    const flips = items.find((item) => item.kind === 'price' && item !== cut)!
    expect(await run('review', 'edit', cut.reviewId, `${input.contentHash}=0.000005`)).toMatchObject({ code: 0 })
    expect(await priceNow(db.sql, 'cut')).toBe('0.000005')
    expect(await run('review', 'reject', flips.reviewId, '--reason', 'a unit')).toMatchObject({ code: 0 })
    expect(await priceNow(db.sql, 'flips')).toBe('0.000002')
    const left = await db.sql`select from review where kind = 'price' and decided_at is null`
    expect(left).toHaveLength(0)
  })

  it('`price withdraw` and `price restore` take a row out and put it back, with their events', async () => {
    const items = await openReviewItems(db.sql)
    const rows = await storedRows(
      db.sql,
      items.flatMap((item) => item.rows),
    )
    const held = rows.find((row) => row.resource === 'cut')!
    const { reviewId } = items.find((item) => item.rows.includes(held.contentHash))!
    await decideReview(db.sql, { reviewId, decision: 'approve', actor: 'ada', reason: 'a real cut' })
    const [row] = await db.sql<{ hash: string }[]>`
      select l.current_hash as hash from price_line l where l.resource = 'cut' and l.dimension = 'input_tokens'`
    expect(await run('price', 'withdraw', row!.hash, '--reason', 'misread')).toMatchObject({ code: 0 })
    expect(await priceNow(db.sql, 'cut')).toBe('0.00002')
    const twice = await run('price', 'withdraw', row!.hash, '--reason', 'misread')
    expect(twice).toMatchObject({ code: 1 })
    expect(twice.said).toContain('withdrawn, not published')
    expect(await run('price', 'restore', row!.hash, '--reason', 'right after all')).toMatchObject({ code: 0 })
    expect(await priceNow(db.sql, 'cut')).toBe('0.000004')
    expect(await eventsOf(db.sql, 'price.corrected')).toHaveLength(2)
  })
})
