import { Command, InvalidArgumentError } from 'commander'
import { hasExpired, keysNamed, readExpiry } from '../../accounts/keys/api-key-rules.ts'
import { changeKeyNetworks } from '../../accounts/keys/change-key-networks.ts'
import { createApiKey } from '../../accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../accounts/keys/delete-api-key.ts'
import { listApiKeys } from '../../accounts/keys/list-api-keys.ts'
import { findWorkspace } from '../../accounts/workspaces/find-workspace.ts'
import { OperatorError } from '../../lib/errors.ts'
import { type Instant, instantOf } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { plural } from '../../lib/text/plural.ts'
import { minuteOf, type OutputOptions, print, table } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

type Options = OutputOptions & { workspace?: string }
type CreateOptions = Options & { name: string; expires?: Instant; from?: string[] }

const WORKSPACE = ['--workspace <workspace>', 'id or name; the first workspace when left out'] as const

export const keyCommand = (): Command =>
  new Command('key')
    .description('API keys')
    .addCommand(create())
    .addCommand(list())
    .addCommand(allow())
    .addCommand(remove())

const create = () =>
  new Command('create')
    .description('create an API key; its value is shown this once')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires <when>', 'when it stops working: 90d, 12h or an instant; never when left out', expiry)
    .option('--from <networks...>', 'where it may be used from, such as 203.0.113.0/24; everywhere when left out')
    .option(...WORKSPACE)
    .option('--json', 'print JSON')
    .action((options: CreateOptions) =>
      withInstallation(async ({ sql, running }) => {
        const workspaceId = await findWorkspace(sql, options.workspace)
        const { expires: expiresAt, from: networks } = options
        const made = await createApiKey(sql, { workspaceId, name: options.name, expiresAt, networks })
        const { keyId, name, key } = made
        const url = `${running?.url ?? 'http://localhost:8080'}/v1/prices/history?providers=openai&limit=3`
        const end = expiresAt ? ` It expires at ${minuteOf(expiresAt)} UTC.` : ''
        const text = `${key}\nShown this once.${end} Try it:\n    curl -s '${url}' \\\n      -H 'authorization: Bearer ${key}'`
        print(options, { keyId, name, workspaceId, key, expiresAt: made.expiresAt, networks: made.networks }, text)
      }),
    )

const list = () =>
  new Command('list')
    .description('the API keys of a workspace')
    .option(...WORKSPACE)
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withInstallation(async ({ sql }) => {
        const keys = await listApiKeys(sql, await findWorkspace(sql, options.workspace))
        const now = instantOf(Date.now())
        const rows = keys.map((key) => [
          `…${key.lastCharacters}`,
          minuteOf(key.createdAt),
          key.lastUsedAt ? minuteOf(key.lastUsedAt) : 'never',
          key.expiresAt ? (hasExpired(key, now) ? 'expired' : minuteOf(key.expiresAt)) : 'never',
          key.networks.length === 0 ? 'everywhere' : plural(key.networks.length, 'network'),
          key.name,
        ])
        const columns = ['KEY', 'CREATED (UTC)', 'LAST USED', 'EXPIRES', 'FROM', 'NAME']
        print(options, { keys }, table(columns, rows))
      }),
    )

const remove = () =>
  new Command('delete')
    .description('delete an API key: it is refused from the next request on')
    .argument('<key>', 'its last characters, its name or its id, as `key list` shows them')
    .allowUnknownOption() // the last characters of a key may begin with a dash
    .option(...WORKSPACE)
    .option('--json', 'print JSON')
    .action((reference: string, options: Options) =>
      withInstallation(async ({ sql }) => {
        const workspaceId = await findWorkspace(sql, options.workspace)
        const { keyId, name, lastCharacters } = await keyNamed(sql, workspaceId, reference)
        await deleteApiKey(sql, { workspaceId, keyId })
        print(options, { keyId, name, lastCharacters }, `Deleted: ${name} (…${lastCharacters}).`)
      }),
    )

const allow = () =>
  new Command('allow')
    .description('say which networks an API key may be used from')
    .argument('<key>', 'its last characters, its name or its id, as `key list` shows them')
    .allowUnknownOption()
    .option('--from <networks...>', 'such as 203.0.113.0/24 2001:db8::/32 198.51.100.7; everywhere when left out')
    .option(...WORKSPACE)
    .option('--json', 'print JSON')
    .action((reference: string, options: Options & { from?: string[] }) =>
      withInstallation(async ({ sql }) => {
        const workspaceId = await findWorkspace(sql, options.workspace)
        const { keyId, name } = await keyNamed(sql, workspaceId, reference)
        const networks = await changeKeyNetworks(sql, { workspaceId, keyId }, options.from ?? [])
        const where = networks.length === 0 ? 'everywhere' : `from ${networks.join(', ')}`
        print(options, { keyId, name, networks }, `${name} may be used ${where}. It takes up to 10 seconds.`)
      }),
    )

async function keyNamed(sql: Sql, workspaceId: string, reference: string) {
  const [key, ...others] = keysNamed(await listApiKeys(sql, workspaceId), reference)
  if (!key) throw new OperatorError(`There is no API key ${reference}. See: npx pricetape key list`)
  if (others.length === 0) return key
  throw new OperatorError(
    `${others.length + 1} API keys are called ${reference}: name one by its id, which \`key list --json\` prints.`,
  )
}

function expiry(text: string): Instant {
  const read = readExpiry(text, instantOf(Date.now()))
  if (read !== undefined) return read
  throw new InvalidArgumentError('Write days or hours from now (90d, 12h) or an instant (2027-01-31T00:00:00Z).')
}
