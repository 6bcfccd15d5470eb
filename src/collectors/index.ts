import { aws } from './aws.ts'
import { azure } from './azure.ts'
import type { PriceCollector } from './collector.ts'
import { curated } from './curated.ts'
import { genaiPrices } from './genai-prices.ts'
import { litellm } from './litellm.ts'
import { modelsDev } from './models-dev.ts'
import { openrouter } from './openrouter.ts'
import { skypilot } from './skypilot.ts'

export { type BundledSnapshot, bundledSnapshots } from './bundled.ts'
export { type PriceCollector, type PricesRead, SnapshotError } from './collector.ts'

const COLLECTORS = new Map(
  [genaiPrices, openrouter, modelsDev, litellm, azure, aws, skypilot, curated].map((collector) => [
    collector.format,
    collector,
  ]),
)

/** What else a format is called. */
const ALSO: Record<string, string> = {
  'aws-price-list': 'aws',
  'azure-retail-prices': 'azure',
  'models.dev': 'models-dev',
  'openrouter-models': 'openrouter',
  'skypilot-catalog': 'skypilot',
}

/** The collector of a price format, or undefined when the format is unknown or one of documents. */
export const collectorFor = (format: string): PriceCollector | undefined => COLLECTORS.get(ALSO[format] ?? format)

/** The formats prices are read from. */
export const PRICE_FORMATS: string[] = [...COLLECTORS.keys()]
