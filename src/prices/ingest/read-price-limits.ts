import { readFile } from 'node:fs/promises'
import { type PriceLimits, priceLimits } from '../plan/evidence/price-limit-rules.ts'

const FILE = new URL('../../../sources/price-limits.json', import.meta.url)

/** Returns the limits of prices that come with the product. */
export async function readPriceLimits(): Promise<PriceLimits> {
  return priceLimits.parse(JSON.parse(await readFile(FILE, 'utf8')))
}
