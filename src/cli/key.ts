import { Command } from 'commander'
import { createApiKey } from '../accounts/create-api-key.ts'
import { findWorkspace } from '../accounts/find-workspace.ts'
import { listApiKeys } from '../accounts/list-api-keys.ts'
import { type OutputOptions, print, table } from './output.ts'
import { withInstallation } from './with-installation.ts'

type Options = OutputOptions & { workspace?: string }

export const keyCommand = (): Command =>
  new Command('key').description('API keys').addCommand(create()).addCommand(list())

const create = () =>
  new Command('create')
    .description('create an API key; its value is shown this once')
    .requiredOption('--name <name>', 'what it is for')
    .option('--workspace <workspace>', 'id or name; the first workspace when left out')
    .option('--json', 'print JSON')
    .action((options: Options & { name: string }) =>
      withInstallation(async ({ sql, running }) => {
        const workspaceId = await findWorkspace(sql, options.workspace)
        const { keyId, name, key } = await createApiKey(sql, { workspaceId, name: options.name })
        const url = `${running?.url ?? 'http://localhost:8080'}/v1/prices/history?providers=openai&limit=3`
        const text = `${key}\nShown this once. Try it:\n  curl -s '${url}' -H 'authorization: Bearer ${key}'`
        print(options, { keyId, name, workspaceId, key }, text)
      }),
    )

const list = () =>
  new Command('list')
    .description('the API keys of a workspace')
    .option('--workspace <workspace>', 'id or name; the first workspace when left out')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withInstallation(async ({ sql }) => {
        const keys = await listApiKeys(sql, await findWorkspace(sql, options.workspace))
        const rows = keys.map((key) => [key.name, `…${key.lastCharacters}`, key.createdAt, key.lastUsedAt ?? 'never'])
        print(options, { keys }, table(['NAME', 'KEY', 'CREATED', 'LAST USED'], rows))
      }),
    )
