import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reviewCommand } from '../../src/cli/review.ts'
import { DAY, instantOf } from '../../src/lib/instant.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { eventsOf, model, models, priceNow, snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'

/** The commands in this process, against a database named by settings. */
describe('the filters of the review queue’s commands', () => {
  const db = testDatabase({ each: true })
  afterEach(() => {
    vi.unstubAllEnvs()
    process.exitCode = undefined
  })

  async function run(...args: string[]): Promise<string> {
    let said = ''
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said += text
      return true
    })
    try {
      await reviewCommand().parseAsync(args, { from: 'user' })
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

  /** A price that is held for so many days: a thousand times too high, or for nothing. */
  async function hold(provider: string, source: string, resource: string, price: number, days: number) {
    const priced = (input: number) => [...models(8, { provider }), ...model(resource, input, { provider })]
    await snapshot(db.sql, source, priced(0.000002), { at: daysAgo(days + 1) })
    await snapshot(db.sql, source, priced(price), { at: daysAgo(days) })
  }
  beforeEach(async () => {
    vi.stubEnv('DATABASE_URL', db.url)
    await hold('old', 'list', 'a', 0.002, 9)
    await hold('free', 'list-2', 'b', 0, 5)
    await hold('new', 'list-3', 'c', 0.002, 2)
  })

  it('narrow the list by provider, source, reason, resource, kind and age', async () => {
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
    expect(await run('list', '--provider', 'old')).toMatch(/a: input_tokens 2 → 2000 \(\+99,900 %\)/)
  })

  it('preview a decision about all that match, then carry out the same', async () => {
    const preview = await run('approve', '--held-for', 'power_of_ten', '--dry-run')
    expect(preview).toMatch(
      /^Would approve 2 items:\n.*a: input_tokens .*\[2 price\.changed\]\n.*c: .*\nEvents: 4 price\.changed\.\n$/,
    )
    expect(await openReviewItems(db.sql)).toHaveLength(3)
    expect(await priceNow(db.sql, 'a')).toBe('0.000002')
    expect(await run('approve', '--held-for', 'power_of_ten')).toBe('Approved 2 items.\nEvents: 4 price.changed.\n')
    expect(await priceNow(db.sql, 'a')).toBe('0.002')
    expect(await eventsOf(db.sql, 'price.changed', 'new')).toHaveLength(2)
    expect(await listed()).toEqual(['free'])
  })

  it('are not mixed with ids, and nothing is decided without either', async () => {
    const [item] = await openReviewItems(db.sql)
    await expect(run('reject', item!.reviewId, '--provider', 'free')).rejects.toThrow('not both')
    await expect(run('reject')).rejects.toThrow('Name the items to reject, or give a filter.')
    expect(await openReviewItems(db.sql)).toHaveLength(3)
  })

  it('show of one item what a decision needs: evidence, neighbours and what would end the doubt', async () => {
    const [item] = await openReviewItems(db.sql, 1, { provider: 'old' })
    const shown = await run('show', item!.reviewId)
    expect(shown).toMatch(/^price of old, from list, since /)
    expect(shown).toMatch(/power_of_ten ends by a witness that shows the same price/)
    expect(shown).toMatch(/0\.000002 +0\.002 +\+99,900 % +usd_per_token/)
    expect(shown).toMatch(/The published price 0\.000002 is plausible\./)
    expect(shown).toMatch(
      /Beside a input_tokens:\n {3}same resource output_tokens 0\.000008\n {3}in snapshot \w{12}… at \//,
    )
  })
})
