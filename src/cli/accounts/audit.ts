import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Command, Option } from 'commander'
import { AUDIT_FORMATS, type AuditFormat, exportActions } from '../../audit/export-actions.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import { instantOption } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

type Options = { format: AuditFormat; since?: Instant; until?: Instant; out?: string }

export const auditCommand = (): Command =>
  new Command('audit').description('who did what: the audit log').addCommand(exported())

const exported = () =>
  new Command('export')
    .description('write the audit log, the oldest entry first, to standard output or a file')
    .addOption(
      new Option('--format <format>', 'csv, or jsonl: a JSON object a line').choices(AUDIT_FORMATS).default('csv'),
    )
    .option('--since <instant>', 'only entries from then on', instantOption)
    .option('--until <instant>', 'only entries before then', instantOption)
    .option('--out <file>', 'where it is written')
    .action(({ format, since, until, out }: Options) =>
      withInstallation(async ({ sql }) => {
        const lines = Readable.from(exportActions(sql, { since, until }, format))
        if (out !== undefined) return toFile(lines, out)
        return toStandardOutput(lines)
      }),
    )

/** Into a new file: it names people and addresses. */
async function toFile(lines: Readable, file: string): Promise<void> {
  try {
    await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new OperatorError(`${file} is there already: name another file.`, { cause })
  }
}

/** A reader that has enough, such as `head`, ends it without an error. */
async function toStandardOutput(lines: Readable): Promise<void> {
  try {
    await pipeline(lines, process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}
