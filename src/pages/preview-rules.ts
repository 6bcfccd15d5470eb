import { type Decimal, moveDecimal } from '../lib/decimal.ts'
import { plural } from '../lib/text/plural.ts'
import type { Series } from '../prices/explore/read-series.ts'
import type { Step } from './chart-image.ts'
import { type Html, html } from './html-rules.ts'

export type Preview = { title: string; text: string; url: string; image?: string }

/** Returns what services that show a link find in the page: its title, a sentence and a picture. */
export const previewTags = ({ title, text, url, image }: Preview): Html => html`<title>${title} · Pricetape</title>
<meta name="description" content="${text}">
<meta property="og:site_name" content="Pricetape">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${text}">
<meta property="og:url" content="${url}">
<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">
${image && html`<meta property="og:image" content="${image}"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">`}`

const PAGE_TITLE = '<title>Pricetape</title>'

/** Returns the app's page with these tags in place of its title. */
export const withPreview = (page: Buffer, tags: Html): Buffer =>
  Buffer.from(page.toString().replace(PAGE_TITLE, () => tags.markup))

/** What a preview names first, where a resource has it. */
const FIRST = ['input_tokens', 'output_tokens', 'gpu_hours', 'instance_hours']
const words = (dimension: string): string => dimension.replaceAll('_', ' ')

type Row = Series['rows'][number]
const isServed = (row: Row): boolean => row.unpublishedAt === null && Object.keys(row.tier).length === 0

/** Returns what a resource costs, in one sentence. */
export function priceSentence({ rows, asOf }: Series): string {
  const current = new Map<string, Row>()
  for (const row of rows) if (isServed(row)) current.set(row.dimension, row)
  const named = FIRST.flatMap((dimension) => current.get(dimension) ?? [])
  const shown = named.length > 0 ? named : [...current.values()].slice(0, 2)
  const day = asOf.slice(0, 10)
  if (shown.length === 0) return `Its published prices through time, as of ${day}.`
  const prices = shown.map(
    ({ dimension, price, places, currency, per }) =>
      `${words(dimension)} ${moveDecimal(price as Decimal, places)} ${currency} per ${per}`,
  )
  return `${prices.join(', ')}, as of ${day}.`
}

/** Returns the steps of the price that a preview draws: the standard one of the first dimension, without what was wrong. */
export function priceSteps({ rows }: Series): Step[] {
  const standard = rows.filter(({ tier, status }) => Object.keys(tier).length === 0 && status !== 'withdrawn')
  const dimension = FIRST.find((name) => standard.some((row) => row.dimension === name)) ?? standard[0]?.dimension
  const source = standard.find((row) => row.dimension === dimension)?.source
  const own = standard.filter((row) => row.dimension === dimension && row.source === source)
  const instants = own.flatMap(({ publishedAt, unpublishedAt }) => [
    publishedAt,
    ...(unpublishedAt ? [unpublishedAt] : []),
  ])
  return [...new Set(instants)].sort().map((at) => {
    const served = own.filter(
      ({ publishedAt, unpublishedAt }) => publishedAt <= at && (unpublishedAt === null || unpublishedAt > at),
    )
    const price = served.at(-1)?.price
    return { at: Date.parse(at), price: price === undefined ? null : Number(price) }
  })
}

/** Returns what a model costs at its sellers, in one sentence: of each kind the lowest and the highest standard price. */
export function comparisonSentence({ rows, asOf }: Series): string {
  const current = rows.filter(isServed)
  const sellers = new Set(current.map(({ provider }) => provider)).size
  const day = asOf.slice(0, 10)
  if (sellers === 0) return `Its published prices through time at every seller, as of ${day}.`
  const ranges = FIRST.flatMap((dimension) => {
    const own = current.filter((row) => row.dimension === dimension && row.currency === 'USD')
    if (own.length === 0) return []
    const sorted = own.toSorted((a, b) => Number(a.price) - Number(b.price))
    const [least, most] = [sorted[0]!, sorted.at(-1)!].map(({ price, places }) => moveDecimal(price as Decimal, places))
    return [`${words(dimension)} ${least === most ? least : `${least} to ${most}`} USD per ${own[0]!.per}`]
  })
  return `${[`At ${plural(sellers, 'seller')}`, ...ranges].join(', ')}, as of ${day}.`
}

/** Returns the steps that the preview of a comparison draws: a line for each seller, of the kind that most have. */
export function comparisonSteps(series: Series): Step[][] {
  const dimension = FIRST.find((name) => series.rows.some((row) => row.dimension === name && isServed(row)))
  const sellers = [...new Set(series.rows.map(({ provider }) => provider))]
  return sellers.flatMap((provider) => {
    const rows = series.rows.filter((row) => row.provider === provider && row.dimension === dimension)
    return rows.length > 0 ? [priceSteps({ ...series, rows })] : []
  })
}
