import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { plural } from '../../lib/text/plural.ts'
import { verifyLog } from '../../proof/verify/verify-log.ts'
import { verifyCheckpoint } from '../../proof/verify/verify-signed.ts'
import { type OutputOptions, print } from '../output.ts'
import { withInstallation } from '../with-installation.ts'
import { verifyFile } from './verify-file.ts'

type Options = OutputOptions & { checkpoint?: string; file?: string; key?: string[] }

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('compare the database with its publication log; ends with status 1 where something does not fit')
    .option('--checkpoint <file>', 'compare the log with a checkpoint that you kept; - reads it from standard input')
    .option('--file <file>', 'compare an exported file with what was signed; needs no installation, but --key')
    .option('--key <verifier...>', 'keys of the log that you trust, as /v1/log/keys shows them')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      if (options.file !== undefined) return verifyFile(options.file, keysOf(options), options)
      return withInstallation(({ sql }) =>
        options.checkpoint === undefined ? compareAll(sql, options) : compareNote(sql, options.checkpoint, options),
      )
    })

function keysOf({ key }: Options): string[] {
  if (key) return key
  throw new OperatorError(
    'Name the key of the log with --key, as you know it: a file must not say itself who signed it.',
  )
}

async function compareNote(sql: Sql, file: string, options: Options): Promise<void> {
  const verdict = await verifyCheckpoint(sql, await readNote(file))
  print(options, verdict, verdict.message)
  if (!verdict.fits) process.exitCode = 1
}

async function compareAll(sql: Sql, options: Options): Promise<void> {
  const { size, origin, findings } = await verifyLog(sql)
  const text =
    findings.length === 0
      ? `All ${plural(size, 'leaf', 'leaves')} of ${origin ?? 'the log'} fit: rows, statuses, tiles and checkpoints.`
      : `${plural(findings.length, 'thing')} in this database ${findings.length === 1 ? 'does' : 'do'} not fit the log:\n${findings.map(({ leaf, message }) => (leaf === undefined ? message : `Leaf ${leaf}: ${message}`)).join('\n')}`
  print(options, { size, origin: origin ?? null, findings }, text)
  if (findings.length > 0) process.exitCode = 1
}

async function readNote(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8')
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
