import { Button, Group, List, Loader, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { plural } from '../../../../../lib/text/plural.ts'
import { decideItems, type QueueItem } from '../../../../api/operator.ts'
import { useProviderNames } from '../../../../api/provider-names.ts'
import { Failure } from '../../../../components/states/failure.tsx'
import { sellerOf } from '../kinds.ts'
import type { ShownItem } from './send-decisions.ts'

type Props = {
  items: QueueItem[]
  decision: 'approve' | 'reject'
  reason: string
  onConfirm: (previewed: ShownItem[]) => void
  onClose: () => void
}

const MOST_NAMED = 12

/** What would come of a decision about many items. Nothing is decided until it is confirmed. */
export function BatchDialog({ items, decision, reason, onConfirm, onClose }: Props) {
  const ids = items.map(({ id }) => id)
  const revisions = Object.fromEntries(items.map(({ id, revision }) => [id, revision]))
  const { data, error, refetch } = useQuery({
    queryKey: ['preview', decision, revisions],
    queryFn: () => decideItems({ ids, revisions, decision, reason, dryRun: true }),
    gcTime: 0,
    // What is confirmed is the answer on the screen, not one that was read behind it.
    staleTime: 'static',
  })
  const nameOf = useProviderNames()
  const confirm = useRef<HTMLButtonElement>(null)
  // Whoever sees the answer and presses Enter confirms it: an effect after the picture would come too late for them.
  useLayoutEffect(() => {
    if (data) confirm.current?.focus()
  }, [data])
  const problems = data?.decided.filter(({ problem }) => problem) ?? []
  // What was previewed is what is decided.
  const possible = items.flatMap((item): ShownItem[] => {
    const { revision } = data?.decided.find(({ id }) => id === item.id) ?? {}
    return revision === undefined ? [] : [{ item, revision }]
  })
  const verb = decision === 'approve' ? 'Approve' : 'Reject'
  return (
    <Modal opened onClose={onClose} title={`${verb} ${plural(items.length, 'item')}?`} size="lg">
      <Stack>
        {error && <Failure error={error} retry={() => void refetch()} />}
        {!data && !error && (
          <Group gap="xs" role="status">
            <Loader size="xs" /> <Text size="sm">Previewing …</Text>
          </Group>
        )}
        {data && <Text size="sm">{eventsText(data.events)}</Text>}
        <List size="sm" spacing={2}>
          {items.slice(0, MOST_NAMED).map(({ id, provider, question }) => (
            <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
              {sellerOf({ provider }, nameOf)}: {question}
              {problems.find((problem) => problem.id === id) && (
                <Text span className="problem" size="sm">
                  {' '}
                  Left out: {problems.find((problem) => problem.id === id)?.problem}
                </Text>
              )}
            </List.Item>
          ))}
          {items.length > MOST_NAMED && <List.Item>and {items.length - MOST_NAMED} more</List.Item>}
        </List>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!data || possible.length === 0}
            onClick={() => onConfirm(possible)}
            ref={confirm}
            // The dialog moves the focus when it opens: on a busy machine that is after the answer.
            data-autofocus={data ? true : undefined}
          >
            {verb} {possible.length}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** What subscribers would get, in a sentence. */
export function eventsText(events: Record<string, number>): string {
  const counts = Object.entries(events).map(([type, count]) => `${count} ${type}`)
  if (counts.length === 0) return 'No events: subscribers receive nothing.'
  return `Subscribers receive ${counts.join(', ')}.`
}
