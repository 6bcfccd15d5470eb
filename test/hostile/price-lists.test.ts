import { describe, expect, test } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { genaiKey } from '../../src/collectors/formats/genai-prices-keys.ts'
import { litellmKey } from '../../src/collectors/formats/litellm-keys.ts'
import { PRICE_FORMATS } from '../../src/collectors/index.ts'
import { parsePrices } from '../../src/collectors/parse-prices.ts'
import { canonicalOf } from '../../src/collectors/reading/canonical-ids.ts'
import { providerSlug } from '../../src/collectors/reading/provider-slugs.ts'
import { quantityOf } from '../../src/collectors/reading/quantities.ts'
import { parseInstant } from '../../src/lib/instant.ts'
import { newest, PAGES, type PageFormat } from '../collectors/pages/samples.ts'
import { SELLER_PAGES } from '../collectors/pages/seller-samples.ts'
import { isolation } from '../support/isolation.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

const MB = 1024 * 1024
/** Longer than any name. A reader that takes more than linear time takes minutes for it. */
const NAME_BYTES = MB / 4
const at = parseInstant('2026-11-21T00:00:00Z')!
const parse = (format: string, text: string) => {
  const source = sourceDeclaration.parse({
    source: 'hostile',
    format,
    options: { provider: 'acme', location: 'here', region: 'eu' },
  })
  return parsePrices(isolation, { source, bytes: new TextEncoder().encode(text), at })
}

