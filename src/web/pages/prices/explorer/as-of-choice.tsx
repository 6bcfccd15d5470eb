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
  const days = Math.max(1, Math.floor((to - from) / DAY))
  const [day, setDay] = useState(() => Math.round(((asOf ? Date.parse(asOf) : to) - from) / DAY))
  const at = Math.min(from + day * DAY, to)
  const follow = useDebouncedCallback((chosen: number) => onShow(startOf(dayOf(from + chosen * DAY))), REST_MS)
  return (
    <Stack w={280} gap="sm">
      <Text size="sm">Everything on this page as it was at the beginning of a day (UTC).</Text>
      <DatePicker
        minDate={dayOf(from + DAY)}
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
          value={Math.min(Math.max(day, 1), days)}
          onChange={setDay}
          onChangeEnd={follow}
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
