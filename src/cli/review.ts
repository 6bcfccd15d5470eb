import { Command, Option } from 'commander'
import { OperatorError } from '../lib/errors.ts'
import { instantOf } from '../lib/instant.ts'
import { percentOf } from '../prices/review/review-text-rules.ts'
import { errorMessage } from './error-message.ts'
import { describeEvidence } from './evidence-text.ts'
import { describeHeldVersion } from './held-version.ts'
import { ageMs, type OutputOptions, plural, print, table, wholeNumber } from './output.ts'
import { contextText, itemContext } from './review-context.ts'
import {
  type Decision,
  decide,
  type Filter,
  findItems,
  heldDocument,
  itemLines,
  type QueueItem,
} from './review-queue.ts'
import { type CommandContext, withInstallation } from './with-installation.ts'

const KINDS = ['price', 'mass_change', 'removal', 'rename', 'line_removal', 'unreadable', 'snapshot', 'terms']
const LIST_ROWS = 100
/** More than any queue holds: a decision about many is about all that match. */
const ALL_ROWS = 100_000

type Chosen = OutputOptions & {
  kind?: string
  provider?: string
  source?: string
  heldFor?: string
  resource?: string
  olderThan?: number
  reason?: string
  limit?: number
  dryRun?: boolean
}

/** The filter that options name: `--reason` is a decision's, so an item's reason is `--held-for`. */
const filterOf = ({ kind, provider, source, heldFor: reason, resource, olderThan }: Chosen): Filter => ({
  kind,
  provider,
  source,
  reason,
  resource,
  ...(olderThan !== undefined && { openedBefore: instantOf(Date.now() - olderThan) }),
})
const isFiltered = (options: Chosen): boolean => Object.values(filterOf(options)).some((value) => value !== undefined)

export function reviewCommand(): Command {
  const review = new Command('review').description('what waits for a person: prices, absences, snapshots, documents')
  filtered(review.command('list').description('the queue, the longest waiting first'))
    .option('--limit <n>', 'how many at most', wholeNumber, LIST_ROWS)
    .action((options: Chosen) =>
      withInstallation(async ({ sql }) => {
        const items = await findItems(sql, filterOf(options), options.limit ?? LIST_ROWS)
        const rows = items.map((item) => [item.id, item.kind, item.provider, item.openedAt, item.question])
        print(options, { items }, table(['ID', 'KIND', 'PROVIDER', 'SINCE', 'QUESTION'], rows))
      }),
    )
  review
    .command('show')
    .description('one item with the rows it is about')
    .argument('<id>')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const item = await oneItem(sql, id)
        const lines = await itemLines(sql, item)
        const held = await heldDocument(sql, item)
        const rows = lines.map((line) => [
          line.contentHash,
          line.resource,
          line.dimension,
          line.pricingTier,
          line.publishedPrice ?? '-',
          line.price,
          (line.publishedPrice && percentOf(line.publishedPrice, line.price)) || '',
          line.unit,
        ])
        const beside = await itemContext(sql, lines)
        const head = ['CONTENT HASH', 'RESOURCE', 'DIMENSION', 'TIER', 'PUBLISHED', 'PROPOSED', 'CHANGE', 'UNIT']
        const about = `${item.kind} of ${item.provider}, since ${item.openedAt}\n${item.reasons.join(', ')}\n${item.question}`
        const evidence = lines.flatMap(({ resource, dimension, pricingTier, verdict }) =>
          verdict
            ? [
                '',
                `${resource} ${dimension} ${pricingTier}`,
                ...describeEvidence(verdict.reasons, verdict.evidence, verdict.standing).map((line) => `  ${line}`),
              ]
            : [],
        )
        const details = held
          ? describeHeldVersion(held.version, held.difference)
          : rows.length > 0
            ? [table(head, rows), ...evidence].join('\n')
            : undefined
        const parts = [about, ...(details ? [details] : []), ...beside.map(contextText)]
        print(
          options,
          { item, lines, beside, difference: held?.difference?.difference, text: held?.version.markdown },
          parts.join('\n\n'),
        )
      }),
    )
  for (const decision of ['approve', 'reject'] as const)
    filtered(review.command(decision).description(DOES[decision]))
      .argument('[ids...]', 'which items; with a filter all that meet it')
      .option('--reason <text>', 'why', 'looked at')
      .option('--dry-run', 'decide nothing; print what would come of it')
      .action((ids: string[], options: Chosen) =>
        withInstallation((context) => decideMany(context, decision, ids, options)),
      )
  review
    .command('edit')
    .description('publish an item with other prices for some of its rows; the others as they are')
    .argument('<id>')
    .argument('<edits...>', 'CONTENT_HASH=PRICE per one unit, as in 3fa9…=0.0000025')
    .option('--reason <text>', 'why', 'looked at')
    .option('--json', 'print JSON')
    .action((id: string, edits: string[], options: OutputOptions & { reason: string }) =>
      withInstallation(async (context) => {
        const item = await oneItem(context.sql, id)
        const done = await decide(context, item, {
          decision: 'edit',
          reason: options.reason,
          edits: edits.map(readEdit),
        })
        print(options, done, `Published with ${plural(edits.length, 'other price')}.`)
      }),
    )
  return review
}