/** A valid list of each format, with a text from outside wherever a text is allowed. */
const json = (value: unknown) => JSON.stringify(value)
const LISTS: Record<string, (text: string) => string> = {
  'genai-prices': (text) =>
    json([
      { id: 'acme', name: text, models: [{ id: 'm', prices: { input_mtok: 1, [text]: 2 } }, { id: text, prices: { input_mtok: text } }, { id: `n${text}`, prices: { input_mtok: 1 } }] },
    ]),
  ...Object.fromEntries(
    ['openrouter', 'sambanova', 'cerebras', 'chutes', 'ovh-ai-endpoints', 'llm-gateway', 'nebius', 'baseten'].map((format) => [
      format, (text: string) => json({ data: [{ id: 'm', pricing: { prompt: '1', completion: '1', [text]: '2' } }, { id: `m${text}`, pricing: { prompt: '1', completion: text, overrides: [{ [text]: 1, utc_days: [text] }] } }] }),
    ]),
  ),
  'vercel-ai-gateway': (text) => json({ data: [{ id: 'm', pricing: { input: '1', output: '1', [text]: '2' } }, { id: `m${text}`, pricing: { input: text, input_tiers: [{ cost: text, min: 1 }, { min: text }] } }] }),
  'huggingface-router': (text) => json({ data: [{ id: 'm', providers: [{ provider: 'x', status: 'live', pricing: { input: 1, output: 1 } }, { provider: text, status: 'live', pricing: { input: 1, [text]: 1 } }] }, { id: `m${text}`, providers: [{ provider: 'x', status: text }] }] }),
  deepinfra: (text) => json([{ model_name: 'm', pricing: { cents_per_input_token: 1, cents_per_output_token: 1, [text]: 1 } }, { model_name: `m${text}`, pricing: { cents_per_input_token: text, rate_per_input_token_cached: text, discount: text } }, { model_name: 'n', pricing: { full: text, discount_ends_at: text, cents_per_input_token: 1 } }]),
  novita: (text) => json({ data: [{ id: 'm', pricing: { prompt: { price_per_m_decimal: '1' }, completion: { price_per_m_decimal: '1', price_per_m: text } } }, { id: `m${text}`, pricing: { prompt: { price_per_m_decimal: text }, [text]: {} } }] }),
  requesty: (text) => json({ data: [{ id: 'm', input_price: 1, output_price: 1, [text]: text }, { id: `m${text}`, input_price: text }] }),
  'io-net': (text) => json({ data: [{ id: 'm', input_token_price: 1, output_token_price: 1, [text]: text }, { id: `m${text}`, input_token_price: text }] }),
  avian: (text) => json({ data: [{ id: 'm', pricing: { input_per_million: 1, output_per_million: 1, [text]: text } }, { id: `m${text}`, pricing: { input_per_million: text } }] }),
  friendli: (text) => json({ data: [{ id: 'm', pricing: { input: '1', output: '1', [text]: text } }, { id: `m${text}`, deprecation_date: text, pricing: { input: text, unit_type: text } }] }),
  synthetic: (text) => json({ data: [{ id: 'm', pricing: { prompt: '$1', completion: '$1', [text]: text } }, { id: `m${text}`, pricing: { prompt: `$${text}` } }] }),
  nearai: (text) => {
    const price = { amount: 1, scale: 9, currency: 'USD' }
    const rates = { uncachedInput: text, [text]: text }
    return json({ models: [{ modelId: 'm', inputCostPerToken: price, outputCostPerToken: price, [text]: text }, { modelId: `m${text}`, inputCostPerToken: { ...price, amount: text }, outputCostPerToken: { ...price, currency: text } }, { modelId: 'n', textPricing: { version: 1, currency: 'USD', unit: 'million_tokens', tiers: { default: { short: rates } } } }, { modelId: 'o', textPricing: { tiers: { [text]: text } } }] })
  },
  together: (text) => json([{ id: 'm', type: 'chat', pricing: { input: 1, output: 1, [text]: text } }, { id: `m${text}`, type: text, pricing: { input: text } }, { id: `n${text}`, pricing: { input: text } }]),
  venice: (text) => json({ data: [{ id: 'm', model_spec: { pricing: { input: { usd: 1 }, output: { usd: 1 }, [text]: { [text]: 1 } } } }, { id: `m${text}`, model_spec: { pricing: { input: { usd: text }, extended: { [text]: 1 } } } }] }),
  'models-dev': (text) => json({ acme: { name: text, models: { m: { cost: { input: 1, [text]: 1 } }, [`m${text}`]: { cost: { input: 1, output: text } } } } }),
  litellm: (text) =>
    json({ m: { litellm_provider: 'openai', input_cost_per_token: 1, [`${text}_cost_per_token`]: 1 }, [`m${text}`]: { litellm_provider: 'openai', mode: text, input_cost_per_token: 1 }, o: { litellm_provider: text, input_cost_per_token: 1 } }),
  azure: (text) => {
    const item = { currencyCode: 'USD', retailPrice: 1, unitOfMeasure: '1 Hour', type: 'Consumption', armRegionName: 'eu', productName: 'Virtual Machines N', skuName: 'N', meterName: 'N', armSkuName: 'N1' }
    return json({ Items: [item, { ...item, unitOfMeasure: text }, { ...item, armRegionName: text, armSkuName: `N${text}` }, { ...item, productName: text, serviceName: text, skuName: text, meterName: text }] })
  },
  aws: (text) => {
    const term = (unit: string) => ({ t: { effectiveDate: '2026-01-01T00:00:00Z', priceDimensions: { d: { unit, description: text, pricePerUnit: { USD: '1' } } } } })
    const product = (attributes: object) => ({ productFamily: text, attributes: { regionCode: 'eu', ...attributes } })
    return json({
      products: { a: product({ instanceType: 'n1' }), b: product({ instanceType: `n${text}`, operatingSystem: text }), c: product({ usagetype: text }) },
      terms: { OnDemand: { a: term('Hrs'), b: term('Hrs'), c: term(text) } },
    })
  },
  skypilot: (text) => `InstanceType,Price,Region,AcceleratorName,AcceleratorCount\nn1,1,eu,,\n"n${text.replaceAll('"', '""')}",1,"${text.replaceAll('"', '""')}",,\n`,
  'scaleway-servers': (text) => json({ servers: { m: { hourly_price: 1, [text]: 2 }, [`n${text}`]: { hourly_price: text } } }),
  'lambda-instances': (text) => json({ data: { m: { instance_type: { price_cents_per_hour: 1, [text]: 2 } }, [`n${text}`]: { instance_type: { price_cents_per_hour: text } } } }),
  'ovh-catalog': (text) => {
    const addon = (planCode: string, more: object = {}) => ({ planCode, blobs: { technical: { cpu: {} } }, pricings: [{ intervalUnit: 'hour', price: 1, ...more }] })
    return json({ locale: { currencyCode: 'EUR' }, addons: [addon('m.consumption'), addon('n.consumption', { price: text }), addon(`${text}.consumption`), addon('o.consumption', { intervalUnit: text })] })
  },
  'runpod-gpu-types': (text) => json({ data: { gpuTypes: [{ id: 'm', secureCloud: true, securePrice: 1, [text]: 2 }, { id: `m${text}`, secureCloud: true, securePrice: text, secureSpotPrice: text }] } }),
  'ec2-on-demand': (text) => {
    const machine = (more: object) => ({ 'Instance Type': 'p5.48xlarge', Location: 'here', price: '1', ...more })
    return json({ manifest: { currencyCode: 'USD' }, regions: { here: { a: machine({}), b: machine({ 'Instance Type': `p5.${text}`, price: text }), [text]: machine({ 'Instance Type': 'p5', 'Operating System': text, 'Pre Installed S/W': text }), c: machine({ 'Instance Type': 'p4', 'License Model': text, Location: text }) } } })
  },
  'google-cloud-skus': (text) => {
    const sku = (description: string, more: object = {}) => ({
      description, skuId: text, serviceRegions: ['eu'], category: { resourceFamily: 'Compute', resourceGroup: 'GPU', usageType: 'OnDemand' },
      pricingInfo: [{ effectiveTime: text, pricingExpression: { usageUnit: 'h', tieredRates: [{ unitPrice: { currencyCode: 'USD', units: '1' } }] } }], ...more,
    })
    return json({ skus: [sku('G running in Iowa'), sku(`${text} running in ${text}`), sku(`Reserved ${text} in ${text}`), sku('H running in Iowa', { serviceRegions: [text] }), sku('I running in Iowa', { pricingInfo: [{ pricingExpression: { usageUnit: text, tieredRates: [{ unitPrice: { units: text, nanos: text } }] } }] })] })
  },
  oracle: (text) => {
    const product = (more: object) => ({ partNumber: 'B1', displayName: 'm', metricName: 'GPU Per Hour', currencyCodeLocalizations: [{ currencyCode: 'USD', prices: [{ model: 'PAY_AS_YOU_GO', value: 1 }] }], ...more })
    return json({ items: [product({}), product({ displayName: `m${text}`, serviceCategory: text }), product({ metricName: text }), product({ partNumber: text, currencyCodeLocalizations: [{ currencyCode: text, prices: [{ model: text }] }] })] })
  },
  'ai-price-index': (text) => {
    const input = [{ from: '2026-01-01', to: null, price_usd: 1, unit: 'usd_per_mtok', src: 'https://a' }, { from: text, price_usd: 2, unit: text, src: text }, { from: '2026-01-01', price_usd: 1, unit: 'usd_per_mtok', src: `https://${text}`, confidence: text, last_validated: text }]
    return json({ models: [{ provider: 'acme', model: 'm', aliases: [text], variations: { input, [text]: input } }, { provider: 'acme', model: `m${text}`, variations: { input: [...input, { price_usd: text }] } }] })
  },
  curated: (text) =>
    json({ prices: [{ provider: 'acme', resource: 'm', dimension: 'input_tokens', price: 1 }, { provider: 'acme', resource: `m${text}`, dimension: 'input_tokens', price: 1, category: text, billingCondition: text, pricingTier: { region: `x${text}`.slice(0, 100) } }] }),
  ...Object.fromEntries(
    Object.keys(PAGES).map((format) => [format, (text: string) => withText(newest(format as PageFormat), text)]),
  ),
  ...Object.fromEntries(
    Object.entries(SELLER_PAGES).map(([format, pages]) => [format, (text: string) => withText(Object.values(pages).at(-1)!, text)]),
  ),
  'cohere-page': (text) => withData(withText(SELLER_PAGES['cohere-page']['2026-10'], text), { note: text, models: [{ modelName: text, per: text }] }),
} // biome-ignore format: samples
/** A page with a text from outside below its last table. */
function withText(page: string, text: string): string {
  if (page.startsWith('{')) {
    const answer = JSON.parse(page) as { data: { content: string } }
    return json({ ...answer, data: { content: withText(answer.data.content, text) } })
  }
  const end = page.lastIndexOf('</main>') + 1 || page.lastIndexOf('</article>') + 1
  return end > 0 ? `${page.slice(0, end - 1)}<p>${text}</p>${page.slice(end - 1)}` : `${page}\n\n${text}\n`
}

