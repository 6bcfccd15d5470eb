import type { PriceCollector } from './collector.ts'
import { genaiPrices } from './genai-prices.ts'

export { type BundledSnapshot, bundledSnapshots } from './bundled.ts'
export { type PriceCollector, type PricesRead, SnapshotError } from './collector.ts'

const COLLECTORS = new Map([genaiPrices].map((collector): [string, PriceCollector] => [collector.format, collector]))

/** The collector of a price format, or undefined when the format is unknown or one of documents. */
export const collectorFor = (format: string): PriceCollector | undefined => COLLECTORS.get(format)

/** The formats prices are read from. */
export const PRICE_FORMATS = [...COLLECTORS.keys()]
