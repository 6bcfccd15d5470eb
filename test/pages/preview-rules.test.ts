import { describe, expect, it } from 'vitest'
import { shownUnit } from '../../src/lib/text/price-text.ts'
import { html } from '../../src/pages/html-rules.ts'
import {
  comparisonSentence,
  comparisonSteps,
  previewTags,
  priceSentence,
  priceSteps,
  withPreview,
} from '../../src/pages/preview-rules.ts'
import type { Series } from '../../src/prices/explore/read-series.ts'

type Row = Series['rows'][number]
const instant = (day: number) => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z` as Row['publishedAt']

function row(given: Partial<Row> = {}): Row {
  const unit = given.unit ?? 'usd_per_token'
  return {
    provider: 'acme',
    resource: 'm1',
    listed: 'm1',
    source: 'list',
    dimension: 'input_tokens',
    unit,
    currency: 'USD',
    tier: {},
    price: '0.000002',
    recordedAt: instant(1),
    contentHash: 'a'.repeat(64),
    publishedAt: instant(1),
    unpublishedAt: null,
    status: 'published',
    reason: null,
    effectiveFrom: null,
    snapshotHash: null,
    locator: null,
    contradicted: null,
    confirmation: null,
    ...shownUnit(unit),
    ...given,
  }
}
const series = (...rows: Row[]): Series => ({
  asOf: '2026-11-22T10:00:00.000Z' as Series['asOf'],
  newest: instant(22),
  rows,
  credits: [],
  leftOut: 0,
  renamings: [],
  upcoming: [],
  facts: [],
  providers: {},
})
const sentence = (...rows: Row[]) => priceSentence(series(...rows))

describe('the tags of a preview', () => {
  const preview = { title: 'm1 & "more"', text: 'It costs <2>.', url: 'https://prices.example/prices/acme/m1?a=1&b=2' }

  it('are a title, a sentence and the address, as text', () => {
    expect(previewTags(preview).markup).toBe(`<title>m1 &amp; &quot;more&quot; · Pricetape</title>
