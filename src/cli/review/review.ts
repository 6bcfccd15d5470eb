import { Command, Option } from 'commander'
import { plural } from '../../lib/text/plural.ts'
import { findItems } from '../../review/find-in-queue.ts'
import { ageMs, minuteOf, type OutputOptions, print, table, wholeNumber } from '../output.ts'
import { withInstallation } from '../with-installation.ts'
import { type DecideOptions, decideMany, decideWith, filterOf, oneItem, readEdit } from './review-decide.ts'
import { showItem } from './review-show.ts'

const KINDS = ['price', 'mass_change', 'removal', 'rename', 'line_removal', 'unreadable', 'snapshot', 'terms']
const LIST_ROWS = 100

export function reviewCommand(): Command {
  const review = new Command('review').description('what waits for a person: prices, absences, snapshots, documents')
  filtered(review.command('list').description('the queue, the longest waiting first'))
    .option('--limit <n>', 'how many at most', wholeNumber, LIST_ROWS)
    .action((options: DecideOptions) =>
      withInstallation(async ({ sql }) => {
        const items = await findItems(sql, filterOf(options), options.limit ?? LIST_ROWS)
        const rows = items.map((item) => [item.id, item.kind, item.provider, minuteOf(item.openedAt), item.question])
        print(options, { items }, table(['ID', 'KIND', 'PROVIDER', 'SINCE', 'QUESTION'], rows))
      }),
    )
  review
    .command('show')
    .description('one item with the rows it is about')
    .argument('<id>')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions) =>
      withInstallation(async (context) => {
        await showItem(context, await oneItem(context.sql, id), options)
      }),
    )
  for (const decision of ['approve', 'reject'] as const)
    filtered(review.command(decision).description(DOES[decision]))
      .argument('[ids...]', 'which items; with a filter all that meet it')
      .option('--reason <text>', 'why', 'reviewed')
      .addOption(revisionOption())
      .option('--dry-run', 'decide nothing; print what would come of it')
      .action((ids: string[], options: DecideOptions) =>
        withInstallation((context) => decideMany(context, decision, ids, options)),
      )
  review
    .command('edit')
    .description('publish an item with other prices for some of its rows; the others as they are')
    .argument('<id>')
    .argument('<edits...>', 'CONTENT_HASH=PRICE per one unit, as in 3fa9…=0.0000025')
    .option('--reason <text>', 'why', 'reviewed')
    .addOption(revisionOption())
    .option('--json', 'print JSON')
    .action((id: string, edits: string[], options: OutputOptions & { reason: string; revision?: string }) =>
      withInstallation(async (context) => {
        const item = await oneItem(context.sql, id)
        const { reason, revision } = options
        const edit = { decision: 'edit' as const, reason, revision, edits: edits.map(readEdit) }
        const done = await decideWith(context, item, edit)
        print(options, done, `Published with ${plural(edits.length, 'other price')}.`)
      }),
    )
  return review
}

const revisionOption = () =>
  new Option('--revision <revision>', 'decide only what `review show` printed with this revision; else what waits now')

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
    .option('--all', 'also items that time ends without a person')
    .option('--older-than <age>', 'only items that wait longer than 90m, 12h or 3d', ageMs)
    .option('--json', 'print JSON')
