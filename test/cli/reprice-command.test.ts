import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportLine } from '../../src/cli/prices/usage-report-rules.ts'
import { type Instant, instantOf } from '../../src/lib/instant.ts'
import { listeningApi } from '../support/clients.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'

const monthsAgo = (n: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).toISOString()
}

describe('pricetape reprice', () => {
  const db = testDatabase()
  const api = listeningApi(db, { limited: false })
  let folder: string

  /** Maker and reseller of one model. The maker was dearer until the month before last. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-reprice-'))
    const start = instantOf(Date.parse(monthsAgo(4)))
    await seedProviders(db.sql, start, [{ provider: 'maker' }, { provider: 'reseller' }])
    const rows = (provider: string, input: string, output: string) => [
      { provider, resource: 'm', dimension: 'input_tokens', price: input },
      { provider, resource: 'm', dimension: 'output_tokens', price: output },
    ]
    const more = [
      { provider: 'maker', resource: 'm', dimension: 'cache_read_tokens', price: '0.0000001' },
      {
        provider: 'maker',
        resource: 'm',
        dimension: 'input_tokens',
        price: '0.0000005',
        pricingTier: { service: 'batch' },
      },
      {
        provider: 'maker',
        resource: 'm',
        dimension: 'input_tokens',
        price: '0.000004',
        pricingTier: { context: '>200000' },
      },
    ]
    const all = [...rows('maker', '0.000002', '0.000004'), ...rows('reseller', '0.0000015', '0.000006'), ...more]
    await publish(db.sql, all, instantOf(Date.parse(monthsAgo(3)) + 1) as Instant)
    await publish(db.sql, rows('maker', '0.000001', '0.000004'), instantOf(Date.parse(monthsAgo(1)) + 1))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const env = () => ({ ...process.env, PRICETAPE_URL: api.url, PRICETAPE_API_KEY: api.key, COLUMNS: '400' })
  async function reprice(report: string | object, ...args: string[]) {
    const file = join(folder, 'report')
    await writeFile(file, typeof report === 'string' ? report : JSON.stringify(report))
    return command(env(), 'reprice', file, ...args)
  }
  const openAi = (...results: object[]) => ({ object: 'page', data: [{ object: 'bucket', results }], has_more: false })
  const used = { model: 'm', input_tokens: 3_000_000, input_cached_tokens: 1_000_000, output_tokens: 500_000 }

  it('prices OpenAI’s pages at each seller, now and with the prices of past months', async () => {
    const { said, code } = await reprice(
      openAi({ ...used, num_model_requests: 1_000, batch: null }),
      '--provider',
      'maker',
      '--months',
      '2',
    )
    expect(code).toBe(0)
    // 2M input, 1M cached, 0.5M output; the reseller charges cached input as input.
    expect(said).toContain('    maker m: 4.1 USD\n    reseller m: 7.5 USD\n')
    expect(said).toContain('    now: 4.1 USD at maker, 4.1 USD at the cheapest\n')
    expect(said).toContain(`    ${monthsAgo(1).slice(0, 7)}: 4.1 USD at maker, 4.1 USD at the cheapest\n`)
    expect(said).toContain(`    ${monthsAgo(2).slice(0, 7)}: 6.1 USD at maker, 6.1 USD at the cheapest\n`)
  })

  it('applies the tier and the step of each row, finds a dated name without its day, and says what it cannot price', async () => {
    const results = [
      { ...used, model: 'm-2026-05-01', input_cached_tokens: 0, output_tokens: 0, num_model_requests: 10, batch: true },
      { model: 'm', input_tokens: 3_000_000, input_cached_tokens: 0, output_tokens: 0, num_model_requests: 10 },
      { model: 'unknown', input_tokens: 5, input_cached_tokens: 0, output_tokens: 5, num_model_requests: 1 },
    ]
    const { said } = await reprice(
      [openAi(...results.slice(0, 1)), openAi(...results.slice(1))],
      '--months',
      '1',
      '--json',
    )
    const { models, now, months } = JSON.parse(said)
    expect(models.map(({ model }: { model: string }) => model)).toEqual(['m-2026-05-01', 'm', 'unknown'])
    expect(models[0].sellers[0]).toMatchObject({ provider: 'maker', total: { USD: '1.5' } })
    // 300,000 tokens a request are above the step.
    expect(models[1].sellers.map(({ total }: { total: object }) => total)).toEqual([{ USD: '4.5' }, { USD: '12' }])
    expect(now).toEqual({ cheapest: { USD: '6' }, left: ['unknown'] })
    expect(months).toHaveLength(1)
  })

  it('reads CSV: one’s own, with a column for each dimension, and that of Anthropic’s console', async () => {
    const own =
      '\ufeffmodel,input_tokens,output_tokens,service,project\r\nm,1000000,1000000,,"a, b"\r\nm,1000000,0,batch,c\r\n'
    expect((await reprice(own, '--months', '1')).said).toContain('    maker m: 5.5 USD\n')
    const csv =
      'usage_date_utc,model_version,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_read,usage_output_tokens\n' +
      '2026-11-01,m,standard,200k-1M,1000000,0,0\n'
    expect((await reprice(csv, '--months', '1')).said).toContain('    maker m: 4 USD\n')
  })

  it('says which row it cannot read, and what it takes', async () => {
    for (const [report, message] of [
      ['[]', /has no rows/],
      ['model,tokens\nm,3\n', /row 1 names no model, or counts nothing/],
      [{ data: [{ results: [{ ...used, model: null }] }] }, /row 1 names no model/],
      ['a"b,c\n"', /is neither JSON nor CSV/],
    ] as const) {
      const { said, code } = await reprice(report)
      expect([code, said]).toEqual([1, expect.stringMatching(message)])
    }
    expect((await command(env(), 'reprice', join(folder, 'missing'))).said).toContain('The report could not be read')
  })
})

describe('a row of a usage report', () => {
  it('counts each token once, as the prices do', () => {
    const row = {
      model: 'm',
      input_tokens: 100,
      input_cached_tokens: 30,
      input_audio_tokens: 20,
      output_tokens: 50,
      output_audio_tokens: 10,
      num_model_requests: 2,
      service_tier: 'flex',
    }
    expect(reportLine(row)).toEqual({
      model: 'm',
      items: [
        { dimension: 'input_tokens', quantity: 50 },
        { dimension: 'cache_read_tokens', quantity: 30 },
        { dimension: 'input_audio_tokens', quantity: 20 },
        { dimension: 'output_tokens', quantity: 40 },
        { dimension: 'output_audio_tokens', quantity: 10 },
      ],
      tier: { service: 'flex' },
      contextTokens: 50,
    })
    const anthropic = {
      ...{ model: 'c', uncached_input_tokens: 5, cache_read_input_tokens: 6, output_tokens: 9, service_tier: 'batch' },
      ...{ cache_creation: { ephemeral_5m_input_tokens: 7, ephemeral_1h_input_tokens: 8 }, context_window: '0-200k' },
      server_tool_use: { web_search_requests: 2 },
    }
    expect(reportLine(anthropic)).toEqual({
      model: 'c',
      items: [
        { dimension: 'input_tokens', quantity: 5 },
        { dimension: 'cache_read_tokens', quantity: 6 },
        { dimension: 'cache_write_tokens', quantity: 7, tier: { ttl: '5m' } },
        { dimension: 'cache_write_tokens', quantity: 8, tier: { ttl: '1h' } },
        { dimension: 'output_tokens', quantity: 9 },
        { dimension: 'web_searches', quantity: 2 },
      ],
      tier: { service: 'batch' },
      contextTokens: 1,
    })
    expect(reportLine({ model: 'm', input_tokens: '10', requests: '3' })?.items).toEqual([
      { dimension: 'input_tokens', quantity: 30 },
    ])
    expect(reportLine({ model: 'm', cost: 3 })).toBeUndefined()
    expect(reportLine('text')).toBeUndefined()
  })
})