<meta name="description" content="It costs &lt;2&gt;.">
<meta property="og:site_name" content="Pricetape">
<meta property="og:type" content="website">
<meta property="og:title" content="m1 &amp; &quot;more&quot;">
<meta property="og:description" content="It costs &lt;2&gt;.">
<meta property="og:url" content="https://prices.example/prices/acme/m1?a=1&amp;b=2">
<meta name="twitter:card" content="summary">
`)
  })

  it('have a picture of 1200 by 630 where there is one, and are large then', () => {
    const { markup } = previewTags({ ...preview, image: 'https://prices.example/i.png?a&b' })
    expect(markup.split('\n').slice(-2)).toEqual([
      '<meta name="twitter:card" content="summary_large_image">',
      '<meta property="og:image" content="https://prices.example/i.png?a&amp;b"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">',
    ])
  })

  it('take the place of the title in the page of the app, whatever is in them', () => {
    const app = Buffer.from('<head><title>Pricetape</title><script></script></head>')
    expect(withPreview(app, html`<title>${"$& $1 $' m1"}</title>`).toString()).toBe(
      '<head><title>$&amp; $1 $&#39; m1</title><script></script></head>',
    )
  })
})

describe('the sentence of a preview', () => {
  it('names the prices of what goes in and what comes out, or of an hour, as people read them', () => {
    const output = row({ dimension: 'output_tokens', price: '0.00001' })
    expect(sentence(row({ dimension: 'cache_read_tokens' }), output, row())).toBe(
      'input tokens 2 USD per million tokens, output tokens 10 USD per million tokens, as of 2026-11-22.',
    )
    const hour = { unit: 'eur_per_gpu_hour', currency: 'EUR', price: '3.5' }
    const pages = row({ dimension: 'pages' })
    expect(sentence(pages, row({ ...hour, dimension: 'gpu_hours' }))).toBe(
      'gpu hours 3.5 EUR per GPU hour, as of 2026-11-22.',
    )
    expect(sentence(pages, row({ ...hour, unit: 'eur_per_instance_hour', dimension: 'instance_hours' }))).toBe(
      'instance hours 3.5 EUR per instance hour, as of 2026-11-22.',
    )
  })

  it('names the first two other prices where it has none of these', () => {
    const others = ['rerank_queries', 'web_searches', 'pages'].map((dimension) =>
      row({ dimension, unit: 'usd_per_query', price: '0.5' }),
    )
    expect(sentence(...others)).toBe(
      'rerank queries 0.5 USD per query, web searches 0.5 USD per query, as of 2026-11-22.',
    )
  })

  it('leaves out what is no longer served and what holds under a condition, and takes the last of two sources', () => {
    const gone = row({ price: '0.1', unpublishedAt: instant(2) })
    const batch = row({ price: '0.2', tier: { service: 'batch' } })
    expect(sentence(gone, row({ price: '0.000001' }), row({ price: '0.000003', source: 'other' }), batch)).toBe(
      'input tokens 3 USD per million tokens, as of 2026-11-22.',
    )
    expect(sentence(gone, batch)).toBe('Its published prices through time, as of 2026-11-22.')
  })
})

describe('the steps of the price that a preview draws', () => {
  const steps = (...rows: Row[]) =>
    priceSteps(series(...rows)).map(({ at, price }) => [new Date(at).toISOString(), price])

  it('begin with each price, and with its end where nothing follows', () => {
    expect(
      steps(
        row({ price: '2', publishedAt: instant(5), unpublishedAt: instant(7) }),
        row({ price: '1', publishedAt: instant(1), unpublishedAt: instant(5) }),
        row({ price: '3', publishedAt: instant(9) }),
      ),
    ).toEqual([
      [instant(1), 1],
      [instant(5), 2],
      [instant(7), null],
      [instant(9), 3],
    ])
    expect(steps()).toEqual([])
  })

  it('leave out what was withdrawn as wrong', () => {
    const wrong = row({ price: '1', publishedAt: instant(2), unpublishedAt: instant(3), status: 'withdrawn' })
    const rows = [row({ price: '10' }), wrong, row({ price: '9', publishedAt: instant(3) })]
    expect(steps(...rows)).toEqual([
      [instant(1), 10],
      [instant(3), 9],
    ])
  })

  it('show the last row where two are served at once', () => {
    expect(steps(row({ price: '1', publishedAt: instant(1) }), row({ price: '2', publishedAt: instant(2) }))).toEqual([
      [instant(1), 1],
      [instant(2), 2],
    ])
  })

  it('are those of the standard price of the dimension that people look for first, from one source', () => {
    expect(
      steps(
        row({ price: '1', dimension: 'output_tokens' }),
        row({ price: '2', tier: { service: 'batch' } }),
        row({ price: '3', source: 'first' }),
        row({ price: '4', source: 'second', publishedAt: instant(2) }),
        row({ price: '5', source: 'first', tier: { region: 'eu' }, publishedAt: instant(3) }),
      ),
    ).toEqual([[instant(1), 3]])
  })

  it('are those of the first standard price where there is none that people look for', () => {
    expect(
      steps(
        row({ price: '1', dimension: 'pages', tier: { service: 'batch' } }),
        row({ price: '2', dimension: 'web_searches' }),
        row({ price: '3', dimension: 'pages', publishedAt: instant(2) }),
      ),
    ).toEqual([[instant(1), 2]])
    expect(steps(row({ tier: { service: 'batch' } }))).toEqual([])
  })
})

describe('the sentence of a comparison', () => {
  const compared = (...rows: Row[]) => comparisonSentence(series(...rows))

  it('counts the sellers, and names the lowest and the highest price of each kind', () => {
    expect(
      compared(
        row({ provider: 'dear', price: '0.00001' }),
        row({ provider: 'cheap', price: '0.000009' }),
        row({ provider: 'middle', price: '0.0000095' }),
        row({ provider: 'cheap', dimension: 'output_tokens', price: '0.00002' }),
      ),
    ).toBe(
      'At 3 sellers, input tokens 9 to 10 USD per million tokens, output tokens 20 USD per million tokens, as of 2026-11-22.',
    )
  })

  it('names one price where all sellers ask the same', () => {
    expect(compared(row({ provider: 'a' }), row({ provider: 'b' }))).toBe(
      'At 2 sellers, input tokens 2 USD per million tokens, as of 2026-11-22.',
    )
    expect(compared(row())).toBe('At 1 seller, input tokens 2 USD per million tokens, as of 2026-11-22.')
  })

  it('counts sellers of other currencies and kinds, without a price of theirs', () => {
    const pages = row({ provider: 'b', dimension: 'pages' })
    expect(compared(row({ currency: 'EUR' }), pages)).toBe('At 2 sellers, as of 2026-11-22.')
  })

  it('leaves out what is no longer served and what holds under a condition', () => {
    const gone = row({ provider: 'b', price: '0.1', unpublishedAt: instant(2) })
    const batch = row({ provider: 'c', price: '0.2', tier: { service: 'batch' } })
    expect(compared(gone, batch, row())).toBe('At 1 seller, input tokens 2 USD per million tokens, as of 2026-11-22.')
    expect(compared(gone, batch)).toBe('Its published prices through time at every seller, as of 2026-11-22.')
  })
})

describe('the steps that the preview of a comparison draws', () => {
  const lines = (...rows: Row[]) =>
    comparisonSteps(series(...rows)).map((steps) => steps.map(({ at, price }) => [new Date(at).toISOString(), price]))

  it('are those of each seller, of the dimension that people look for first', () => {
    expect(
      lines(
        row({ provider: 'a', dimension: 'output_tokens', price: '7' }),
        row({ provider: 'a', price: '2', publishedAt: instant(3) }),
        row({ provider: 'b', price: '5' }),
        row({ provider: 'a', price: '1', unpublishedAt: instant(3) }),
        row({ provider: 'c', dimension: 'output_tokens', price: '9' }),
      ),
    ).toEqual([
      [
        [instant(1), 1],
        [instant(3), 2],
      ],
      [[instant(1), 5]],
    ])
  })

  it('are of a dimension that is sold now, without conditions', () => {
    const output = row({ dimension: 'output_tokens', price: '8' })
    expect(lines(row({ unpublishedAt: instant(2) }), row({ tier: { service: 'batch' } }), output)).toEqual([
      [[instant(1), 8]],
    ])
    expect(lines(row({ unpublishedAt: instant(2) }))).toEqual([])
  })
})
