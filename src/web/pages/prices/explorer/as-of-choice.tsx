import '@mantine/dates/styles.css'
import { Box, Button, Group, Slider, Stack, Text } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { DAY } from '../../../../lib/instant.ts'

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const startOf = (day: string): string => `${day}T00:00:00Z`

/** The slider moves day by day with the arrow keys: the page follows when it rests. */
const REST_MS = 300

type ChoiceProps = {
  from: number
  to: number
  asOf: string | undefined
  /** Shows an instant, and leaves the choice open. */
  onShow: (asOf: string) => void
  /** Shows an instant, and is done; undefined is now. */
  onChoose: (asOf: string | undefined) => void
}

/** A calendar and a slider over the recorded time. Loaded when someone wants to look at the past. */
export default function AsOfChoice({ from, to, asOf, onShow, onChoose }: ChoiceProps) {
  const start = Date.parse(startOf(dayOf(from)))
  const daysTo = (ms: number) => Math.floor((ms - start) / DAY)
  const days = Math.max(1, daysTo(to))
  const [day, setDay] = useState(() => Math.min(Math.max(daysTo(asOf ? Date.parse(asOf) : to), 1), days))
  const dayAt = (count: number) => dayOf(start + count * DAY)
  const follow = useDebouncedCallback((chosen: number) => onShow(startOf(dayAt(chosen))), REST_MS)
  return (
    <Stack w={280} gap="sm">
      <Text size="sm">Everything on this page as it was at the beginning of a day (UTC).</Text>
      <DatePicker
        minDate={dayAt(1)}
        maxDate={dayOf(to)}
        defaultDate={asOf?.slice(0, 10) ?? dayOf(to)}
        value={asOf?.slice(0, 10) ?? null}
        onChange={(day) => day && onChoose(startOf(day))}
        hideOutsideDates
        fullWidth
        weekendDays={[]}
        ariaLabels={{ previousMonth: 'Month before', nextMonth: 'Month after' }}
      />
      <Box mt="lg">
        <Slider
          min={1}
          max={days}
          value={day}
          onChange={setDay}
          onChangeEnd={follow}
          label={dayOf(Math.min(start + day * DAY, to))}
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
