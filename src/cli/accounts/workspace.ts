import { Command, InvalidArgumentError } from 'commander'
import { changeQuota, readQuota } from '../../accounts/workspaces/change-quota.ts'
import { createWorkspace } from '../../accounts/workspaces/create-workspace.ts'
import { deleteWorkspace } from '../../accounts/workspaces/delete-workspace.ts'
import { findWorkspace } from '../../accounts/workspaces/find-workspace.ts'
import { listWorkspaces } from '../../accounts/workspaces/list-workspaces.ts'
import { workspaceQuota } from '../../accounts/workspaces/quota-rules.ts'
import { renameWorkspace } from '../../accounts/workspaces/rename-workspace.ts'
import { OperatorError } from '../../lib/errors.ts'
import { minuteOf, type OutputOptions, print, table } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

const WORKSPACE = ['<workspace>', 'its id or name'] as const

export const workspaceCommand = (): Command =>
  new Command('workspace')
    .description('workspaces: they own API keys and webhooks')
    .addCommand(create())
    .addCommand(list())
    .addCommand(rename())
    .addCommand(quota())
    .addCommand(remove())

const create = () =>
  new Command('create')
    .description('create a workspace')
    .requiredOption('--name <name>', 'what it is called')
    .option('--json', 'print JSON')
    .action((options: OutputOptions & { name: string }) =>
      withInstallation(async ({ sql }) => {
        const made = await createWorkspace(sql, { name: options.name })
        print(options, made, `Created: ${made.name}, ${made.workspaceId}.`)
      }),
    )

const list = () =>
  new Command('list')
    .description('every workspace, oldest first')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const workspaces = await listWorkspaces(sql)
        const rows = workspaces.map((one) => [one.workspaceId, minuteOf(one.createdAt), String(one.keys), one.name])
        print(options, { workspaces }, table(['ID', 'CREATED (UTC)', 'KEYS', 'NAME'], rows))
      }),
    )

const rename = () =>
  new Command('rename')
    .description('give a workspace another name')
    .argument(...WORKSPACE)
    .argument('<name>', 'the new name')
    .option('--json', 'print JSON')
    .action((reference: string, name: string, options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const renamed = await renameWorkspace(sql, { workspaceId: await findWorkspace(sql, reference), name })
        print(options, renamed, `It is called ${renamed.name} now.`)
      }),
    )

type Most = number | 'none'
type QuotaOptions = OutputOptions & {
  webhooks?: Most
  keys?: Most
  members?: Most
  requests?: Most
}

const quota = () =>
  new Command('quota')
    .description('show what a workspace may have at most, or change it; none: no quota')
    .argument(...WORKSPACE)
    .option('--webhooks <number>', 'webhooks', quotaOption)
    .option('--keys <number>', 'API keys', quotaOption)
    .option('--members <number>', 'members', quotaOption)
    .option('--requests <number>', 'requests a minute', quotaOption)
    .option('--json', 'print JSON')
    .action((reference: string, options: QuotaOptions) =>
      withInstallation(async ({ sql }) => {
        const workspaceId = await findWorkspace(sql, reference)
        const before = await readQuota(sql, workspaceId)
        const { webhooks, keys: apiKeys, members, requests: requestsPerMinute } = options
        const named = Object.entries({ webhooks, apiKeys, members, requestsPerMinute })
        const given = named.flatMap(([name, most]) =>
          most === undefined ? [] : [[name, most === 'none' ? null : most] as const],
        )
        const parsed = workspaceQuota.safeParse({ ...before, ...Object.fromEntries(given) })
        if (!parsed.success)
          throw new OperatorError(parsed.error.issues.map((one) => `${one.path.join()}: ${one.message}`).join('\n'))
        if (given.length > 0) await changeQuota(sql, workspaceId, parsed.data)
        const text = Object.entries(parsed.data).map(([name, most]) => `${name}: ${most ?? 'no quota'}`)
        print(options, { workspaceId, quota: parsed.data }, text.join('\n'))
      }),
    )

function quotaOption(text: string): Most {
  if (text === 'none') return text
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a whole number or none.')
}

const remove = () =>
  new Command('delete')
    .description('delete a workspace with its API keys; its webhooks have to be deleted first')
    .argument(...WORKSPACE)
    .option('--json', 'print JSON')
    .action((reference: string, options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const workspaceId = await findWorkspace(sql, reference)
        await deleteWorkspace(sql, { workspaceId })
        print(options, { workspaceId }, `Deleted: ${reference}.`)
      }),
    )
