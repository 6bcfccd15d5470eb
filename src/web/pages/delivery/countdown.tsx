import { useSyncExternalStore } from 'react'
import { Moment } from '../../components/moment.tsx'

const SECOND_MS = 1_000
const subscribe = (changed: () => void) => {
  const timer = setInterval(changed, SECOND_MS)
  return () => clearInterval(timer)
}
const now = () => Math.floor(Date.now() / SECOND_MS) * SECOND_MS

/** The time that is left until an attempt is due. It goes out with the first round after that. */
export function Countdown({ to }: { to: string }) {
  const left = Math.ceil((Date.parse(to) - useSyncExternalStore(subscribe, now)) / SECOND_MS)
  if (left <= 0) return <>with the next round, within five minutes</>
  const hours = Math.floor(left / 3_600)
  const minutes = Math.floor(left / 60) % 60
  const seconds = String(left % 60).padStart(2, '0')
  return (
    <>
      in {hours > 0 ? `${hours} h ${minutes} min` : `${minutes}:${seconds} min`}, at <Moment at={to} exact />
    </>
  )
}
