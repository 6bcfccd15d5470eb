import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { readSecrets } from '../embedded/data-folder.ts'
import { OperatorError } from '../lib/errors.ts'
import { keyId } from '../lib/seal.ts'
import { resealSecrets } from '../webhooks/subscriptions/reseal-secrets.ts'
import { type OutputOptions, plural, print } from './output.ts'
import { type CommandContext, withInstallation } from './with-installation.ts'

const KEY = /^[A-Za-z0-9+/]{43}=$/

type Options = OutputOptions & { oldKeys?: string }

export const secretsCommand = (): Command =>
  new Command('secrets').description('how webhook secrets are stored').addCommand(reseal())

const reseal = () =>
  new Command('reseal')
    .description('seal every webhook secret with PRICETAPE_SECRET_KEY; the secrets themselves stay the same')
    .option('--old-keys <file>', 'keys they were sealed with, one a line; else PRICETAPE_OLD_SECRET_KEYS')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withInstallation(async (context) => {
        const { config, sql } = context
        if (!config.secretKey)
          throw new OperatorError('Set PRICETAPE_SECRET_KEY to the new key: openssl rand -base64 32')
        const to = Buffer.from(config.secretKey, 'base64')
        const resealed = await resealSecrets(sql, await oldKeys(context, options.oldKeys), to)
        const answer = { resealed, keyId: keyId(to) }
        const text = `${plural(resealed, 'webhook secret')} sealed with key ${answer.keyId}. Start every process with it.`
        print(options, answer, text)
      }),
    )

/** The keys secrets may be sealed with now: what is named, and the one this data folder made for itself. */
async function oldKeys({ config, folder, running }: CommandContext, file: string | undefined): Promise<Uint8Array[]> {
  const named = file === undefined ? config.oldSecretKeys : (await readKeys(file)).split(/\s+/).filter(Boolean)
  const wrong = named.findIndex((key) => !KEY.test(key))
  if (wrong >= 0) throw new OperatorError(`Old key number ${wrong + 1} is not 32 bytes in base64.`)
  const own = running ? (await readSecrets(folder))?.secretKey : undefined
  return [...named, ...(own === undefined ? [] : [own])].map((key) => Buffer.from(key, 'base64'))
}

async function readKeys(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
