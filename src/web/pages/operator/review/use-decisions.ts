import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../api/client.ts'
import type { QueueItem } from '../../../api/operator.ts'
import { sessionEnded } from '../../../api/session-ended.ts'
import { sayElsewhere } from './say-elsewhere.ts'
import { type Decision, type Pending, type Sent, sendDecisions } from './send-decisions.ts'

/** A decision waits so long before it is sent: until then it can be taken back as if it was never made. */
const GRACE_MS = 5_000
const TICK_MS = 250

type Failed = { error: Error; waiting: Pending[] }

/**
 * Keeps decisions for five seconds, then sends them together. Those that could not be sent stay until they are sent
 * again or put back. Who leaves the page sends all of them at once, and is told elsewhere what went wrong.
 */
export function useDecisions() {
  const queryClient = useQueryClient()
  const [waiting, setWaiting] = useState<Pending[]>([])
  const [sending, setSending] = useState<Pending[]>([])
  const [sent, setSent] = useState<Sent[]>([])
  const [failed, setFailed] = useState<Failed>()
  const latest = useRef<{ waiting: Pending[]; failed: Pending[] }>({ waiting: [], failed: [] })
  const isShown = useRef(true)
  const batch = useRef(0)
  latest.current = { waiting, failed: failed?.waiting ?? [] }

  const send = useCallback(
    async (chosen: Pending[]) => {
      if (chosen.length === 0) return
      const without = (all: Pending[]) => all.filter((pending) => !chosen.includes(pending))
      latest.current = { waiting: without(latest.current.waiting), failed: without(latest.current.failed) }
      setWaiting(without)
      setSending((all) => [...all, ...chosen])
      setFailed((before) => before && failedOf(before.error, without(before.waiting)))
      await sendDecisions(chosen, ({ group, sent: results, error }) => {
        setSending((all) => all.filter((pending) => !group.includes(pending)))
        setSent((all) => [
          ...results,
          ...all.filter(({ item }) => !results.some((result) => result.item.id === item.id)),
        ])
        if (error) setFailed((before) => ({ error, waiting: [...(before?.waiting ?? []), ...group] }))
        if (!isShown.current)
          sayElsewhere(
            group.map(({ item }) => item),
            error,
            results,
          )
      })
      await queryClient.invalidateQueries({ queryKey: ['review'] })
    },
    [queryClient],
  )

  useEffect(() => {
    isShown.current = true
    const timer = setInterval(() => {
      const now = Date.now()
      void send(latest.current.waiting.filter(({ sendAt }) => sendAt <= now))
    }, TICK_MS)
    const leave = () => void send([...latest.current.waiting, ...latest.current.failed])
    window.addEventListener('pagehide', leave)
    return () => {
      isShown.current = false
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [send])

  const decide = (items: QueueItem[], decision: Decision) => {
    batch.current++
    const added = items.map((item) => ({ item, decision, batch: batch.current, sendAt: Date.now() + GRACE_MS }))
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
    putBack: () => setFailed(undefined),
  }
}

const failedOf = (error: Error, waiting: Pending[]): Failed | undefined =>
  waiting.length > 0 ? { error, waiting } : undefined

/** Returns what the list need not show. What could not be decided and is not closed waits as before. */
const goneOf = (pending: Pending[], sent: Sent[]): Set<string> =>
  new Set([...pending, ...sent.filter(({ problem, closed }) => !problem || closed)].map(({ item }) => item.id))