/** A page with a text from outside in the data of its prices. */
function withData(page: string, group: object): string {
  const data = JSON.stringify(`{"pricingGroups":[${JSON.stringify(group)}]}`)
  return page.replace('</body>', () => `<script>self.__next_f.push([1,${data}])</script></body>`)
}

const FILLS = ['\0', ' ', '\n', '\t', 'a', '0', '1', '9', '_', '-', '.', '/', ':', ',', ';', '"', "'", '[', '{', '(', '<', '\\', 'é', '\u3000', '\ufeff',
  '[]', '{}', '[{', '[[', '":', ', ', ' a', '\n"', '""', '1 ', ' /', '_1', '-v', 'a.', '<a', '\r\n', '10', ': ', ']['] // biome-ignore format: one thing after another

/** Regular expressions over names and units: each is given what would make a backtracking one slow. */
describe('a reader of names and units takes linear time', () => {
  const readers: [string, (text: string) => unknown][] = [
    ['quantityOf', quantityOf],
    ['providerSlug', providerSlug],
    ['canonicalOf', (text) => canonicalOf('openai', text)],
    ['litellmKey', litellmKey],
    ['genaiKey', genaiKey],
  ]
  const worst = [...FILLS.map((fill) => fill.repeat(NAME_BYTES / fill.length)), `1${' '.repeat(NAME_BYTES)}x`, `${' '.repeat(NAME_BYTES)}x`, `x${'\n'.repeat(NAME_BYTES)}x`,
    `1 ${'a '.repeat(NAME_BYTES / 2)}!`, `input_cost_per_image_${'1'.repeat(NAME_BYTES)}!`, `_above_${'1'.repeat(NAME_BYTES)}`, `m${':1'.repeat(NAME_BYTES / 2)}x`, `a${'-v1'.repeat(NAME_BYTES / 3)}:`] // biome-ignore format: one thing after another
  test.each(readers)('%s', (_name, read) => {
    for (const text of worst) {
      const began = process.cpuUsage()
      read(text)
      const { user, system } = process.cpuUsage(began)
      expect((user + system) / 1_000, JSON.stringify(text.slice(0, 20))).toBeLessThan(1_000)
    }
  })
})

