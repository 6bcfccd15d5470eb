import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { signEveryoneOut } from '../../accounts/sessions/end-sessions.ts'
import { readSecrets } from '../../embedded/data-folder.ts'
import { planPassword } from '../../embedded/plan-password.ts'
import { changeSecretKey } from '../../embedded/reseal-everything.ts'
import { OperatorError } from '../../lib/errors.ts'
import { keyId } from '../../lib/seal.ts'
import { plural } from '../../lib/text/plural.ts'
import { rotateCursorKey } from '../../prices/history/rotate-cursor-key.ts'
import { rotateLogKey } from '../../proof/keys/rotate-log-key.ts'
import { type OutputOptions, print } from '../output.ts'
import { type CommandContext, withInstallation } from '../with-installation.ts'

const KEY = /^[A-Za-z0-9+/]{43}=$/

type Options = OutputOptions & { oldKeys?: string }

export const secretsCommand = (): Command =>
  new Command('secrets')
    .description('other keys: docs/keys.md says how each is changed')
    .addCommand(reseal())
    .addCommand(cursorKey())
    .addCommand(logKey())
    .addCommand(sessions())
    .addCommand(databasePassword())

const reseal = () =>
  new Command('reseal')
    .description('seal everything that is sealed with PRICETAPE_SECRET_KEY; the secrets themselves stay the same')
    .option('--old-keys <file>', 'keys they were sealed with, one a line; else PRICETAPE_OLD_SECRET_KEYS')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withInstallation(async (context) => {
        const { config, sql, folder, running } = context
        if (!config.secretKey)
          throw new OperatorError('Set PRICETAPE_SECRET_KEY to the new key: openssl rand -base64 32')
        const to = Buffer.from(config.secretKey, 'base64')
        const from = await oldKeys(context, options.oldKeys)
        const sure = running !== undefined && (config.databaseUrl ?? running.databaseUrl) === running.databaseUrl
        const { resealed, mails, totpSecrets, logKeys, kept } = await changeSecretKey(sql, folder, { from, to, sure })
        const answer = { resealed, mails, totpSecrets, logKeys, keyId: keyId(to) }
        const what = [
          plural(resealed, 'webhook secret'),
          ...(totpSecrets > 0 ? [plural(totpSecrets, 'authenticator secret')] : []),
          ...(logKeys > 0 ? [plural(logKeys, 'key of the log', 'keys of the log')] : []),
          ...(mails > 0 ? [`${plural(mails, 'mail')} not sent yet`] : []),
        ]
        const text = `${what.join(', ')} sealed with key ${answer.keyId}. Start every process with it${kept ? '; secrets.json has it already' : ''}.`
        print(options, answer, text)
      }),
    )

const cursorKey = () =>
  new Command('cursor-key')
    .description('make another key for cursors; those of before stay valid')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        await rotateCursorKey(sql)
        print(options, { rotated: 'cursor-key' }, 'New cursors have another key. Cursors given before stay valid.')
      }),
    )

const logKey = () =>
  new Command('log-key')
    .description('make another key for the publication log; the one before signs beside it for 30 days')
    .option('--at-once', 'the key before signs no more: for one that others may have')
    .option('--json', 'print JSON')
    .action((options: OutputOptions & { atOnce?: boolean }) =>
      withInstallation(async ({ sql, secretKey }) => {
        const { atOnce = false } = options
        const verifier = await rotateLogKey(sql, secretKey, { atOnce })
        const before = atOnce ? 'The key before signs no more.' : 'The key before signs beside it for 30 days.'
        print(options, { rotated: 'log-key', verifier }, `${before} Tell readers the new verifier:\n    ${verifier}`)
      }),
    )

const sessions = () =>
  new Command('sessions')
    .description('sign everyone out, everywhere')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const ended = await signEveryoneOut(sql)
        print(options, { ended }, `${plural(ended, 'session')} ended.`)
      }),
    )

const databasePassword = () =>
  new Command('database-password')
    .description('give the embedded database another password at the next start')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ config, folder }) => {
        if (config.databaseUrl)
          throw new OperatorError('This database is your own: change the password with ALTER ROLE, then DATABASE_URL.')
        await planPassword(folder)
        print(
          options,
          { rotated: 'database-password' },
          'The database gets another password at the next start. Stop npm start, and start it again.',
        )
      }),
    )

/** The keys secrets may be sealed with now: what is named, and the one this data folder made for itself. */
async function oldKeys({ config, folder }: CommandContext, file: string | undefined): Promise<Uint8Array[]> {
  const named = file === undefined ? config.oldSecretKeys : (await readKeys(file)).split(/\s+/).filter(Boolean)
  const wrong = named.findIndex((key) => !KEY.test(key))
  if (wrong >= 0) throw new OperatorError(`Old key number ${wrong + 1} is not 32 bytes in base64.`)
  const own = await readSecrets(folder)
  const kept = own ? [own.secretKey, ...(own.otherSecretKeys ?? [])] : []
  return [...named, ...kept].map((key) => Buffer.from(key, 'base64'))
}

async function readKeys(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
