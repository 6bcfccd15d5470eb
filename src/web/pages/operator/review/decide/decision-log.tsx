import { Alert, Anchor, Button, Group, List, Paper, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../../../api/connection/client.ts'
import type { QueueItem } from '../../../../api/operator.ts'
import { useProviderNames } from '../../../../api/provider-names.ts'
import { Moment } from '../../../../components/values/moment.tsx'
import { headOf, isEditable, sellerOf } from '../kinds.ts'
import { eventsText } from './batch-dialog.tsx'
import type { SentDecision } from './send-decisions.ts'
import type { useDecisions } from './use-decisions.ts'

const VERBS = { approve: 'Approved', reject: 'Rejected', edit: 'Published with other prices' }
const MOST_SENT = 8

type Decisions = ReturnType<typeof useDecisions>

/** What can still be taken back. It is part of the bar at the bottom, so that nothing on the page moves. */
export function PendingDecisions({
  waiting,
  sendNow,
  onUndo,
}: Pick<Decisions, 'waiting' | 'sendNow'> & { onUndo: () => void }) {
  if (waiting.length === 0) return null
  return (
    <Group justify="space-between" gap="xs" pb="xs" role="status">
      <Text size="sm">
        {waiting.length === 1 ? '1 decision is' : `${waiting.length} decisions are`} sent in a few seconds.
      </Text>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={onUndo}>
          Undo (u)
        </Button>
        <Button size="compact-sm" variant="default" onClick={sendNow}>
          Send now
        </Button>
      </Group>
    </Group>
  )
}

/** What could not be sent, and what someone else was faster with. */
export const DecisionProblems = ({
  sent,
  failed,
  retry,
  putBack,
  onShow,
}: Decisions & Pick<OvertakenProps, 'onShow'>) => (
  <>
    {failed && <NotSent error={failed.error} count={failed.waiting.length} retry={retry} putBack={putBack} />}
    <Overtaken refused={sent.filter(({ problem }) => problem)} onShow={onShow} />
  </>
)

/** What was decided here, the newest first, and what came of it. */
export function DecidedHere({ sending, sent }: Decisions) {
  const done = sent.filter(({ problem }) => !problem)
  if (done.length === 0 && sending.length === 0) return null
  return (
    <Paper withBorder px="sm" py="xs" component="section" aria-label="Decided here">
      <Text size="sm" fw={600}>
        {done.length} decided here{sending.length > 0 && `, ${sending.length} on the way`}
      </Text>
      {done.slice(0, MOST_SENT).map((result) => (
        <Done key={result.item.id} {...result} />
      ))}
    </Paper>
  )
}

function Done({ item, decision, events }: SentDecision) {
  const nameOf = useProviderNames()
  const [resource] = item.resources
  const canCorrect = decision.decision !== 'reject' && isEditable(item) && resource !== undefined
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {VERBS[decision.decision]}: {sellerOf(item, nameOf)}, {ended(headOf(item).title)}{' '}
      {decision.decision !== 'reject' && eventsText(events)}{' '}
      {canCorrect && (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              {...props}
              to={'/operator/prices' as string}
              search={{ provider: item.provider, resource } as never}
            />
          )}
        >
          Correct or withdraw
        </Anchor>
      )}
    </Text>
  )
}

type OvertakenProps = { refused: SentDecision[]; onShow: (item: QueueItem) => void }

/** One alert, however many items of a batch are in it. */
function Overtaken({ refused, onShow }: OvertakenProps) {
  const [only, ...others] = refused
  if (!only) return null
  const isOne = others.length === 0
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title={isOne ? `Not decided: ${headOf(only.item).title}` : `${refused.length} items were not decided`}
      role="status"
    >
      {isOne ? (
        <WhyNot {...only} onShow={onShow} />
      ) : (
        <List size="sm" spacing="xs">
          {refused.map((result) => (
            <List.Item key={result.item.id} style={{ overflowWrap: 'anywhere' }}>
              <Text size="sm" fw={600}>
                {headOf(result.item).title}
              </Text>
              <WhyNot {...result} onShow={onShow} />
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}

const WhyNot = ({ item, problem, code, closed, onShow }: SentDecision & Pick<OvertakenProps, 'onShow'>) => (
  <>
    <Text size="sm">
      {problem}{' '}
      {closed && closed.decision !== 'superseded' && (
        <>
          {closed.decidedBy ?? 'A person'} {closed.decision} it <Moment at={closed.decidedAt} />.
        </>
      )}
      {closed?.decision === 'superseded' && 'Its source changed, or its prices were decided with another item.'}
    </Text>
    {code === 'review_changed' && (
      <Button size="compact-sm" variant="default" mt="xs" onClick={() => onShow(item)}>
        Look at it again
      </Button>
    )}
  </>
)

/** A title may be a sentence or a question already. */
const ended = (title: string): string => (/[.?]$/.test(title) ? title : `${title}.`)

const isSignedOut = (error: Error): boolean => error instanceof ApiError && error.status === 401

type NotSentProps = { error: Error; count: number; retry: () => void; putBack: () => void }

/** The decisions are kept: someone whose session ended signs in beside this page and sends them again. */
const NotSent = ({ error, count, retry, putBack }: NotSentProps) => (
  <Alert
    color="red"
    icon={<IconAlertTriangle aria-hidden />}
    title={
      count === 1
        ? '1 decision was not sent. It is kept here.'
        : `${count} decisions were not sent. They are kept here.`
    }
    role="alert"
  >
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {isSignedOut(error) ? 'Your session has ended. They are sent when you have signed in again.' : error.message}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={retry}>
          Send again
        </Button>
        <Button size="xs" variant="default" onClick={putBack}>
          Put back into the queue
        </Button>
      </Group>
    </Stack>
  </Alert>
)
