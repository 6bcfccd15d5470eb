import { Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { plural } from '../../../lib/text/plural.ts'

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const TICK_MS = 30_000
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

const wholeUnits = (seconds: number): [Intl.RelativeTimeFormatUnit, number] => {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return [unit, Math.round(seconds / size)]
}

/** Returns how far away an instant is, in its largest unit, rounded. */
function relativeTime(instant: string, now: number): string {
  const seconds = Math.round((Date.parse(instant) - now) / 1000)
  const [unit, count] = wholeUnits(seconds)
  if (unit === 'second') return seconds > 0 ? 'in less than a minute' : 'less than a minute ago'
  return format.format(count, unit)
}

/** Returns how long something has lasted: `for 4 months`. */
function durationSince(instant: string, now: number): string {
  const [unit, count] = wholeUnits(Math.round((now - Date.parse(instant)) / 1000))
  if (unit === 'second') return 'for less than a minute'
  return `for ${plural(count, unit)}`
}

const subscribe = (changed: () => void) => {
  const timer = setInterval(changed, TICK_MS)
  return () => clearInterval(timer)
}
const tick = () => Math.floor(Date.now() / TICK_MS) * TICK_MS

type Props = { at: string; exact?: boolean; lasting?: boolean; isTimeOfDay?: boolean }

/**
 * A relative time that goes on, with the exact instant in UTC for the pointer and for screen readers; or the other way round. `lasting`
 * says for how long something has been so. `isTimeOfDay` shows the time of day in UTC, where the day stands elsewhere.
 */
export function Moment({ at, exact: isExact = false, lasting: isLasting = false, isTimeOfDay = false }: Props) {
  useSyncExternalStore(subscribe, tick)
  const exact = `${at.replace('T', ' ').replace(/\.\d+Z$/, '')} UTC`
  const relative = (isLasting ? durationSince : relativeTime)(at, Date.now())
  return (
    <Tooltip label={isTimeOfDay ? `${relative}: ${exact}` : isExact ? relative : exact}>
      <Text component="time" dateTime={at} inherit span style={{ whiteSpace: 'nowrap' }}>
        {isTimeOfDay ? at.slice(11, 19) : isExact ? exact : relative}
        <VisuallyHidden>, {isExact ? relative : exact}</VisuallyHidden>
      </Text>
    </Tooltip>
  )
}
