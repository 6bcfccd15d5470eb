import type { FirstStartResult } from '../../roles/first-start.ts'

/** Terminals are this wide at least. */
const WIDTH = 80
const INDENT = '    '

type Examples = Pick<FirstStartResult, 'change' | 'offer'>
type PriceChange = NonNullable<Examples['change']>
type MakersOffer = NonNullable<Examples['offer']>

/** Returns the requests that the first start screen shows, ready to paste, with what they answer. */
export function exampleLines(url: string, key: string, { change, offer }: Examples): string[] {
  const request = (...words: string[]) => wrapped(["curl -sGw '\\n' $URL", '-H "authorization: Bearer $KEY"', ...words])
  return [
    '  Requests, ready to paste:',
    '',
    `${INDENT}KEY=${key}`,
    `${INDENT}URL=${url}/v1/prices/history`,
    ...(change || offer ? [] : request('-d limit=3')),
    '',
    ...(change ? changeLines(change, request) : []),
    ...(offer ? offerLines(offer, request) : []),
  ]
}

type Request = (...words: string[]) => string[]

function changeLines({ provider, resource, dimension, day, before, now }: PriceChange, request: Request): string[] {
  const line = [
    data('providers', provider),
    data('resource', resource),
    data('dimension', dimension),
    '-d current=true',
  ]
  return [
    `  What does ${resource} cost at ${provider}?`,
    `  ${before} USD per ${dimension.replace(/_tokens$/, ' token')} until ${day}, ${now} now:`,
    '',
    ...request(...line, data('asOf', `${day}T00:00:00Z`)),
    ...request(...line),
    '',
  ]
}

/** A price in the standard tier is one without a tier. */
const BY_PRICE = [
  `${INDENT}  | node -pe 'JSON.parse(fs.readFileSync(0)).prices`,
  `${INDENT}    .filter((row) => Object.keys(row.pricingTier).length === 0)`,
  `${INDENT}    .sort((a, b) => a.price - b.price)`,
  `${INDENT}    .map((row) => row.price + " " + row.provider).join("\\n")'`,
]

function offerLines({ group, dimension, sellers, provider, price }: MakersOffer, request: Request): string[] {
  const lines = request(data('alias', group), data('dimension', dimension), '-d current=true')
  return [
    `  Who sells ${group}, and for how much?`,
    `  ${sellers} providers do. ${provider}, who makes it, asks ${price} USD per ${dimension.replace(/_tokens$/, ' token')}:`,
    '',
    ...lines.slice(0, -1),
    `${lines.at(-1)} \\`,
    ...BY_PRICE,
    '',
  ]
}

/** One parameter as curl takes it; what a shell or a URL would read otherwise is quoted and encoded. */
function data(name: string, value: string): string {
  if (/^[\w.:/-]+$/.test(value)) return `-d ${name}=${value}`
  return `--data-urlencode '${name}=${value.replaceAll("'", `'\\''`)}'`
}

/** A command over as many lines as it needs. */
function wrapped(words: string[]): string[] {
  const lines: string[] = []
  let line = INDENT
  for (const word of words) {
    if (line.trim() !== '' && line.length + word.length + ' \\'.length > WIDTH) {
      lines.push(`${line}\\`)
      line = `${INDENT}  `
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()]
}
