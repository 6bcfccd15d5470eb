import { Command } from 'commander'
import type { OutputOptions } from './output.ts'
import { verifyFile } from './verify-file.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .description('check that an exported file is what the publication log holds; needs no installation')
    .requiredOption('--file <file>', 'CSV with its .proof.json beside it, or Parquet')
    .requiredOption('--key <verifier...>', 'keys of the log that you trust, as /v1/log/keys shows them')
    .option('--json', 'print JSON')
    .action(({ file, key, ...options }: OutputOptions & { file: string; key: string[] }) =>
      verifyFile(file, key, options),
    )
}
