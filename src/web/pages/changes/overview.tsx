import { Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconClockExclamation, IconHelpCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Overview as Answer, overviewQuery, webhookHealthQuery } from '../../api/feed.ts'
import { TextLink } from '../../components/links.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { Moment } from '../../components/values/moment.tsx'
import { FeedAddress } from './feed-address.tsx'
import { Side, SideLoading, Unread } from './side.tsx'

/** What is beside the changes, as it is now: how fresh the sources are, one's webhooks, what waits, the Atom feed. */
export function Overview({ isSignedIn, isPast }: { isSignedIn: boolean; isPast: boolean }) {
  const { data, error, refetch } = useQuery(overviewQuery)
  const sources = isPast ? 'Sources now' : 'Sources'
  return (
    <Stack>
      {!data && !error && <SideLoading title={sources} />}
      {!data && error && <Unread title={sources} error={error} retry={refetch} />}
      {data && <Freshness providers={data.providers} title={sources} />}
      {isSignedIn && <Webhooks title={isPast ? 'My webhooks now' : 'My webhooks'} />}
      {data?.waiting !== undefined && <Waiting count={data.waiting} />}
      {isSignedIn && <FeedAddress />}
    </Stack>
  )
}

const STATES = {
  fresh: { label: 'up to date', Icon: IconCircleCheck, color: 'teal' },
  stale: { label: 'may be out of date', Icon: IconClockExclamation, color: 'orange' },
  unknown: { label: 'not read yet', Icon: IconHelpCircle, color: 'gray' },
} as const
const SHOWN = 5

function Freshness({ providers, title }: { providers: Answer['providers']; title: string }) {
  const stale = providers.filter(({ freshness }) => freshness === 'stale')
  return (
    <Side title={title}>
      <Stack gap={4}>
        {Object.entries(STATES).map(([freshness, { label, Icon, color }]) => {
          const count = providers.filter((provider) => provider.freshness === freshness).length
          return count === 0 ? null : (
            <Group key={freshness} gap={6} wrap="nowrap" align="flex-start">
              <Icon
                size={16}
                color={`var(--mantine-color-${color}-light-color)`}
                style={{ flex: 'none', marginTop: 3 }}
                aria-hidden
              />
              <Text size="sm">
                <b>{count}</b> {count === 1 ? 'provider' : 'providers'} {label}
              </Text>
            </Group>
          )
        })}
        {stale.slice(0, SHOWN).map(({ provider, name, lastCheckedAt }) => (
          <Text key={provider} size="xs" c="dimmed">
            {name}
            {lastCheckedAt && (
              <>
                , checked <Moment at={lastCheckedAt} />
              </>
            )}
          </Text>
        ))}
        {stale.length > SHOWN && (
          <Text size="xs" c="dimmed">
            and {stale.length - SHOWN} more
          </Text>
        )}
      </Stack>
    </Side>
  )
}

function Webhooks({ title }: { title: string }) {
  const { workspace } = useWorkspace()
  const { data, error, refetch } = useQuery({
    ...webhookHealthQuery(workspace?.workspaceId ?? ''),
    enabled: Boolean(workspace),
  })
  if (!data && error) return <Unread title={title} error={error} retry={refetch} />
  if (!workspace) return null
  if (!data) return <SideLoading title={title} />
  const paused = data.webhooks.filter(({ state }) => state === 'paused')
  const failing = data.webhooks.filter(({ state, failuresInRow }) => state === 'active' && failuresInRow > 0)
  return (
    <Side title={title}>
      {data.webhooks.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet. A webhook sends each change to your server. <TextLink to="/webhooks/new">Create one</TextLink>
        </Text>
      ) : (
        <Stack gap={4}>
          <Text size="sm">
            <b>{data.webhooks.length - paused.length - failing.length}</b> of {data.webhooks.length} deliver without
            failures
          </Text>
          {[...paused, ...failing].slice(0, SHOWN).map(({ id, name, state, failuresInRow }) => (
            <Text key={id} size="sm">
              <TextLink
                to="/webhooks/$webhookId"
                params={{ webhookId: id } as never}
                style={{ overflowWrap: 'anywhere' }}
              >
                {name || id}
              </TextLink>{' '}
              {state === 'paused'
                ? 'is paused'
                : failuresInRow === 1
                  ? 'failed once'
                  : `failed ${failuresInRow} times in a row`}
            </Text>
          ))}
        </Stack>
      )}
    </Side>
  )
}

const Waiting = ({ count }: { count: number }) => (
  <Side title="Review">
    <Text size="sm">
      {count === 0 ? (
        'Nothing to review.'
      ) : (
        <TextLink to="/operator/review">{count === 1 ? '1 item waits' : `${count} items wait`}</TextLink>
      )}
    </Text>
  </Side>
)