/** JSON, CSV, and the format that is either: what is not a list at all is the same to the others. */
const WHOLE_LISTS = ['genai-prices', 'skypilot', 'curated']
const whole = process.env.PRICETAPE_TEST_HOSTILE === 'whole'
const LIMIT_MS = 5_000
/** A quarter of what is meant: a reader that takes more than linear time takes longer for that too. */
const repeated = (fill: string) => fill.repeat((whole ? MB : MB / 4) / fill.length)
/** Every n-th text, for each format others; PRICETAPE_TEST_HOSTILE=whole takes all of them, of a whole megabyte. */
const every = (n: number, format: string) => {
  const first = Object.keys(LISTS).indexOf(format)
  return FILLS.filter((_, index) => whole || index % n === first % n)
}

describe('a list of one character or pair is read or rejected, a megabyte within 5 s', {
  timeout: whole ? 3_600_000 : 600_000,
}, () => {
  test('every format has a sample that is read', async () => {
    expect(Object.keys(LISTS).sort()).toEqual([...PRICE_FORMATS].sort())
    for (const [format, list] of Object.entries(LISTS))
      expect(await parse(format, list('plain')), format).toMatchObject({ kind: 'read' })
  })

  test.each(Object.entries(LISTS))('%s', async (format, list) => {
    const bodies = [
      ...(WHOLE_LISTS.includes(format) ? every(3, format) : []).map((fill) => ({ fill, body: repeated(fill) })),
      ...every(9, format).map((fill) => ({ fill, body: list(repeated(fill)) })),
    ]
    for (const { fill, body } of bodies) {
      const started = performance.now()
      const read = await parse(format, body)
      const took = performance.now() - started
      if (read.kind === 'unreadable') expect(read.problem).not.toMatch(/longer than|processor time|ended before/)
      expect(took, `${JSON.stringify(fill)} in ${body.length} characters`).toBeLessThan(allowedMs(LIMIT_MS))
    }
  })
})

