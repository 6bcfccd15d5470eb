import { pagesUrl } from '../../lib/config.ts'
import { OperatorError } from '../../lib/errors.ts'
import { instantOf } from '../../lib/instant.ts'
import { plural } from '../../lib/text/plural.ts'
import { SHARES_PRICES, sharesPrices } from '../../review/batch-rules.ts'
import { decideItem, type ItemDecision } from '../../review/decide-item.ts'
import { findItems } from '../../review/find-in-queue.ts'
import type { QueueFilter, QueueItem } from '../../review/schema.ts'
import { errorMessage } from '../error-message.ts'
import { type OutputOptions, print } from '../output.ts'
import type { CommandContext } from '../with-installation.ts'

const ACTOR = 'operator'
/** More than any queue holds: a decision about many is about all that match. */
const ALL_ROWS = 100_000

export type DecideOptions = OutputOptions & {
  kind?: string
  provider?: string
  source?: string
  heldFor?: string
  resource?: string
  olderThan?: number
  reason?: string
  revision?: string
  limit?: number
  dryRun?: boolean
  all?: boolean
}

/** The filter that options name: `--reason` is a decision's, so an item's reason is `--held-for`. */
export const filterOf = ({
  kind,
  provider,
  source,
  heldFor: reason,
  resource,
  olderThan,
  all,
}: DecideOptions): QueueFilter => ({
  all,
  kind,
  provider,
  source,
  reason,
  resource,
  ...(olderThan !== undefined && { openedBefore: instantOf(Date.now() - olderThan) }),
})
const isFiltered = ({ all, ...options }: DecideOptions): boolean =>
  Object.values(filterOf(options)).some((value) => value !== undefined)

export async function oneItem(sql: CommandContext['sql'], id: string): Promise<QueueItem> {
  const [item] = await findItems(sql, { id }, 1)
  if (item) return item
  throw new OperatorError(`${id} does not wait for a decision. See: npx pricetape review list`)
}

type Outcome = Awaited<ReturnType<typeof decideItem>>

/** Decides an item as the operator who typed the command. */
export const decideWith = (
  { sql, isolation, config }: CommandContext,
  item: QueueItem,
  decision: Omit<ItemDecision, 'actor'>,
): Promise<Outcome> => decideItem({ sql, isolation, pagesUrl: pagesUrl(config) }, item, { ...decision, actor: ACTOR })

type DecisionResult = { id: string; question: string; done?: Outcome; problem?: string }

/** Each item is decided by itself: one that is decided already, or overtaken, does not stop the others. */
export async function decideMany(
  context: CommandContext,
  decision: 'approve' | 'reject',
  ids: string[],
  options: DecideOptions,
): Promise<void> {
  if (ids.length > 0 && isFiltered(options)) throw new OperatorError('Name items or give a filter, not both.')
  if (ids.length === 0 && !isFiltered(options))
    throw new OperatorError(`Name the items to ${decision}, or give a filter. See: review ${decision} --help`)
  if (options.revision !== undefined && ids.length !== 1)
    throw new OperatorError('A revision is that of one item: name this item alone.')
  const { sql } = context
  const items =
    ids.length > 0
      ? await Promise.all(ids.map((id) => oneItem(sql, id)))
      : await findItems(sql, filterOf(options), ALL_ROWS)
  const { dryRun = false, reason = '', revision } = options
  const decided: DecisionResult[] = []
  const rows = new Set<string>()
  for (const item of items) decided.push(await tryDeciding(context, item, { decision, reason, revision, dryRun }, rows))
  print(options, { dryRun, decided }, decidedText(decided, decision, dryRun))
  if (decided.some(({ problem }) => problem)) process.exitCode = 1
}

/** `rows` are the prices that items before it decide; its own are added. */
async function tryDeciding(
  context: CommandContext,
  item: QueueItem,
  decision: Omit<ItemDecision, 'actor'>,
  rows: Set<string>,
): Promise<DecisionResult> {
  const { id, question } = item
  if (sharesPrices(item, rows)) return { id, question, problem: SHARES_PRICES }
  try {
    const done = await decideWith(context, item, decision)
    for (const row of item.rows) rows.add(row)
    return { id, question, done }
  } catch (error) {
    return { id, question, problem: errorMessage(error) }
  }
}

function decidedText(decided: DecisionResult[], decision: 'approve' | 'reject', dryRun: boolean): string {
  const done = decided.filter(({ problem }) => !problem)
  const items = plural(done.length, 'item')
  const verb = decision === 'approve' ? 'Approved' : 'Rejected'
  const summary = dryRun ? `Would ${decision} ${items}${done.length > 0 ? ':' : '.'}` : `${verb} ${items}.`
  const preview = dryRun ? done.map(({ id, question, done }) => `${id}  ${question}${effectText(done)}`) : []
  const problems = decided.filter(({ problem }) => problem).map(({ id, problem }) => `${id}: ${problem}`)
  return [summary, ...preview, ...problems, totalText(done)].filter(Boolean).join('\n')
}

const effectText = (done: Outcome | undefined): string => {
  const events = countsText(done?.events ?? {})
  return events ? `  [${events}]` : ''
}

/** What all decisions bring together: operators see what subscribers receive. */
function totalText(done: DecisionResult[]): string {
  const total: Record<string, number> = {}
  for (const { done: outcome } of done)
    for (const [type, count] of Object.entries(outcome?.events ?? {})) total[type] = (total[type] ?? 0) + count
  const text = countsText(total)
  return text ? `Events: ${text}.` : ''
}

const countsText = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([type, count]) => `${count} ${type}`)
    .join(', ')

export function readEdit(text: string): { contentHash: string; price: string } {
  const [contentHash = '', price = ''] = text.split('=')
  if (contentHash && price) return { contentHash, price }
  throw new OperatorError(`"${text}" is not an edit: write CONTENT_HASH=PRICE. See: review show`)
}
