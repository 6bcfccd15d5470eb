import { Accordion, Badge, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Attempt } from '../../api/webhooks.ts'
import { Moment } from '../../components/values/moment.tsx'
import { resendsBefore } from './answer.ts'

const COLORS = { succeeded: 'teal', failed: 'red', unknown: 'red', platform: 'yellow', started: 'blue' } as const
const WORDS = {
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'outcome unknown',
  platform: 'our fault',
  started: 'sending',
} as const

/** The newest attempts, also of earlier cycles, with what the endpoint answered. */
export function Attempts({ attempts, title = 'Attempts' }: { attempts: Attempt[]; title?: string }) {
  const [chosen, setChosen] = useState<Record<string, boolean>>({})
  if (attempts.length === 0) return null
  // The newest is open, also one that is made meanwhile. The others stay as someone left them.
  const keys = attempts.map((_, index) => keyOf(index))
  const open = keys.filter((key) => chosen[key] ?? key === keys.at(-1))
  const isResent = attempts.some(({ cycle }) => cycle !== attempts[0]!.cycle)
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Accordion
        variant="separated"
        multiple
        value={open}
        onChange={(now) => setChosen(Object.fromEntries(keys.map((key) => [key, now.includes(key)])))}
        order={3}
      >
        {attempts.map((attempt, index) => (
          <Accordion.Item key={keyOf(index)} value={keyOf(index)}>
            <Accordion.Control>
              <Group gap="sm">
                <Badge color={COLORS[attempt.outcome]} variant="light">
                  {WORDS[attempt.outcome]}
                </Badge>
                <Text size="sm" fw={500} span>
                  {isResent ? `${sendingOf(resendsBefore(attempts, attempt.cycle))} · attempt` : 'Attempt'}{' '}
                  {attempt.number}
                  {attempt.status !== undefined && `: HTTP ${attempt.status}`}
                </Text>
                <Text size="sm" c="dimmed" span>
                  <Moment at={attempt.at} />
                  {attempt.durationMs !== undefined && `, ${attempt.durationMs} ms`}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <Answer attempt={attempt} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  )
}

const sendingOf = (resends: number): string => (resends === 0 ? 'First delivery' : `Resend ${resends}`)

const keyOf = (index: number): string => String(index)

function Answer({ attempt: { error, status, response, earlierPosts, outcome } }: { attempt: Attempt }) {
  return (
    <Stack gap="xs">
      {error && <Text size="sm">{error}</Text>}
      {earlierPosts?.map(({ startedAt, error: reason, durationMs }) => (
        <Text key={startedAt} size="sm" c="dimmed">
          No answer after {durationMs} ms ({reason}): sent again at once, within the same attempt.
        </Text>
      ))}
      {response ? (
        <>
          <Text size="sm" c="dimmed">
            Start of the response, at most 1 KB:
          </Text>
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {response}
          </Code>
        </>
      ) : (
        outcome !== 'started' &&
        outcome !== 'unknown' && (
          <Text size="sm" c="dimmed">
            {status === undefined ? 'No response.' : 'The response had no body.'}
          </Text>
        )
      )}
    </Stack>
  )
}
