import '@mantine/dates/styles.css'
import { Box, Button, Group, Slider, Stack, Text } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useState } from 'react'

const DAY_MS = 86_400_000
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

type ChoiceProps = { from: number; to: number; asOf: string | undefined; onChoose: (asOf: string | undefined) => void }

/** A calendar and a slider over the recorded time. Loaded when somebody wants to look at the past. */
export default function AsOfChoice({ from, to, asOf, onChoose }: ChoiceProps) {
  const days = Math.max(1, Math.floor((to - from) / DAY_MS))
  const [day, setDay] = useState(() => Math.round(((asOf ? Date.parse(asOf) : to) - from) / DAY_MS))
  const at = Math.min(from + day * DAY_MS, to)
  const choose = (date: string) => onChoose(`${date}T00:00:00Z`)
  return (
    <Stack w={280} gap="sm">
      <Text size="sm">
        Everything on this page as it was at the beginning of a day (UTC). The newest instant is 15 minutes ago: what is
        published later is not final yet.
      </Text>
      <DatePicker
        minDate={dayOf(from + DAY_MS)}
        maxDate={dayOf(to)}
        defaultDate={asOf?.slice(0, 10) ?? dayOf(to)}
        value={asOf?.slice(0, 10) ?? null}
        onChange={(day) => day && choose(day)}
        hideOutsideDates
        fullWidth
        weekendDays={[]}
        ariaLabels={{ previousMonth: 'Month before', nextMonth: 'Month after' }}
      />
      <Box mt="lg">
        <Slider
          min={1}
          max={days}
          value={Math.min(Math.max(day, 1), days)}
          onChange={setDay}
          onChangeEnd={(chosen) => choose(dayOf(from + chosen * DAY_MS))}
          label={dayOf(at)}
          thumbLabel="Day of the recorded time"
        />
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {dayOf(from)}
          </Text>
          <Text size="xs" c="dimmed">
            {dayOf(to)}
          </Text>
        </Group>
      </Box>
      <Button variant="default" onClick={() => onChoose(undefined)} disabled={asOf === undefined}>
        Now
      </Button>
    </Stack>
  )
}
