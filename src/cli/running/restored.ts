import { Command } from 'commander'
import { declareRestore } from '../../catalog/clock/begin-restored-timeline.ts'
import { OperatorError } from '../../lib/errors.ts'
import { type Instant, parseInstant } from '../../lib/instant.ts'
import { type OutputOptions, print } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

type Options = OutputOptions & { backupAt?: string }

export const restoredCommand = (): Command =>
  new Command('restored')
    .description(
      'say that the database was restored from a backup that PostgreSQL cannot show: a copied folder or disk',
    )
    .option('--backup-at <instant>', 'when the backup was made; needed once something was published since the restore')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withInstallation(async ({ sql }) => {
        const lost = await declareRestore(sql, readInstant(options.backupAt))
        const text = lost
          ? `Instants after ${lost.after} and up to ${lost.until} are refused from now on: their history may be lost.`
          : 'No instant that may have been answered is lost.'
        print(options, { lost: lost ?? null }, text)
      }),
    )

function readInstant(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const instant = parseInstant(text)
  if (instant) return instant
  throw new OperatorError(`--backup-at is an RFC 3339 instant such as 2026-11-20T03:00:00Z, not ${text}.`)
}
