import { canonicalJson } from '../../../lib/canonical-json.ts'
import { type PriceCollector, type ReadContext, SnapshotError } from '../../collector.ts'
import { canonicalOf } from '../canonical-ids.ts'
import { type Observations, startObservations } from '../observations.ts'
import { readPage } from '../tables/page.ts'
import type { Page, Table } from '../tables/schema.ts'
import { headingKey } from '../tables/text.ts'
import { checkPrices } from './checks.ts'
import { startOf } from './conditions.ts'
import type { PageDeclaration, TableRule } from './declaration.ts'
import { peakHours } from './hours.ts'
import { pagePlace } from './page-place.ts'
import { ruleOf } from './page-rule.ts'
import type { PagePrice } from './read-cell.ts'
import { readTable } from './read-table.ts'
import { withSentences } from './sentences.ts'

/** The collector of a maker's page. Whatever is not as declared makes the page unreadable: nothing is guessed. */
export function pageCollector(declaration: PageDeclaration): PriceCollector {
  const { format, parserVersion } = declaration
  return {
    format,
    parserVersion,
    isPage: true,
    parse: (bytes, context) => readDeclared(declaration, bytes, context),
    place: (bytes, wanted) => pagePlace(declaration, bytes, wanted),
  }
}

function readDeclared(declaration: PageDeclaration, bytes: Uint8Array, { at }: ReadContext) {
  const page = withSentences(readPage(bytes, declaration), declaration)
  checkPage(declaration, page)
  const observations = startObservations()
  observations.provider(declaration.provider, declaration.name)
  const peak = peakHours(page.text)
  const seen = new Set<TableRule>()
  const found = new Map<string, string>()
  for (const table of page.tables) {
    const rule = ruleOf(declaration, table)
    if (!rule) ignoreTable(observations, table)
    else if ('ignored' in rule) observations.ignore(rule.ignored, placeOf(table))
    else {
      seen.add(rule)
      for (const price of readTable(table, { rule, model: declaration.model, at, peak })) {
        refuseAnother(found, price)
        take(observations, declaration.provider, price)
      }
    }
  }
  const missing = declaration.tables.find((rule) => 'always' in rule && rule.always && !seen.has(rule))
  if (missing)
    throw new SnapshotError(
      `The page of ${declaration.name} has no table “${missing.name}”: it was redesigned, or is another page. ${tablesOf(page)}`,
    )
  const read = observations.done()
  checkPrices(declaration, read.observations)
  return read
}

/** Another page behind the address, or the page in another language or with other buttons pressed. */
function checkPage({ name, says, pressed, titles, plain }: PageDeclaration, page: Page): void {
  const language = page.language?.toLowerCase()
  if (language && !/^en(?:$|-(?!x-mtfrom))/.test(language))
    throw new SnapshotError(`The page of ${name} is in the language ${language}; its prices are read in English.`)
  for (const [what, pattern] of Object.entries(says))
    if (!pattern.test(page.text))
      throw new SnapshotError(
        `The page does not say ${what}: it is another page than that of ${name}, or was redesigned. It begins with “${page.text.slice(0, 80)}”.`,
      )
  const other = pressed && page.pressed.find((button) => button !== '' && !pressed.test(button))
  if (other) throw new SnapshotError(`The page of ${name} shows other prices: “${other}” is chosen.`)
  if (!titles || !plain) return
  const unknown = page.tables
    .flatMap(({ before }) => before)
    .find((text) => isTitle(text) && !isKnown(text, titles, plain))
  if (unknown) throw new SnapshotError(`The page of ${name} has an unknown section “${unknown}”.`)
}

/** A few words without a full stop. */
const isTitle = (text: string): boolean => text.length < 60 && !/[.:$|]$/.test(text) && /^[A-Z]/.test(text)
const isKnown = (text: string, titles: object, plain: RegExp): boolean =>
  Object.hasOwn(titles, headingKey(text)) || plain.test(text)

/** A table that no rule knows is none of prices of models, or the page has changed. */
function ignoreTable(observations: Observations, table: Table): void {
  const cells = table.rows.flat()
  const hasModels = table.rows
    .slice(0, table.headerRows)
    .some((row) => row.some(({ text }) => /^models?\b/i.test(text)))
  const prices = cells.filter(({ text }) => /[$€£¥]\s*\d/.test(text)).length
  if (hasModels && prices > 0) throw new SnapshotError(`There is an unknown table of prices under “${placeOf(table)}”.`)
  observations.ignore('a table without prices of models', placeOf(table))
}

const placeOf = ({ headings, panes }: Table): string => [...headings.map(({ text }) => text), ...panes].join(' / ')
const tablesOf = ({ tables }: Page): string =>
  tables.length === 0 ? 'It has no tables at all.' : `Its first table stands under “${placeOf(tables[0]!)}”.`

/** One line with two prices: which one holds is unknown. */
function refuseAnother(found: Map<string, string>, { is, quoted }: PagePrice): void {
  if (is !== 'price') return
  const { resource, dimension, tier = {}, amount, decimalShift } = quoted
  const line = `${resource} ${dimension} ${canonicalJson(tier)}`
  const price = `${Number(amount)} per 10^${decimalShift}`
  const before = found.get(line)
  if (before !== undefined && before !== price)
    throw new SnapshotError(`The page has two prices for ${line}: ${before} and ${price}.`)
  found.set(line, price)
}

function take(observations: Observations, provider: string, price: PagePrice): void {
  const canonicalResource = canonicalOf(provider, price.quoted.resource)
  const quoted = { ...price.quoted, provider, canonicalResource }
  if (price.is === 'price') observations.price(quoted)
  else if (price.is === 'later') observations.announce(quoted, startOf(price.from)!)
  else if (price.is === 'unreadable') observations.zero(quoted, price.reason)
  else if (price.is === 'left_out') observations.ignore(price.reason, `${quoted.resource} at ${quoted.locator}`)
}
