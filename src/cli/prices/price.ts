import { Command } from 'commander'
import { type FindPlace, findPlace } from '../../evidence/find-place.ts'
import { readEvidence } from '../../evidence/read-evidence.ts'
import { instantOf } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { measureServed } from '../../prices/accuracy/measure-served.ts'
import { readAccuracy } from '../../prices/accuracy/read-accuracy.ts'
import { listContradicted } from '../../prices/contradicted/list-contradicted.ts'
import { type Correction, restoreRow, withdrawRow } from '../../prices/review/correct-price.ts'
import { replacePrice } from '../../prices/review/replace-price.ts'
import { type OutputOptions, print, table } from '../output.ts'
import { withInstallation } from '../with-installation.ts'
import { accuracyText } from './accuracy-text.ts'
import { evidenceText } from './evidence-text.ts'

const ACTOR = 'operator'

export const priceCommand = (): Command =>
  new Command('price')
    .description('published price rows, by their contentHash')
    .addCommand(
      correction('withdraw', 'stop serving a row that is wrong; its line goes back to the row before it', withdrawRow),
    )
    .addCommand(correction('restore', 'serve a withdrawn row again', restoreRow))
    .addCommand(correctCommand())
    .addCommand(contradictedCommand())
    .addCommand(accuracyCommand())
    .addCommand(evidenceCommand())

const correctCommand = () =>
  new Command('correct')
    .description('replace a published price that is wrong by the right one, with one event')
    .argument('<contentHash>', 'the row, as the price history names it')
    .requiredOption('--price <decimal>', 'the right price per one unit, as in 0.0000025')
    .requiredOption('--reason <text>', 'why; subscribers get it with the event')
    .option('--json', 'print JSON')
    .action((contentHash: string, options: OutputOptions & { price: string; reason: string }) =>
      withInstallation(async ({ sql }) => {
        const { price, reason } = options
        const { event, contentHash: corrected } = await replacePrice(sql, { contentHash, price, actor: ACTOR, reason })
        print(
          options,
          { contentHash: corrected, replaced: contentHash, event },
          `Done: ${corrected} is served. Webhooks are sent the price.corrected ${event} by the next check.`,
        )
      }),
    )

const contradictedCommand = () =>
  new Command('contradicted')
    .description('list the served prices that other sources contradict for 48 hours')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const lines = await listContradicted(sql)
        const rows = lines.map((line) => [
          `${line.provider} ${line.resource}`,
          [line.dimension, line.pricingTier].filter((text) => text !== '{}').join(' '),
          `${line.price} (${line.source})`,
          `${line.otherPrice} (${line.sources.join(', ')})`,
          line.isDecided ? 'a person did' : (line.decidedBy ?? ''),
        ])
        const head = ['Resource', 'Price of', 'Served', 'Others have', 'Decides from now on']
        print(options, { prices: lines }, lines.length > 0 ? table(head, rows) : 'No served price is contradicted.')
      }),
    )

const accuracyCommand = () =>
  new Command('accuracy')
    .description('show how sure what is served is: confirmed, contradicted and unconfirmed prices by provider')
    .option('--measure', 'measure now, instead of what the daily run gave')
    .option('--json', 'print JSON')
    .action((options: OutputOptions & { measure?: boolean }) =>
      withInstallation(async ({ sql }) => {
        if (options.measure) await measureServed(sql, instantOf(Date.now()))
        const accuracy = await readAccuracy(sql)
        print(options, accuracy, accuracyText(accuracy))
      }),
    )

const evidenceCommand = () =>
  new Command('evidence')
    .description('show where a served price was read, the place as it was, and what other sources show')
    .argument('<contentHash>', 'the row, as the price history names it')
    .option('--json', 'print JSON')
    .action((contentHash: string, options: OutputOptions) =>
      withInstallation(async ({ sql, isolation }) => {
        const find: FindPlace = (wanted, facts) => findPlace({ sql, isolation }, wanted, facts)
        const found = await readEvidence(sql, find, contentHash)
        print(options, found, evidenceText(found))
      }),
    )

function correction(name: string, does: string, correct: (sql: Sql, of: Correction) => Promise<string>): Command {
  return new Command(name)
    .description(does)
    .argument('<contentHash>', 'the row, as the price history names it')
    .requiredOption('--reason <text>', 'why; subscribers get it with the event')
    .option('--json', 'print JSON')
    .action((contentHash: string, options: OutputOptions & { reason: string }) =>
      withInstallation(async ({ sql }) => {
        const event = await correct(sql, { contentHash, actor: ACTOR, reason: options.reason })
        print(
          options,
          { contentHash, event },
          `Done. Webhooks are sent the price.corrected ${event} by the next check.`,
        )
      }),
    )
}
