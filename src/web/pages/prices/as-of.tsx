import { Alert, Box, Button, Group, Loader, Popover, Slider, Stack, Text } from '@mantine/core'
import { IconClock, IconHistory } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../components/lazy-part.ts'

const DatePicker = lazyPart(() => import('./date-picker.tsx'))

const DAY_MS = 86_400_000
/** Pages that look into the past have `asOf` in their address. */
type Props = { asOf?: string | undefined; newest?: string | undefined; first?: string | undefined }

export const exactInstant = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Shows which instant a page shows, and lets choose another. */
export function AsOfPicker({ asOf, newest, first }: Props) {
  const [opened, setOpened] = useState(false)
  const show = useAsOf()
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant={asOf ? 'light' : 'default'}
          leftSection={<IconHistory size={16} aria-hidden />}
          onClick={() => setOpened(!opened)}
          aria-haspopup="dialog"
        >
          {asOf ? exactInstant(asOf) : newest ? `As of ${newest.slice(11, 16)} UTC` : 'As of now'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {newest && first && (
          <Choice
            from={Date.parse(first)}
            to={Date.parse(newest)}
            asOf={asOf}
            onChoose={(instant) => {
              show(instant)
              setOpened(false)
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Returns a function that shows the page as of another instant; undefined is now. */
function useAsOf(): (asOf: string | undefined) => void {
  const navigate = useNavigate()
  return (asOf) => void navigate({ to: '.', search: ((search: object) => ({ ...search, asOf })) as never })
}

type ChoiceProps = { from: number; to: number; asOf: string | undefined; onChoose: (asOf: string | undefined) => void }

function Choice({ from, to, asOf, onChoose }: ChoiceProps) {
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
      <Suspense fallback={<Loader size="sm" />}>
        <DatePicker from={dayOf(from + DAY_MS)} to={dayOf(to)} value={asOf?.slice(0, 10)} onChoose={choose} />
      </Suspense>
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

/** Says that a page shows the past. */
export function PastNotice({ asOf }: { asOf: string | undefined }) {
  const show = useAsOf()
  if (asOf === undefined) return null
  return (
    <Alert color="yellow" icon={<IconClock aria-hidden />} p="sm" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          You look at the past: everything here is as it was on <b>{exactInstant(asOf)}</b>.
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => show(undefined)}>
          Back to now
        </Button>
      </Group>
    </Alert>
  )
}
