import { Command, InvalidArgumentError } from 'commander'
import type { UsageItem } from '../../../clients/typescript/src/cost/index.ts'
import { Pricetape } from '../../../clients/typescript/src/index.ts'
import { OperatorError } from '../../lib/errors.ts'
import { costsText } from '../../mcp/cost-text-rules.ts'
import { type CostQuestion, readCosts } from '../../mcp/read-costs.ts'
import { ToolError } from '../../mcp/tool.ts'
import { askedInstallation } from '../asked-installation.ts'
import { type OutputOptions, print } from '../output.ts'
import { readUsageFile } from './usage-file.ts'

type Pairs = Record<string, string>
type Options = OutputOptions & {
  use?: Pairs
  usage?: string
  requests?: string
  tier?: Pairs
  at?: string
  comparedWith?: string
  provider?: string
  [token: string]: unknown
}

/** The options for what people count most, and the dimensions they stand for. */
const TOKENS: [option: string, name: string, dimension: string, what: string, tier?: Pairs][] = [
  ['--input <tokens>', 'input', 'input_tokens', 'input that is neither read from a cache nor written to one'],
  ['--cached <tokens>', 'cached', 'cache_read_tokens', 'input that is read from a cache'],
  ['--cache-write <tokens>', 'cacheWrite', 'cache_write_tokens', 'input that is written to a cache for 5 minutes'],
  ['--cache-write-1h <tokens>', 'cacheWrite1h', 'cache_write_tokens', 'the same for an hour', { ttl: '1h' }],
  ['--output <tokens>', 'output', 'output_tokens', 'output without reasoning'],
  ['--reasoning <tokens>', 'reasoning', 'reasoning_tokens', 'reasoning'],
]

export function costCommand(): Command {
  const cost = new Command('cost')
    .description('what a usage costs at each seller of a model, now or at any time')
    .argument('<resource>', 'a model’s name, its canonical id (openai/gpt-5), or an alias group')
  for (const [option, , , what] of TOKENS) cost.option(option, `${what}, of one request`)
  return cost
    .option('--use <dimension=quantity>', 'anything else of one request, as in web_searches=2; repeatable', addPair)
    .option('--usage <file>', 'JSON: the usage object of an answer of OpenAI’s or Anthropic’s API')
    .option('--requests <n>', 'how many such requests', '1')
    .option('--tier <key=value>', 'as in service=batch or region=eu; repeatable', addPair)
    .option('--at <time>', 'a month, day, year or RFC 3339 instant; left out, now')
    .option('--compared-with <time>', 'what the same usage cost then, too')
    .option('--provider <slug>', 'this seller alone')
    .option('--json', 'print JSON')
    .addHelpText('after', '\n  pricetape cost gpt-5 --input 3000 --cached 1800 --output 500 --requests 2000000')
    .action(async (resource: string, options: Options) => {
      const { requests, tier, at, comparedWith, provider } = options
      const usage = { items: await itemsOf(options), requests, tier }
      const prices = new Pricetape(await askedInstallation())
      const found = await answerOf(prices, { resource, provider, at, comparedWith, usage })
      const then = found.comparedAsOf ? `, compared with asOf ${found.comparedAsOf}` : ''
      print(options, found, `Read at asOf ${found.asOf}${then}, the cheapest first:\n${costsText(found.costs)}`)
    })
}

/** What a person got wrong is an operator's error, whoever asked. */
async function answerOf(prices: Pricetape, question: CostQuestion) {
  try {
    return await readCosts(prices, question, AbortSignal.timeout(120_000))
  } catch (error) {
    if (error instanceof ToolError) throw new OperatorError(error.message)
    throw error
  }
}

async function itemsOf(options: Options): Promise<UsageItem[]> {
  const items = [
    ...TOKENS.flatMap(([, name, dimension, , tier]) => {
      const quantity = options[name]
      return typeof quantity === 'string' ? [{ dimension, quantity, ...(tier && { tier }) }] : []
    }),
    ...Object.entries(options.use ?? {}).map(([dimension, quantity]) => ({ dimension, quantity })),
    ...(options.usage === undefined ? [] : await readUsageFile(options.usage)),
  ]
  if (items.length === 0) throw new OperatorError('Say what is used: --input 3000 --output 500, --use or --usage.')
  return items
}

function addPair(text: string, pairs: Pairs = {}): Pairs {
  const [, key, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (key === undefined || value === undefined) throw new InvalidArgumentError('Write a name, = and a value.')
  return { ...pairs, [key]: value }
}
