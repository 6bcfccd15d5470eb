import { readFile, writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { OperatorError } from '../lib/errors.ts'
import { openSql } from '../lib/postgres/database.ts'
import { learnLimits, type PublishedPrice } from '../prices/plan/evidence/learn-limits-rules.ts'
import { isOutside, type PriceLimits, priceLimits } from '../prices/plan/evidence/price-limit-rules.ts'
import { readPublishedPrices } from '../prices/replay/read-published-prices.ts'
import { errorMessage } from './error-message.ts'

const FILE = new URL('../../sources/price-limits.json', import.meta.url)

type Options = { database?: string; write?: true }

/** Reads what `npm run replay -- … --prices FILE` wrote. */
async function readPrices(file: string): Promise<PublishedPrice[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new OperatorError(`There is no file ${file}. Write one with npm run replay -- FOLDER --prices ${file}.`)
  })
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as PublishedPrice]))
}

async function readDatabase(url: string): Promise<PublishedPrice[]> {
  const sql = await openSql(url)
  try {
    return await readPublishedPrices(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Says how many of the prices the learned limits would hold: slips of one provider, or limits that are too narrow. */
function reportOutside(prices: PublishedPrice[], { dimensions, units }: PriceLimits): void {
  const outside = prices.filter(({ dimension, unit, price }) => {
    const limits = dimensions[dimension] ?? units[unit]
    return limits && isOutside(price, limits)
  })
  console.error(`${prices.length} published prices, ${outside.length} outside the learned limits`)
  for (const { provider, dimension, price } of outside.slice(0, 100))
    console.error(`  ${provider} ${dimension} ${price}`)
}

const program = new Command('learn-limits')
  .description('Learns the limits of prices (sources/price-limits.json) from published prices.')
  .argument('[files...]', 'what npm run replay -- FOLDER --prices FILE wrote')
  .option('--database <url>', 'the published and reviewed prices of this database too')
  .option('--write', 'replace sources/price-limits.json instead of printing it')
  .action(async (files: string[], { database, write }: Options) => {
    const prices = (await Promise.all(files.map(readPrices))).flat()
    if (database) prices.push(...(await readDatabase(database)))
    if (prices.length === 0) throw new OperatorError('Name at least one file of prices, or --database.')
    const learned = learnLimits(prices, priceLimits.parse(JSON.parse(await readFile(FILE, 'utf8'))))
    reportOutside(prices, learned)
    const text = `${JSON.stringify(learned, undefined, 2)}\n`
    if (write) await writeFile(FILE, text)
    else process.stdout.write(text)
  })

try {
  await program.parseAsync()
} catch (error) {
  console.error(errorMessage(error))
  process.exitCode = 1
}
