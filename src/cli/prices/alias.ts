import { Command } from 'commander'
import { acceptProposals } from '../../aliases/accept-proposals.ts'
import { deleteGroup } from '../../aliases/delete-group.ts'
import type { Member } from '../../aliases/group-rules.ts'
import { findGroup, listGroups } from '../../aliases/list-groups.ts'
import { proposeGroups } from '../../aliases/propose-groups.ts'
import { saveGroup } from '../../aliases/save-group.ts'
import { OperatorError } from '../../lib/errors.ts'
import { plural } from '../../lib/text/plural.ts'
import { type OutputOptions, print, table } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

const ACTOR = 'operator'

export const aliasCommand = (): Command =>
  new Command('alias')
    .description('alias groups: one resource under each provider’s own name')
    .addCommand(listCommand())
    .addCommand(saveCommand())
    .addCommand(deleteCommand())
    .addCommand(proposeCommand())
    .addCommand(acceptCommand())

const listCommand = () =>
  new Command('list')
    .description('every group')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const groups = await listGroups(sql)
        const rows = groups.map((group) => [group.name, group.members.map(memberText).join(', ')])
        print(options, { groups }, table(['NAME', 'MEMBERS'], rows))
      }),
    )

const saveCommand = () =>
  new Command('save')
    .description('create a group, or save one again with exactly these members')
    .argument('<name>', 'name of the group, or its id')
    .argument('<members...>', 'provider:resource, the exact name the provider lists it under')
    .option('--name <name>', 'rename the group')
    .option('--json', 'print JSON')
    .action((reference: string, members: string[], options: OutputOptions & { name?: string }) =>
      withInstallation(async ({ sql }) => {
        const known = await findGroup(sql, reference)
        const name = options.name ?? known?.name ?? reference
        const saved = await saveGroup(sql, { id: known?.id, name, members: members.map(readMember), actor: ACTOR })
        const text = `${name} is at revision ${saved.revision}: ${plural(saved.joined.length, 'member')} joined, ${saved.left.length} left.`
        print(options, { ...saved, name }, text)
      }),
    )

const deleteCommand = () =>
  new Command('delete')
    .description('delete a group; webhooks that list it keep it and match nothing')
    .argument('<group>', 'its id or name')
    .option('--json', 'print JSON')
    .action((reference: string, options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const known = await findGroup(sql, reference)
        if (!known) throw new OperatorError(`There is no alias group ${reference}. See: npx pricetape alias list`)
        const deleted = await deleteGroup(sql, { id: known.id, actor: ACTOR })
        print(options, deleted, `Deleted: ${plural(deleted.left.length, 'member')} left it.`)
      }),
    )

const proposeCommand = () =>
  new Command('propose')
    .description('groups that the names of what is priced suggest; saves nothing')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const proposals = await proposeGroups(sql)
        const rows = proposals.map((proposal) => [
          proposal.name,
          proposal.groupId ? 'add' : 'new',
          proposal.joins.map(memberText).join(', '),
        ])
        print(options, { proposals }, table(['NAME', 'GROUP', 'WOULD JOIN'], rows))
      }),
    )

const acceptCommand = () =>
  new Command('accept')
    .description('save proposed groups: their members join, and webhooks are notified')
    .argument('[names...]', 'names as `alias propose` prints them')
    .option('--all', 'every proposal')
    .option('--json', 'print JSON')
    .action((names: string[], options: OutputOptions & { all?: boolean }) =>
      withInstallation(async ({ sql }) => {
        if (names.length === 0 && !options.all)
          throw new OperatorError('Name the groups to accept, or give --all. See: npx pricetape alias propose')
        const accepted = await acceptProposals(sql, { names: options.all ? 'all' : names, actor: ACTOR })
        const { saved, skipped } = accepted
        const joined = saved.reduce((sum, group) => sum + group.joined.length, 0)
        const lines = [
          `Saved ${plural(saved.length, 'group')}: ${plural(joined, 'member')} joined.`,
          ...skipped.map(({ name, message }) => `${name} was not saved. ${message}`),
        ]
        print(options, accepted, lines.join('\n'))
      }),
    )

const memberText = ({ provider, resource }: Member): string => `${provider}:${resource}`

function readMember(text: string): Member {
  const colon = text.indexOf(':')
  if (colon > 0 && colon < text.length - 1) return { provider: text.slice(0, colon), resource: text.slice(colon + 1) }
  throw new OperatorError(`"${text}" is not a member: write provider:resource, as in openai:gpt-4o.`)
}
