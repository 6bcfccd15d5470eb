import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../../api/connection/client.ts'
import { sessionEnded } from '../../../../api/connection/session-ended.ts'
import { unsent } from '../../../../api/connection/unsent.ts'
import { reviewItemQuery } from '../../../../api/operator.ts'
import { Outbox } from './outbox.ts'
import { sayElsewhere } from './say-elsewhere.ts'
import type { Decision, Pending, SentDecision, ShownItem } from './send-decisions.ts'

const TICK_MS = 250

/**
 * Keeps decisions for five seconds, then has them sent together. Leaving the page or signing out sends all of them at
 * once. What goes wrong then is shown on the next page.
 */
export function useDecisions() {
  const outbox = useOutbox()
  const { waiting, sending, sent, failed } = useSyncExternalStore(outbox.subscribe, outbox.content)
  const { retry, sendNow, putBack, dismiss } = outbox
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
    decide: (shown: ShownItem[], decision: Decision) => outbox.add(shown, decision),
    undo: () => outbox.takeBack(),
    retry,
    sendNow,
    putBack,
    dismiss,
  }
}

function useOutbox(): Outbox {
  const queryClient = useQueryClient()
  const isShown = useRef(true)
  const [outbox] = useState(
    () =>
      new Outbox({
        onOutcome: ({ group, sent, error }) => {
          forgetChanged(queryClient, sent)
          if (isShown.current) return
          const items = group.map(({ item }) => item)
          sayElsewhere(items, error, sent)
        },
        readAgain: () => queryClient.invalidateQueries(),
      }),
  )
  useEffect(() => {
    isShown.current = true
    const timer = setInterval(() => outbox.sendDue(), TICK_MS)
    const release = unsent.keep(outbox)
    const leave = () => void outbox.sendAll()
    window.addEventListener('pagehide', leave)
    return () => {
      isShown.current = false
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      release()
      leave()
    }
  }, [outbox])
  return outbox
}

/** What changed is read again: nothing that was shown of it is shown again. */
function forgetChanged(queryClient: QueryClient, results: SentDecision[]): void {
  for (const { item, code } of results)
    if (code === 'review_changed') void queryClient.resetQueries(reviewItemQuery(item.id))
}

/** Returns what the list need not show. What could not be decided and is not closed waits as before. */
const goneOf = (pending: Pending[], sent: SentDecision[]): Set<string> =>
  new Set([...pending, ...sent.filter(({ problem, closed }) => !problem || closed)].map(({ item }) => item.id))
