import { Button, Card, Group, List, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { plural } from '../../../../lib/text/plural.ts'
import { type AliasProposal, acceptProposals } from '../../../api/operator.ts'
import { useConfirmed } from '../../../components/hooks/use-confirmed.tsx'
import { Empty } from '../../../components/states/empty.tsx'

const MOST_SHOWN = 100

/** Groups that the names of what is priced suggest. Nothing is saved until one is accepted. */
export function Proposals({ proposals }: { proposals: AliasProposal[] }) {
  const joins = proposals.reduce((sum, proposal) => sum + proposal.joins.length, 0)
  const acceptAll = useConfirmed({
    title: `Accept all ${proposals.length} proposals?`,
    text: `${joins} resources join groups. Webhooks that watch groups receive an event for each.`,
    button: 'Accept all',
    run: async () => sayAllSkipped((await acceptProposals('all')).skipped),
  })
  if (proposals.length === 0)
    return <Empty title="No proposals">Every resource whose name suggests a group is already in one.</Empty>
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {plural(joins, 'resource')} would join. Accepting a proposal keeps the members its group has.
        </Text>
        {proposals.length > 1 && (
          <Button variant="default" onClick={acceptAll}>
            Accept all {proposals.length}
          </Button>
        )}
      </Group>
      {proposals.slice(0, MOST_SHOWN).map((proposal) => (
        <Proposal key={`${proposal.name} ${proposal.groupId}`} proposal={proposal} />
      ))}
      {proposals.length > MOST_SHOWN && (
        <Text size="sm" c="dimmed" ta="center">
          The first {MOST_SHOWN} of {proposals.length}. The others follow when these are accepted.
        </Text>
      )}
    </Stack>
  )
}

type SkippedProposal = { name: string; message: string }

const saySkipped = ({ name, message }: SkippedProposal) =>
  notifications.show({ color: 'yellow', title: `${name} was not saved`, message })

const sayAllSkipped = (skipped: SkippedProposal[]) => {
  const [only, ...others] = skipped
  if (!only) return
  const message = skipped.map((one) => `${one.name}: ${one.message}`).join(' ')
  if (others.length === 0) saySkipped(only)
  else notifications.show({ color: 'yellow', title: `${skipped.length} groups were not saved`, message })
}

function Proposal({ proposal: { name, groupId, joins, members, reasons } }: { proposal: AliasProposal }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => acceptProposals([name]),
    onSuccess: ({ saved, skipped }) => {
      if (skipped.length > 0) sayAllSkipped(skipped)
      else if (saved.length === 0)
        saySkipped({ name, message: 'The names no longer suggest it, or someone else accepted it.' })
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: `${name} was not saved`, message }),
  })
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {groupId
              ? `${joins.length} would join its ${members.length - joins.length} members`
              : `a new group of ${members.length}`}
          </Text>
          <List size="sm" mt={4} spacing={2}>
            {joins.map(({ provider, resource }) => (
              <List.Item key={`${provider} ${resource}`} style={{ overflowWrap: 'anywhere' }}>
                {provider}: {resource}
              </List.Item>
            ))}
          </List>
          <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
            Suggested by {[...new Set(reasons)].join('; ')}
          </Text>
        </div>
        <Button
          size="xs"
          style={{ flexShrink: 0 }}
          loading={isPending}
          onClick={() => mutate()}
          aria-label={`Accept ${name}`}
        >
          Accept
        </Button>
      </Group>
    </Card>
  )
}
