import { useEffect, useRef, useSyncExternalStore } from 'react'
import { ApiError } from '../../../api/client.ts'
import { sessionEnded } from '../../../api/session-ended.ts'
import { useWorkspace } from '../../../components/shell/use-workspace.ts'
import type { Decision, Pending, Sent, Shown } from './send-decisions.ts'
import { useOutbox } from './use-outbox.ts'

/** A decision waits so long before it is sent: until then it can be taken back as if it was never made. */
const GRACE_MS = 5_000

/** Keeps decisions for five seconds, then has them sent together. */
export function useDecisions() {
  const { accountId } = useWorkspace().account
  const { waiting, setWaiting, sending, sent, failed, send, putBack, dismiss } = useOutbox()
  const batch = useRef(0)

  const decide = (shown: Shown[], decision: Decision) => {
    batch.current++
    const rest = { decision, batch: batch.current, sendAt: Date.now() + GRACE_MS, by: accountId }
    const added = shown.map((one) => ({ ...one, ...rest }))
    setWaiting((all) => [...all, ...added])
  }
  /** Takes the last decision back that was not sent yet. Returns it, for each item that it was about. */
  const undo = (): Pending[] => {
    const last = Math.max(...waiting.map((pending) => pending.batch))
    const undone = waiting.filter((pending) => pending.batch === last)
    setWaiting((all) => all.filter((pending) => !undone.includes(pending)))
    return undone
  }
  const retry = () => void send(failed?.waiting ?? [])
  const isSignedOut = useSyncExternalStore(sessionEnded.subscribe, sessionEnded.is)
  // Only a new sign-in sends again: a failure by itself changes nothing here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!isSignedOut && failed?.error instanceof ApiError && failed.error.status === 401) retry()
  }, [isSignedOut])
  return {
    waiting,
    sending,
    sent,
    failed,
    gone: goneOf([...waiting, ...sending, ...(failed?.waiting ?? [])], sent),
    decide,
    undo,
    retry,
    sendNow: () => void send(waiting),
    putBack,
    dismiss,
  }
}

/** Returns what the list need not show. What could not be decided and is not closed waits as before. */
const goneOf = (pending: Pending[], sent: Sent[]): Set<string> =>
  new Set([...pending, ...sent.filter(({ problem, closed }) => !problem || closed)].map(({ item }) => item.id))
