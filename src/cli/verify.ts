import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { OperatorError } from '../lib/errors.ts'
import { verifyLog } from '../proof/verify-log.ts'
import { verifyCheckpoint } from '../proof/verify-signed.ts'
import { type OutputOptions, plural, print } from './output.ts'
import { withInstallation } from './with-installation.ts'

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('compare the database with its publication log; ends with status 1 where something does not fit')
    .option(
      '--checkpoint <file>',
      'compare the log with a checkpoint that somebody kept; - reads it from standard input',
    )
    .option('--json', 'print JSON')
    .action((options: OutputOptions & { checkpoint?: string }) =>
      withInstallation(async ({ sql }) => {
        if (options.checkpoint !== undefined) {
          const verdict = await verifyCheckpoint(sql, await readNote(options.checkpoint))
          print(options, verdict, verdict.message)
          if (!verdict.fits) process.exitCode = 1
        } else {
          const { size, origin, findings } = await verifyLog(sql)
          const text =
            findings.length === 0
              ? `All ${plural(size, 'leaf', 'leaves')} of ${origin ?? 'the log'} fit: rows, statuses, tiles and checkpoints.`
              : `${plural(findings.length, 'thing')} in this database ${findings.length === 1 ? 'does' : 'do'} not fit the log:\n${findings.map(({ leaf, message }) => (leaf === undefined ? message : `Leaf ${leaf}: ${message}`)).join('\n')}`
          print(options, { size, origin: origin ?? null, findings }, text)
          if (findings.length > 0) process.exitCode = 1
        }
      }),
    )

async function readNote(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8')
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
