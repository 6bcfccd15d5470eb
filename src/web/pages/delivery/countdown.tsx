import { useSyncExternalStore } from 'react'
import { Moment } from '../../components/values/moment.tsx'
import { roundAfter } from './next-round.ts'

const SECOND_MS = 1_000
const subscribe = (changed: () => void) => {
  const timer = setInterval(changed, SECOND_MS)
  return () => clearInterval(timer)
}
const now = () => Math.floor(Date.now() / SECOND_MS) * SECOND_MS

/** The time that is left until the round that makes an attempt. */
export function Countdown({ to }: { to: string }) {
  const at = useSyncExternalStore(subscribe, now)
  const round = roundAfter(Date.parse(to), at)
  const left = Math.round((round - at) / SECOND_MS)
  const hours = Math.floor(left / 3_600)
  const minutes = Math.floor(left / 60) % 60
  const seconds = String(left % 60).padStart(2, '0')
  return (
    <>
      in the delivery run at <Moment at={new Date(round).toISOString()} exact />, in{' '}
      {hours > 0 ? `${hours} h ${minutes} min` : `${minutes}:${seconds} min`}
    </>
  )
}