const DOES = {
  approve: 'publish what waits; for absences: yes, it was renamed, or is gone',
  reject: 'leave it as it is published; the source is not believed until it says something else',
}

const filtered = (command: Command): Command =>
  command
    .addOption(new Option('--kind <kind>', 'only items of this kind').choices(KINDS))
    .option('--provider <slug>', 'only items of this provider')
    .option('--source <slug>', 'only items of this source')
    .option('--held-for <reason>', 'only items with this reason, as docs/prices.md lists them')
    .option('--resource <name>', 'only items about this resource')
    .option('--older-than <age>', 'only items that wait longer than 90m, 12h or 3d', ageMs)
    .option('--json', 'print JSON')

async function oneItem(sql: CommandContext['sql'], id: string): Promise<QueueItem> {
  const [item] = await findItems(sql, { id }, 1)
  if (item) return item
  throw new OperatorError(`${id} does not wait for a decision. See: npm run pricetape -- review list`)
}

/** Each item is decided by itself: one that is decided already, or overtaken, does not stop the others. */
async function decideMany(context: CommandContext, decision: Decision['decision'], ids: string[], options: Chosen) {
  if (ids.length === 0 && !isFiltered(options))
    throw new OperatorError(`Name the items to ${decision}, or give a filter. See: review ${decision} --help`)
  const { sql } = context
  const items =
    ids.length > 0
      ? await Promise.all(ids.map((id) => oneItem(sql, id)))
      : await findItems(sql, filterOf(options), ALL_ROWS)
  const { dryRun, reason = '' } = options
  const decided: { id: string; question: string; done?: unknown; problem?: string }[] = []
  for (const item of items) {
    const { id, question } = item
    try {
      decided.push({ id, question, done: await decide(context, item, { decision, reason, dryRun }) })
    } catch (error) {
      decided.push({ id, question, problem: errorMessage(error) })
    }
  }
  const failed = decided.filter(({ problem }) => problem)
  const verb = decision === 'approve' ? 'Approved' : 'Rejected'
  const done = plural(items.length - failed.length, 'item')
  const summary = dryRun ? `Would ${decision} ${done}:` : `${verb} ${done}.`
  const preview = dryRun
    ? decided.filter(({ problem }) => !problem).map(({ id, question }) => `${id}  ${question}`)
    : []
  const problems = failed.map(({ id, problem }) => `${id}: ${problem}`)
  print(options, { dryRun: dryRun ?? false, decided }, [summary, ...preview, ...problems].join('\n'))
  if (failed.length > 0) process.exitCode = 1
}

function readEdit(text: string): { contentHash: string; price: string } {
  const [contentHash = '', price = ''] = text.split('=')
  if (contentHash && price) return { contentHash, price }
  throw new OperatorError(`"${text}" is not an edit: write CONTENT_HASH=PRICE. See: review show`)
}
