import type { PriceCollector } from './collector.ts'
import { aiPriceIndex } from './formats/ai-price-index.ts'
import { aws } from './formats/aws/aws.ts'
import { ec2 } from './formats/aws/ec2.ts'
import { azure } from './formats/azure.ts'
import { curated } from './formats/curated.ts'
import { genaiPrices } from './formats/genai-prices.ts'
import { googleCloud } from './formats/google-cloud.ts'
import { litellm } from './formats/litellm.ts'
import { modelLists } from './formats/model-lists/index.ts'
import { modelsDev } from './formats/models-dev.ts'
import { oracle } from './formats/oracle.ts'
import { alibabaPage } from './formats/pages/alibaba.ts'
import { anthropicPage } from './formats/pages/anthropic.ts'
import { cloudflarePage } from './formats/pages/cloudflare.ts'
import { coherePage } from './formats/pages/cohere.ts'
import { deepseekPage } from './formats/pages/deepseek.ts'
import { fireworksPage } from './formats/pages/fireworks.ts'
import { googlePage } from './formats/pages/google.ts'
import { groqPage } from './formats/pages/groq.ts'
import { minimaxPage } from './formats/pages/minimax.ts'
import { mistralPage } from './formats/pages/mistral.ts'
import { moonshotPage } from './formats/pages/moonshot.ts'
import { openaiPage } from './formats/pages/openai.ts'
import { perplexityPage } from './formats/pages/perplexity.ts'
import { togetherPage } from './formats/pages/together.ts'
import { writerPage } from './formats/pages/writer.ts'
import { xaiPage } from './formats/pages/xai.ts'
import { zaiPage } from './formats/pages/zai.ts'
import { skypilot } from './formats/skypilot.ts'
import { withoutKnownErrors } from './reading/known-errors.ts'

export { type ParserResult, type PriceCollector, SnapshotError } from './collector.ts'
export { type BundledSnapshot, bundledSnapshots } from './formats/bundled.ts'

const COLLECTORS = new Map(
  [
    ...[genaiPrices, ...modelLists, modelsDev, litellm, azure, aws, ec2, oracle, skypilot, curated],
    ...[googleCloud, aiPriceIndex],
    ...[anthropicPage, openaiPage, googlePage, deepseekPage, mistralPage, xaiPage],
    ...[zaiPage, minimaxPage, moonshotPage, perplexityPage, alibabaPage],
    ...[coherePage, groqPage, togetherPage, fireworksPage, cloudflarePage, writerPage],
  ].map((collector) => [collector.format, withoutKnownErrors(collector)]),
)

/** What else a format is called, in letters and digits alone. */
const ALSO: Record<string, string> = {
  aipriceindexhistory: 'ai-price-index',
  awspricelist: 'aws',
  awsoffers: 'aws',
  azureretail: 'azure',
  azureretailprices: 'azure',
  curatedprices: 'curated',
  ec2: 'ec2-on-demand',
  genai: 'genai-prices',
  googlecloud: 'google-cloud-skus',
  litellmprices: 'litellm',
  modelsdevapi: 'models-dev',
  openrouterapi: 'openrouter',
  openroutermodels: 'openrouter',
  skypilotcatalog: 'skypilot',
  skypilotvms: 'skypilot',
}

const plain = (name: string): string => name.toLowerCase().replace(/\.json$|[^a-z0-9]/g, '')

/** The collector of a price format, however its name is spelled; undefined when it is unknown or one of documents. */
export function collectorFor(format: string): PriceCollector | undefined {
  const name = plain(format)
  return COLLECTORS.get(ALSO[name] ?? PRICE_FORMATS.find((known) => plain(known) === name) ?? format)
}

/** The formats prices are read from. */
export const PRICE_FORMATS: string[] = [...COLLECTORS.keys()]
