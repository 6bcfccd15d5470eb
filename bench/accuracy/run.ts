/**
 * How many of the prices that a default installation serves equal the verified ones of the AI Price Index. Run with
 * `node --import tsx bench/accuracy/run.ts FILE`: the index's `current.json`, or its `index.json` with the files it names.
 */
import { readFile } from 'node:fs/promises'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { withScratchDatabase } from '../../src/cli/replay/scratch-database.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import { groupBy, tally } from '../../src/lib/collections.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { knownLines } from '../../src/prices/store/line-state-store.ts'
import { importHistory } from '../../src/roles/import-history.ts'
import { type Agreement, compareWithServed, verifiedOnly } from './agreement-rules.ts'

const declaration = new URL('../../sources/prices.json', import.meta.url)

/** The prices of the releases that come with the product, as an installation without a network serves them. */
async function servedPrices() {
  const { sources } = JSON.parse(await readFile(declaration, 'utf8')) as { sources: object[] }
  const bundled = sources.map((source) => sourceDeclaration.parse(source)).filter((source) => source.bundled)
  return withScratchDatabase(async (sql) => {
    await importHistory(sql, bundled, { progress: { say: () => undefined } })
    return (await Promise.all(bundled.map(({ source }) => knownLines(sql, source)))).flat()
  })
}

const [file] = process.argv.slice(2)
if (!file) throw new Error('Name the file of the AI Price Index.')
const collector = collectorFor('ai-price-index')!
const source = sourceDeclaration.parse({ source: 'ai-price-index', format: 'ai-price-index' })
const at = new Date().toISOString() as Instant
const { observations } = collector.parse(new Uint8Array(await readFile(file)), { source, at })
const agreements = compareWithServed(verifiedOnly(observations), await servedPrices())

const count = (found: Agreement[]) => {
  const counts: Record<string, number> = {}
  for (const { outcome } of found) tally(counts, outcome)
  return counts
}
const text = ({ verified, served, ...line }: Agreement) =>
  `${line.provider} ${line.resource} ${line.dimension} ${line.pricingTier} verified ${verified} (${line.validatedOn})` +
  (served ? `, served ${served} since ${line.servedSince}` : '')
console.log(JSON.stringify({ verified: agreements.length, ...count(agreements) }, null, 1))
for (const [dimension, found] of groupBy(agreements, (one) => one.dimension)) console.log(dimension, count(found))
for (const [outcome, found] of groupBy(agreements, (one) => one.outcome))
  if (outcome !== 'equal') console.log(`\n${outcome}\n${found.map(text).join('\n')}`)
