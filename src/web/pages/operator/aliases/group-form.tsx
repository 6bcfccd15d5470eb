import { Modal, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/client.ts'
import { type AliasGroup, aliasesQuery, createGroup, type Member, saveGroup } from '../../../api/operator.ts'
import { Failure } from '../../../components/failure.tsx'
import { NameField, SubmitRow } from '../../../components/fields.tsx'
import { useSubmit } from '../../../components/use-submit.ts'

/** A group's name and its members, one in a line. What was typed stays when somebody else saved the group meanwhile. */
export function GroupForm({ group, onClose }: { group?: AliasGroup; onClose: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm({
    mode: 'controlled',
    initialValues: { name: group?.name ?? '', members: linesOf(group?.members ?? []) },
  })
  const { onSubmit, isPending, failure } = useSubmit(
    form,
    async (values): Promise<unknown> => {
      const body = { name: values.name, members: membersOf(values.members) }
      return group ? saveGroup(group.id, { ...body, ifRevision: group.revision }) : createGroup(body)
    },
    async () => {
      await queryClient.invalidateQueries(aliasesQuery)
      onClose()
    },
  )
  const isStale = failure instanceof ApiError && failure.code === 'alias_changed'
  return (
    <Modal opened onClose={onClose} size="lg" title={group ? `Edit ${group.name}` : 'Create a group'}>
      <form onSubmit={onSubmit}>
        <Stack>
          {failure && <Failure error={failure} />}
          {isStale && (
            <Text size="sm">
              Somebody else saved this group meanwhile. What you typed is kept here: copy it, close, and edit the group
              as it is now.
            </Text>
          )}
          <NameField data-autofocus {...form.getInputProps('name')} />
          <Textarea
            label="Members"
            description="One in a line: provider:resource, the exact name the provider lists it under"
            autosize
            minRows={4}
            maxRows={14}
            required
            {...form.getInputProps('members')}
          />
          <Preview before={group?.members ?? []} after={membersOf(form.values.members)} />
          <SubmitRow label="Save" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

/** What saving would change. */
function Preview({ before, after }: { before: Member[]; after: Member[] }) {
  const had = new Set(before.map(keyOf))
  const has = new Set(after.map(keyOf))
  const joined = after.filter((member) => !had.has(keyOf(member))).map(keyOf)
  const left = before.filter((member) => !has.has(keyOf(member))).map(keyOf)
  if (joined.length === 0 && left.length === 0) return null
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }} aria-live="polite">
      {joined.length > 0 && `Joins: ${joined.join(', ')}. `}
      {left.length > 0 && `Leaves: ${left.join(', ')}.`}
    </Text>
  )
}

const keyOf = ({ provider, resource }: Member): string => `${provider}:${resource}`
const linesOf = (members: Member[]): string => members.map(keyOf).join('\n')

/** A line without a colon is sent as it is: the service says what is wrong with it. */
const membersOf = (lines: string): Member[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return { provider: line.slice(0, Math.max(colon, 0)), resource: line.slice(colon + 1) }
    })