describe('a number that a float cannot hold is not a price, and never one of zero', () => {
  const PRICES: Record<string, (price: string) => string> = {
    'genai-prices': (price) => `[{"id":"acme","name":"A","models":[{"id":"m","prices":{"input_mtok":1,"output_mtok":${price}}}]}]`,
    openrouter: (price) => `{"data":[{"id":"m","pricing":{"prompt":"1","completion":${price}}}]}`,
    'models-dev': (price) => `{"acme":{"name":"A","models":{"m":{"cost":{"input":1,"output":${price}}}}}}`,
    litellm: (price) => `{"m":{"litellm_provider":"openai","input_cost_per_token":1,"output_cost_per_token":${price}}}`,
    requesty: (price) => `{"data":[{"id":"m","input_price":1,"output_price":${price}}]}`,
  } // biome-ignore format: one list a line
  const LOST = ['1e-400', '1e999', '-1e-400', `0.${'0'.repeat(400)}1`, `1${'0'.repeat(400)}`]

  test.each(Object.entries(PRICES))('%s', async (format, list) => {
    for (const price of LOST) {
      const read = await parse(format, list(price))
      if (read.kind !== 'read') throw new Error(`${format} was not read: ${read.problem}`)
      expect(read.prices.observations.map(({ dimension }) => dimension)).toEqual(['input_tokens'])
      expect(read.prices.unreadable).toMatchObject([
        { dimension: 'output_tokens', text: expect.stringContaining(price.slice(0, 5)) },
      ])
      expect(read.prices.ignored.map(({ reason }) => reason)).toContain('a price that is not a number')
    }
  })

  test('a curated file names it', async () => {
    const file = (price: string) =>
      `{"prices":[{"provider":"acme","resource":"m","dimension":"requests","price":${price}}]}`
    for (const price of LOST)
      expect(await parse('curated', file(price))).toMatchObject({ problem: expect.stringContaining('prices.0.price') })
  })
})

describe('bytes that are not text make a list unreadable', () => {
  test.each(Object.entries(LISTS))('%s', async (format, list) => {
    const source = sourceDeclaration.parse({
      source: 'hostile',
      format,
      options: { provider: 'acme', location: 'here', region: 'eu' },
    })
    const bytes = Buffer.from(list('QQ'))
    bytes[bytes.indexOf('QQ')] = 0xff
    expect(await parsePrices(isolation, { source, bytes, at })).toMatchObject({
      kind: 'unreadable',
      problem: expect.stringContaining('bytes that are not UTF-8'),
    })
  })
})

describe('what a database cannot store never leaves a reader', () => {
  test.each(Object.entries(LISTS))('%s', async (format, list) => {
    // CSV and pages are UTF-8, which has no surrogates; JSON writes them as escapes.
    for (const bad of format === 'skypilot' || format.endsWith('-page') ? ['\0'] : ['\0', '\ud800', 'x\udc00y']) {
      const read = await parse(format, list(bad))
      const text = JSON.stringify(read)
      expect(text).not.toMatch(/\\u0000|\\ud8|\\udc/)
      expect(read).toMatchObject({ kind: 'read' })
      if (read.kind !== 'read') continue
      const first = read.prices.observations.map(({ resource }) => resource)
      // A name that cannot be stored is not taken under another name.
      expect(first.join()).not.toContain('\ufffd')
    }
    const broken = await parse(format, '{"a\0b": \ud800')
    expect(broken).toMatchObject({ kind: 'unreadable' })
    expect(JSON.stringify(broken)).not.toMatch(/\\u0000|\\ud8/)
  })
})
