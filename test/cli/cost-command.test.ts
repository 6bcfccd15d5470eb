import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { listeningApi } from '../support/clients.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'

/** A model of a seller whose credits have a price by edition. */
function inCredits() {
  const currency = 'INC_AI_CREDIT'
  const rate = { provider: 'inc', resource: 'c', dimension: 'input_tokens', unit: 'credit_per_token', currency }
  const credit = { provider: 'inc', resource: currency, dimension: 'credits', unit: 'usd_per_credit' }
  const [standard, enterprise] = ['standard', 'enterprise'].map((edition) => ({ cloud: 'aws', region: 'us', edition }))
  return [
    { ...rate, price: '0.00000121' },
    { ...credit, price: '2', pricingTier: standard },
    { ...credit, price: '3', pricingTier: enterprise },
  ]
}

describe('pricetape cost', () => {
  const db = testDatabase()
  const api = listeningApi(db, { limited: false })
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-cost-'))
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }, { provider: 'inc' }])
    const prices = { input_tokens: '0.000003', output_tokens: '0.000015', cache_read_tokens: '0.0000003' }
    const rows = Object.entries(prices).map(([dimension, price]) => ({
      provider: 'acme',
      resource: 'm',
      dimension,
      price,
    }))
    const hour = { provider: 'acme', resource: 'm', dimension: 'cache_write_tokens', price: '0.000006' }
    const all = [...rows, { ...hour, pricingTier: { ttl: '1h' } }, { ...hour, price: '0.00000375' }]
    await publish(db.sql, all, '2026-01-01T00:00:00.000Z' as Instant)
    await publish(db.sql, inCredits(), '2026-01-02T00:00:00.000Z' as Instant)
    const batch = { ...rows[0]!, price: '0.0000015', pricingTier: { service: 'batch' } }
    await publish(db.sql, [{ ...rows[0]!, price: '0.000002' }, batch], '2026-02-01T00:00:00.000Z' as Instant)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const env = () => ({ ...process.env, PRICETAPE_URL: api.url, PRICETAPE_API_KEY: api.key, COLUMNS: '400' })
  const cost = (...args: string[]) => command(env(), 'cost', 'm', ...args)
  const totalOf = ({ said }: { said: string }): object => JSON.parse(said).costs[0].total

  it('prints the total of each seller, with each item, now and at another time', async () => {
    const { said, code } = await cost(
      ...[
        '--input',
        '1200',
        '--cached',
        '1800',
        '--output',
        '500',
        '--requests',
        '2000000',
        '--compared-with',
        '2026-01',
      ],
    )
    expect(code).toBe(0)
    expect(said).toMatch(/^Read at asOf 2\S+Z, compared with asOf 2026-01-31T23:59:59.999Z, the cheapest first:\n/)
    expect(said).toContain('1. acme m: 20,880 USD, then 23,280 USD (2,400 USD less now)')
    expect(said).toContain('1800 cache_read_tokens: 1,080 USD, at 0.3 USD per million tokens')
  })

  it('prints lines of at most 80 columns on a terminal that is as wide', async () => {
    const { said } = await command({ ...env(), COLUMNS: '80' }, 'cost', 'm', '--input', '1200', '--cached', '1800')
    expect(Math.max(...said.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(said).toContain('1. acme m: ')
  })

  it('takes other dimensions, tiers, times and the time to live of a cache', async () => {
    const writes = ['--cache-write', '1000000', '--cache-write-1h', '1000000']
    expect(totalOf(await cost(...writes, '--json'))).toEqual({ USD: '9.75' })
    const used = await cost('--use', 'input_tokens=1000000', '--tier', 'service=batch', '--provider', 'acme', '--json')
    expect(totalOf(used)).toEqual({ USD: '1.5' })
    expect(totalOf(await cost('--input', '1000000', '--at', '2026-01', '--json'))).toEqual({ USD: '3' })
    expect(totalOf(await cost('--reasoning', '1000000', '--json'))).toEqual({ USD: '15' })
  })

  it.each([
    [
      'an answer of OpenAI',
      { usage: { prompt_tokens: 1000000, prompt_tokens_details: null, completion_tokens: 0 } },
      '2',
    ],
    ['a usage of Anthropic', { input_tokens: 0, cache_read_input_tokens: 1000000, output_tokens: 1000000 }, '15.3'],
  ])('reads %s', async (_, usage, total) => {
    const file = join(folder, 'usage.json')
    await writeFile(file, JSON.stringify(usage))
    expect(totalOf(await cost('--usage', file, '--json'))).toEqual({ USD: total })
  })

  it.each([
    ['{"prompt_tokens":"many"}', /is not a usage: prompt_tokens: /],
    ['{}', /counts no tokens: give the usage object/],
    ['not JSON', /is not a usage: /],
  ])('refuses the file %s', async (text, message) => {
    const file = join(folder, 'wrong.json')
    await writeFile(file, text)
    const { said, code } = await cost('--usage', file)
    expect([code, said.replaceAll('\n', ' ')]).toEqual([1, expect.stringMatching(message)])
  })

  it('converts what is priced in credits, or says what to name for that', async () => {
    const ask = async (...args: string[]) =>
      (await command(env(), 'cost', 'c', '--provider', 'inc', '--input', '1000000', ...args)).said
    expect(await ask('--tier', 'edition=enterprise')).toContain(
      'inc c: 3.63 USD\n   1000000 input_tokens: 3.63 USD, at 1.21 INC_AI_CREDIT per million tokens (exactly 0.00000121 credit_per_token), a credit at 3 USD [cloud aws, edition enterprise, region us], source',
    )
    expect(await ask('--at', '2026-01-01T12:00:00Z')).toContain('Nothing is called c.')
    const open = await ask()
    expect(open).toContain('- inc c: 1.21 INC_AI_CREDIT\n')
    expect(open).toContain(
      'not in money: the price of INC_AI_CREDIT differs by edition (enterprise, standard): name one in the tier',
    )
  })

  it.each([
    [[], 'Say what is used: --input 3000 --output 500, --use or --usage.'],
    [['--input', '1e3'], '1e3 is not a quantity: give a decimal such as 3000 or "0.5".'],
    [['--input', '1', '--provider', 'nobody'], 'There is no provider nobody'],
    [['--usage', '/does/not/exist'], 'The usage could not be read: ENOENT'],
  ])('%j: says what to do', async (args, message) => {
    const { said, code } = await cost(...args)
    expect([code, said.replaceAll('\n', ' ')]).toEqual([1, expect.stringContaining(message)])
  })
})
