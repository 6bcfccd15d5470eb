import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../api/client.ts'
import { type Decided, type Decisions, decideItems, type QueueItem } from '../../../api/operator.ts'
import { sessionEnded } from '../../../api/session-ended.ts'

/** A decision waits so long before it is sent: until then it can be taken back as if it was never made. */
const GRACE_MS = 5_000
const TICK_MS = 250

export type Decision = Pick<Decisions, 'decision' | 'reason' | 'edits'>
type Waiting = { item: QueueItem; decision: Decision; batch: number; sendAt: number }
/** A decision that was sent, with what came of it. */
export type Sent = { item: QueueItem; decision: Decision } & Omit<Decided['decided'][number], 'id'>
type Failed = { error: Error; waiting: Waiting[] }

/**
 * Keeps decisions for five seconds, then sends them together. Those that could not be sent stay until they are sent
 * again or put back: nothing is lost when the connection or the session is.
 */
export function useDecisions() {
  const queryClient = useQueryClient()
  const [waiting, setWaiting] = useState<Waiting[]>([])
  const [sending, setSending] = useState<Waiting[]>([])
  const [sent, setSent] = useState<Sent[]>([])
  const [failed, setFailed] = useState<Failed>()
  const latest = useRef<Waiting[]>([])
  const batch = useRef(0)
  latest.current = waiting

  const send = useCallback(
    async (chosen: Waiting[]) => {
      if (chosen.length === 0) return
      latest.current = latest.current.filter((one) => !chosen.includes(one))
      setWaiting((all) => all.filter((one) => !chosen.includes(one)))
      setSending((all) => [...all, ...chosen])
      for (const group of groupsOf(chosen)) {
        const { decision } = group[0]!
        try {
          const { decided } = await decideItems({ ids: group.map(({ item }) => item.id), ...decision })
          setSent((all) => [...resultsOf(group, decided), ...all])
        } catch (error) {
          sessionEnded.notice(error as Error)
          setFailed((before) => ({ error: error as Error, waiting: [...(before?.waiting ?? []), ...group] }))
        }
        setSending((all) => all.filter((one) => !group.includes(one)))
      }
      await queryClient.invalidateQueries({ queryKey: ['review'] })
    },
    [queryClient],
  )

  useEffect(() => {
    const timer = setInterval(() => {
      const now = Date.now()
      void send(latest.current.filter(({ sendAt }) => sendAt <= now))
    }, TICK_MS)
    const leave = () => void send(latest.current)
    window.addEventListener('pagehide', leave)
    return () => {
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
  /** Takes the last decision back that was not sent yet. Returns its items. */
  const undo = (): QueueItem[] => {
    const last = Math.max(...waiting.map((one) => one.batch))
    const undone = waiting.filter((one) => one.batch === last)
    setWaiting((all) => all.filter((one) => !undone.includes(one)))
    return undone.map(({ item }) => item)
  }
  const retry = () => {
    const again = failed?.waiting ?? []
    setFailed(undefined)
    void send(again)
  }
  const isSignedOut = useSyncExternalStore(sessionEnded.subscribe, sessionEnded.is)
  // Only a new sign-in sends again: a failure by itself changes nothing here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!isSignedOut && failed?.error instanceof ApiError && failed.error.status === 401) retry()
  }, [isSignedOut])
  const gone = new Set([...waiting, ...sending, ...(failed?.waiting ?? [])].map(({ item }) => item.id))
  for (const { item } of sent) gone.add(item.id)
  return {
    waiting,
    sending,
    sent,
    failed,
    gone,
    decide,
    undo,
    retry,
    sendNow: () => void send(waiting),
    putBack: () => setFailed(undefined),
  }
}

/** Decisions that are the same go out together. */
function groupsOf(waiting: Waiting[]): Waiting[][] {
  const groups = new Map<string, Waiting[]>()
  for (const one of waiting) {
    const key = JSON.stringify(one.decision)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

const resultsOf = (group: Waiting[], decided: Decided['decided']): Sent[] =>
  group.flatMap(({ item, decision }) => {
    const result = decided.find(({ id }) => id === item.id)
    return result ? [{ item, decision, ...result }] : []
  })
