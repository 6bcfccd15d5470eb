import type { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { priceCommand } from '../../src/cli/prices/price.ts'
import { reviewCommand } from '../../src/cli/review/review.ts'
import { DAY, instantOf } from '../../src/lib/instant.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { model, models, observed } from '../prices/observed.ts'
import { eventsOf, priceNow, snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'

/** The commands in this process, against a database named by settings. */
describe('the commands of the review queue', () => {
  const db = testDatabase({ each: true })
  afterEach(() => {
    vi.unstubAllEnvs()
    process.exitCode = undefined
  })

  const run = (...args: string[]) => runCommand(reviewCommand(), args)
  async function runCommand(command: Command, args: string[]): Promise<string> {
    let said = ''
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said += text
      return true
    })
    try {
      await command.parseAsync(args, { from: 'user' })
    } finally {
      write.mockRestore()
    }
    return said
  }
  const listed = async (...args: string[]) => {
    const { items } = JSON.parse(await run('list', '--json', ...args)) as { items: { provider: string }[] }
    return items.map(({ provider }) => provider)
  }
  const daysAgo = (n: number) => instantOf(Date.now() - n * DAY)

  /** A price that is held for this many days: a thousand times too high, or for nothing. */
  async function hold(provider: string, source: string, resource: string, price: number, days: number) {
    const priced = (input: number) => [...models(8, { provider }), ...model(resource, input, { provider })]
    await snapshot(db.sql, source, priced(0.000002), { at: daysAgo(days + 1) })
    await snapshot(db.sql, source, priced(price), { at: daysAgo(days) })
  }
  beforeEach(async () => {
    vi.stubEnv('DATABASE_URL', db.url)
    vi.stubEnv('COLUMNS', '240')
    await hold('old', 'list', 'a', 0.002, 9)
    await hold('free', 'list-2', 'b', 0, 5)
    await hold('new', 'list-3', 'c', 0.002, 2)
  })

  it('list what meets a filter: its provider, source, reason, resource, kind and age', async () => {
    expect(await listed()).toEqual(['old', 'free', 'new'])
    expect(await listed('--provider', 'new')).toEqual(['new'])
    expect(await listed('--source', 'list-2')).toEqual(['free'])
    expect(await listed('--held-for', 'power_of_ten')).toEqual(['old', 'new'])
    expect(await listed('--held-for', 'to_zero')).toEqual(['free'])
    expect(await listed('--resource', 'a')).toEqual(['old'])
    expect(await listed('--older-than', '3d')).toEqual(['old', 'free'])
    expect(await listed('--older-than', '3d', '--held-for', 'power_of_ten')).toEqual(['old'])
    expect(await listed('--kind', 'rename')).toEqual([])
    expect(await listed('--limit', '1')).toEqual(['old'])
    expect(await run('list', '--provider', 'old')).toMatch(/a: input tokens 2 → 2,000 \(\+99,900%\)/)
  })

  it('list contradicted prices with who decides, a person among them', async () => {
    await db.sql`
      insert into contradicted_line (line_id, price, other_price, sources, since, decided_by)
      select line_id, 0.000002, 0.000003, '{list-3}', ${daysAgo(3)}, 'list-3' from price_line
      where resource in ('a', 'b') and dimension = 'input_tokens'`
    expect(await runCommand(priceCommand(), ['contradicted'])).toMatch(
      /old a +input_tokens +0.000002 .list. +0.000003 .list-3. +list-3/,
    )
    await db.sql`update price_line set decided_price = '0.000009' where resource = 'a' and dimension = 'input_tokens'`
    const text = await runCommand(priceCommand(), ['contradicted'])
    expect(text).toMatch(/old a +input_tokens +0.000002 .list. +0.000003 .list-3. +a person did\n/)
    expect(text).toMatch(/free b +input_tokens .* +list-3\n/)
  })

  it('preview a decision about all that match, then carry out the same', async () => {
    const preview = await run('approve', '--held-for', 'power_of_ten', '--dry-run')
    expect(preview).toMatch(
      /^Would approve 2 items:\n.*a: input tokens .*\[2 price\.changed\]\n.*c: .*\nEvents: 4 price\.changed\.\n$/,
    )
    expect(await openReviewItems(db.sql)).toHaveLength(3)
    expect(await priceNow(db.sql, 'a')).toBe('0.000002')
    expect(await run('approve', '--held-for', 'power_of_ten')).toBe('Approved 2 items.\nEvents: 4 price.changed.\n')
    expect(await priceNow(db.sql, 'a')).toBe('0.002')
    expect(await eventsOf(db.sql, 'price.changed', 'new')).toHaveLength(2)
    expect(await listed()).toEqual(['free'])
  })

  it('leave out an item that shares prices with one before it, also in a preview: the events are counted once', async () => {
    const priced = (input: number, output: number) => [
      ...models(8, { provider: 'pair' }),
      observed('d', 'input_tokens', String(input), { provider: 'pair' }),
      observed('d', 'output_tokens', String(output), { provider: 'pair' }),
    ]
    await snapshot(db.sql, 'list-4', priced(0.000002, 0.000008), { at: daysAgo(1) })
    await snapshot(db.sql, 'list-4', priced(0.002, 0.000008), { at: daysAgo(0.75) })
    await snapshot(db.sql, 'list-4', priced(0.002, 0.008), { at: daysAgo(0.5) })
    expect(await listed('--provider', 'pair')).toHaveLength(2)
    const preview = await run('approve', '--provider', 'pair', '--dry-run')
    expect(preview).toMatch(
      /^Would approve 1 item:\n.*\[2 price\.changed\]\n.*: It shares prices .*\nEvents: 2 price\.changed\.\n$/,
    )
    expect(await run('approve', '--provider', 'pair')).toMatch(
      /^Approved 1 item\.\n.*: It shares prices .*\nEvents: 2 price\.changed\.\n$/,
    )
    expect(process.exitCode).toBe(1)
    expect(await eventsOf(db.sql, 'price.changed', 'pair')).toHaveLength(2)
    expect(await listed('--provider', 'pair')).toEqual([])
  })

  it('take ids or a filter, and decide nothing without either', async () => {
    const [item] = await openReviewItems(db.sql)
    await expect(run('reject', item!.reviewId, '--provider', 'free')).rejects.toThrow('not both')
    await expect(run('reject')).rejects.toThrow('Name the items to reject, or give a filter.')
    expect(await openReviewItems(db.sql)).toHaveLength(3)
  })

  it('decide what was shown alone where its revision is named', async () => {
    const [old, free] = await openReviewItems(db.sql)
    const shown = /^Revision ([0-9a-f]{16})$/m.exec(await run('show', old!.reviewId))![1]!
    const { item } = JSON.parse(await run('show', old!.reviewId, '--json'))
    expect(item.revision).toBe(shown)
    const { items } = JSON.parse(await run('list', '--json'))
    expect(items[0].revision).toBe(shown)
    await expect(run('approve', '--provider', 'old', '--revision', shown)).rejects.toThrow('name this item alone')
    await expect(run('approve', old!.reviewId, free!.reviewId, '--revision', shown)).rejects.toThrow('of one item')
    for (const decision of ['approve', 'reject'])
      expect(await run(decision, old!.reviewId, '--revision', '0123456789abcdef')).toMatch(/changed since you saw it/)
    expect(process.exitCode).toBe(1)
    const edit = ['edit', old!.reviewId, `${old!.rows[0]}=0.000003`, '--revision']
    await expect(run(...edit, '0123456789abcdef')).rejects.toThrow('changed since you saw it')
    expect(await openReviewItems(db.sql)).toHaveLength(3)
    expect(await run(...edit, shown)).toMatch(/^Published with 1 other price/)
    expect(await openReviewItems(db.sql)).toHaveLength(2)
  })

  it('correct a wrong price in one step, with one event', async () => {
    const [row] = await db.sql<{ hash: string }[]>`
      select current_hash as hash from price_line where resource = 'c' and dimension = 'input_tokens'`
    const correct = (price: string) =>
      runCommand(priceCommand(), ['correct', row!.hash, '--price', price, '--reason', 'misread', '--json'])
    await expect(correct('1e-6')).rejects.toThrow('1e-6 is not a canonical decimal.')
    const { replaced, event } = JSON.parse(await correct('0.0000025'))
    expect(replaced).toBe(row!.hash)
    expect(await priceNow(db.sql, 'c')).toBe('0.0000025')
    expect(await eventsOf(db.sql, 'price.corrected', 'new')).toMatchObject([{ id: event, reason: 'misread' }])
  })

  it('show what a decision needs: evidence, neighbours and what would end the doubt', async () => {
    const [item] = await openReviewItems(db.sql, 1, { provider: 'old' })
    const shown = await run('show', item!.reviewId)
    expect(shown).toMatch(/^price of old, from list, since /)
    expect(shown).toMatch(/“power of ten” ends by a witness that shows the same price/)
    expect(shown).toMatch(/0\.000002 +0\.002 +\+99,900% +usd_per_token/)
    expect(shown).toMatch(/The published price 2 is plausible\./)
    expect(shown).toMatch(
      /Beside a input_tokens:\n {3}same resource output_tokens 0\.000008\n {3}in snapshot \w{12}… at \//,
    )
  })
})
