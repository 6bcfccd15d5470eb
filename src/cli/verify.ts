import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { OperatorError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { verifyLog } from '../proof/verify-log.ts'
import { verifyCheckpoint } from '../proof/verify-signed.ts'
import { type OutputOptions, plural, print } from './output.ts'
import { verifyFile } from './verify-file.ts'
import { withInstallation } from './with-installation.ts'

type Options = OutputOptions & { checkpoint?: string; file?: string; key?: string[] }

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('compare the database with its publication log; ends with status 1 where something does not fit')
    .option('--checkpoint <file>', 'compare the log with a checkpoint that was kept; - reads it from standard input')
    .option(
      '--file <file>',
      'check an exported file instead, CSV with its .proof.json beside it or Parquet: it needs no installation',
    )
    .option('--key <verifier...>', 'with --file: keys of the log that you trust, as /v1/log/keys shows them')
    .option('--json', 'print JSON')
    .action(verify)

async function verify({ checkpoint, file, key, ...options }: Options): Promise<void> {
  if (file === undefined) return withInstallation(({ sql }) => verifyDatabase(sql, checkpoint, options))
  if (checkpoint !== undefined) throw new OperatorError('Give either --file or --checkpoint.')
  if (key === undefined) throw new OperatorError('--file needs --key: the keys of the log that you trust.')
  await verifyFile(file, key, options)
}

async function verifyDatabase(sql: Sql, checkpoint: string | undefined, options: OutputOptions): Promise<void> {
  if (checkpoint !== undefined) {
    const verdict = await verifyCheckpoint(sql, await readNote(checkpoint))
    print(options, verdict, verdict.message)
    if (!verdict.fits) process.exitCode = 1
    return
  }
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
