import { Command } from 'commander'
import type { Usage } from '../../../clients/typescript/src/cost/index.ts'
import { Pricetape } from '../../../clients/typescript/src/index.ts'
import { groupBy } from '../../lib/collections.ts'
import { OperatorError } from '../../lib/errors.ts'
import { totalText } from '../../mcp/cost-text-rules.ts'
import { rowsAt } from '../../mcp/read-prices.ts'
import { added, comparable, type SellerTotal, sellerTotals } from '../../mcp/reprice-rules.ts'
import { ToolError } from '../../mcp/tool.ts'
import { askedInstallation } from '../asked-installation.ts'
import { type OutputOptions, print, wholeNumber } from '../output.ts'
import { readUsageReport } from './usage-report.ts'
import type { ReportLine } from './usage-report-rules.ts'

type Options = OutputOptions & { months: number; provider?: string }
/** What the report costs with the prices of one time. */
type RepricedReport = { asOf: string; models: { model: string; sellers: SellerTotal[] }[] }
type Month = { month: string; own?: Record<string, string>; cheapest: Record<string, string>; left: string[] }

const SIGNAL_MS = 120_000

export function repriceCommand(): Command {
  return new Command('reprice')
    .description('what a usage report costs at each seller, now and with the prices of past months')
    .argument(
      '<file>',
      'pages of OpenAI’s or Anthropic’s usage API (JSON), the CSV of Anthropic’s console, or a CSV of yours',
    )
    .option('--months <n>', 'how many past months', wholeNumber, 6)
    .option('--provider <slug>', 'whom you buy from: its total beside the cheapest')
    .option('--json', 'print JSON')
    .action(async (file: string, options: Options) => {
      const lines = await readUsageReport(file)
      const prices = new Pricetape(await askedInstallation())
      const now = await reprice(prices, lines, undefined)
      const months: Month[] = []
      for (const month of pastMonths(new Date(), options.months)) {
        const then = await reprice(prices, lines, month)
        months.push({ month, ...totalsOf(then, options.provider) })
      }
      const answer = { asOf: now.asOf, models: now.models, now: totalsOf(now, options.provider), months }
      print(options, answer, textOf(answer, options.provider))
    })
}

/** The months before this one, the newest first. */
function pastMonths(now: Date, count: number): string[] {
  const month = (back: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
  return Array.from({ length: count }, (_, n) =>
    month(n + 1)
      .toISOString()
      .slice(0, 7),
  )
}

/** Prices every line at every seller of its model, with the prices at the end of a month or those of now. */
async function reprice(prices: Pricetape, lines: ReportLine[], at: string | undefined): Promise<RepricedReport> {
  const models = []
  let asOf = ''
  for (const [model, own] of groupBy(lines, (line) => line.model)) {
    const usages = own.map(({ items, tier, contextTokens = 0 }): Usage => ({ items, tier, contextTokens }))
    const read = await readRows(prices, model, at)
    asOf = read.asOf || asOf
    models.push({ model, sellers: sellerTotals(read.rows, usages) })
  }
  return { asOf, models }
}

/** A name with the day of its release may be listed without it. */
const withoutDay = (model: string): string => model.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '')

/** What nothing is called, then or at all, has no rows. */
async function readRows(prices: Pricetape, model: string, at: string | undefined) {
  for (const resource of new Set([model, withoutDay(model)]))
    try {
      const read = await rowsAt(prices, { resource, at }, { credits: true, signal: AbortSignal.timeout(SIGNAL_MS) })
      if (read.rows.length > 0) return read
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      if (!/^Nothing is called|does not sell/.test(error.message)) throw new OperatorError(error.message)
    }
  return { asOf: '', rows: [] }
}

/** All models together: at one seller, and each at its cheapest. `left`: models without a complete price. */
function totalsOf({ models }: RepricedReport, provider: string | undefined): Omit<Month, 'month'> {
  const left: string[] = []
  let [own, cheapest]: Record<string, string>[] = [{}, {}]
  let isOwnComplete = provider !== undefined
  for (const { model, sellers } of models) {
    const [first] = sellers.filter((seller) => comparable(seller) !== undefined)
    if (first) cheapest = added(cheapest!, first.total)
    else left.push(model)
    const bought = sellers.find((seller) => seller.provider === provider && comparable(seller) !== undefined)
    if (bought) own = added(own!, bought.total)
    else isOwnComplete = false
  }
  return { ...(isOwnComplete && { own: own! }), cheapest: cheapest!, left }
}

type RepriceOutput = { asOf: string; models: RepricedReport['models']; now: Omit<Month, 'month'>; months: Month[] }

function textOf({ asOf, models, now, months }: RepriceOutput, provider: string | undefined): string {
  const ofModels = models.flatMap(({ model, sellers }) => [
    `${model}${sellers.length === 0 ? ': no such model' : ''}`,
    ...sellers.map((seller) => `    ${sellerText(seller)}`),
  ])
  const line = (label: string, { own, cheapest, left }: Omit<Month, 'month'>) =>
    `    ${label}: ${own && provider ? `${totalText(own)} at ${provider}, ` : ''}${totalText(cheapest)} at the cheapest${left.length > 0 ? `, without ${left.join(', ')}` : ''}`
  return [
    `With the prices as of ${asOf}:`,
    ...ofModels,
    'Together, each model at one seller:',
    line('now', now),
    ...months.map((month) => line(month.month, month)),
  ].join('\n')
}

function sellerText({ provider, resource, total, unpriced, unconverted }: SellerTotal): string {
  const without = unpriced.length > 0 ? [`without ${unpriced.join(', ')}`] : []
  const inCredits = unconverted.map((reason) => `not in money: ${reason}`)
  return [`${provider} ${resource}: ${totalText(total)}`, ...without, ...inCredits].join(', ')
}
