import { pipeline } from 'node:stream/promises'
import { Command, Option } from 'commander'
import { exportParts } from '../../exports/export-parts.ts'
import { exportToFile, type WrittenExport } from '../../exports/export-to-file.ts'
import { exportFileName } from '../../exports/file-name-rules.ts'
import { openExport } from '../../exports/open-export.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../../exports/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import { plural } from '../../lib/text/plural.ts'
import { instantOption, print } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

type Options = { format: ExportFormat; provider?: string[]; asOf?: Instant; out?: string; json?: boolean }

/** The name of a file on standard output. */
const STANDARD_OUTPUT = '-'

export function exportCommand(): Command {
  return new Command('export')
    .description('write every price that was ever served, with the periods in which it was, as one file')
    .addOption(
      new Option('--format <format>', 'csv, or parquet for DuckDB and pandas')
        .choices(EXPORT_FORMATS)
        .makeOptionMandatory(),
    )
    .option('--provider <slug...>', 'only the prices of these providers')
    .option('--as-of <instant>', 'as it stood then; without it, 15 minutes ago', instantOption)
    .option('--out <file>', `where it is written; ${STANDARD_OUTPUT} for standard output`)
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withInstallation(async ({ sql }) => {
        const opened = await openExport(sql, { asOf: options.asOf, providers: options.provider })
        if (options.out === STANDARD_OUTPUT) return writeOut(exportParts(opened, options.format))
        const written = await exportToFile(
          opened,
          options.out ?? exportFileName(opened.asOf, options.format),
          options.format,
        )
        print(options, written, doneText(written))
      }),
    )
}

const doneText = ({ file, proofFile, asOf, rows }: WrittenExport): string =>
  `Done: ${plural(rows, 'line')} as of ${asOf} are in ${file}${proofFile ? `, and what it is verified with in ${proofFile}` : ''}.`

/** A reader that has enough, such as `head`, ends it without an error. */
async function writeOut(parts: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(parts, process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}
