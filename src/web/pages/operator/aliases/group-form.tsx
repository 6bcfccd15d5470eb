import { Alert, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../api/connection/client.ts'
import { type AliasGroup, aliasesQuery, createGroup, type Member, saveGroup } from '../../../api/operator.ts'
import { NameField, SubmitRow } from '../../../components/forms/fields.tsx'
import { useSubmit } from '../../../components/hooks/use-submit.ts'
import { Failure } from '../../../components/states/failure.tsx'

/**
 * A group's name and its members, one in a line. What was typed stays when someone else saved the group meanwhile: then
 * the form says what saving it would change in theirs.
 */
export function GroupForm({ group, onClose }: { group?: AliasGroup; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [base, setBase] = useState(group)
  const form = useForm({
    mode: 'controlled',
    initialValues: { name: group?.name ?? '', members: linesOf(group?.members ?? []) },
  })
  const { onSubmit, isPending, failure } = useSubmit(
    form,
    async (values): Promise<unknown> => {
      const body = { name: values.name, members: membersOf(values.members) }
      if (!base) return createGroup(body)
      try {
        return await saveGroup(base.id, { ...body, ifRevision: base.revision })
      } catch (error) {
        if (isStale(error)) setBase(await readAgain(queryClient, base))
        throw error
      }
    },
    onClose,
  )
  const isTyped = form.isDirty()
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={group ? `Edit ${group.name}` : 'Create a group'}
      closeOnClickOutside={!isTyped}
      closeOnEscape={!isTyped}
    >
      <form onSubmit={onSubmit}>
        <Stack>
          {failure && isStale(failure) && base !== group ? (
            <SavedMeanwhile name={base?.name ?? ''} />
          ) : (
            failure && <Failure title="Group not saved" error={failure} />
          )}
          <NameField data-autofocus {...form.getInputProps('name')} />
          <Textarea
            label="Members"
            description="One per line: provider:resource, with the exact name the provider lists it under"
            autosize
            minRows={4}
            maxRows={14}
            required
            {...form.getInputProps('members')}
          />
          <Preview before={base?.members ?? []} after={membersOf(form.values.members)} />
          <SubmitRow label="Save" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'alias_changed'

/** Returns the group as it is saved now; as it was known where it cannot be read. */
async function readAgain(queryClient: QueryClient, group: AliasGroup): Promise<AliasGroup> {
  const read = await queryClient.fetchQuery({ ...aliasesQuery, staleTime: 0 }).catch(() => undefined)
  return read?.groups.find(({ id }) => id === group.id) ?? group
}

const SavedMeanwhile = ({ name }: { name: string }) => (
  <Alert color="yellow" title="Someone else saved this group" role="alert">
    It is called {name} now. What you typed is kept. Save again to apply the changes below to their version.
  </Alert>
)

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
