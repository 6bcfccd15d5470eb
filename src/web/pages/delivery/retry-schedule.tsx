import { Paper, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck, IconClock, IconLoader, IconMinus, IconQuestionMark, IconX } from '@tabler/icons-react'
import type { Attempt, RetryStep } from '../../api/webhooks.ts'
import { Moment } from '../../components/values/moment.tsx'
import { roundOf } from './next-round.ts'

const MINUTE_MS = 60_000
const LOOKS = {
  succeeded: { color: 'teal', Icon: IconCheck, label: 'succeeded' },
  failed: { color: 'red', Icon: IconX, label: 'failed' },
  unknown: { color: 'red', Icon: IconQuestionMark, label: 'outcome unknown' },
  started: { color: 'blue', Icon: IconLoader, label: 'sending' },
  next: { color: 'blue', Icon: IconClock, label: 'next' },
  planned: { color: 'gray', Icon: IconClock, label: 'if that fails' },
  omitted: { color: 'gray', Icon: IconMinus, label: 'not made' },
} as const

type Props = { schedule: RetryStep[]; attempts: Attempt[]; cycle: number }

/** The six attempts of the present cycle: how each went, or when it is made at the earliest. */
export function RetrySchedule({ schedule, attempts, cycle }: Props) {
  const answerOf = (number: number) =>
    attempts.findLast((attempt) => attempt.cycle === cycle && attempt.number === number && attempt.status !== undefined)
  const isDone = schedule.some(({ state }) => state === 'succeeded')
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        Retry schedule
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {schedule.map((step) => (
          <Step key={step.number} step={step} answer={answerOf(step.number)} isDone={isDone} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

type StepProps = { step: RetryStep; answer?: Attempt; isDone: boolean }

function Step({ step: { number, state, at, waitMs }, answer, isDone }: StepProps) {
  const { color, Icon, label } = LOOKS[state]
  const isFaint = state === 'omitted' || state === 'planned'
  return (
    <Paper component="li" withBorder p="sm" bg={isFaint ? 'transparent' : undefined}>
      <Stack gap={4}>
        <ThemeIcon color={color} variant={isFaint ? 'default' : 'light'} radius="xl" size="md">
          <Icon size={16} aria-hidden />
        </ThemeIcon>
        <Text size="sm" fw={600}>
          {number}. {state === 'omitted' && isDone ? 'not needed' : label}
        </Text>
        <Text size="xs" c="dimmed">
          {waitMs === undefined ? 'in the first delivery run' : `after ${waitText(waitMs)}`}
        </Text>
        {answer && (
          <Text size="xs">
            HTTP {answer.status}, {answer.durationMs} ms
          </Text>
        )}
        {at && (
          <Text size="xs" c="dimmed">
            {state === 'next' ? <Next at={at} /> : <Moment at={at} />}
            {state === 'planned' && ' at the earliest'}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function Next({ at }: { at: string }) {
  const round = roundOf(at, Date.now())
  return round ? <Moment at={round} /> : 'in the next delivery run'
}

const waitText = (ms: number): string => {
  const minutes = ms / MINUTE_MS
  return minutes < 60 ? `${minutes} min` : `${minutes / 60} h`
}
