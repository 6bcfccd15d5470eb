import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { reviewItemQuery } from '../../../api/operator.ts'
import { unsent } from '../../../api/unsent.ts'
import { sayElsewhere } from './say-elsewhere.ts'
import { type Outcome, type Pending, type Sent, sendDecisions } from './send-decisions.ts'

const TICK_MS = 250

type Failed = { error: Error; waiting: Pending[] }
type Lists = { waiting: Pending[]; sending: Pending[]; failed: Pending[] }
const NONE: Lists = { waiting: [], sending: [], failed: [] }

/**
 * Sends each decision when its time has come. Those that could not be sent stay until they are sent again or put back.
 * Leaving the page or signing out sends all of them at once. What goes wrong then is shown on the next page.
 */
export function useOutbox() {
  const queryClient = useQueryClient()
  const [waiting, setWaiting] = useState<Pending[]>([])
  const [sending, setSending] = useState<Pending[]>([])
  const [sent, setSent] = useState<Sent[]>([])
  const [failed, setFailed] = useState<Failed>()
  const latest = useRef(NONE)
  const isShown = useRef(true)
  /** What is being sent, and the list that is read after it: who signs out meanwhile would be refused both. */
  const onTheWay = useRef<Promise<unknown>>(Promise.resolve())
  const refused = useRef(0)
  latest.current = { waiting, sending, failed: failed?.waiting ?? [] }

  const done = useCallback(
    ({ group, sent: results, error }: Outcome) => {
      const { current } = latest
      latest.current = { ...current, sending: without(current.sending, group) }
      setSending((all) => without(all, group))
      setSent((all) => [...results, ...all.filter(({ item }) => !results.some((result) => result.item.id === item.id))])
      if (error) {
        latest.current.failed = [...current.failed, ...group]
        setFailed((before) => ({ error, waiting: [...(before?.waiting ?? []), ...group] }))
      }
      refused.current += results.filter(({ problem }) => problem).length
      forgetChanged(queryClient, results)
      if (!isShown.current)
        sayElsewhere(
          group.map(({ item }) => item),
          error,
          results,
        )
    },
    [queryClient],
  )
  const send = useCallback(
    async (chosen: Pending[]) => {
      if (chosen.length === 0) return
      const { current } = latest
      latest.current = {
        waiting: without(current.waiting, chosen),
        sending: [...current.sending, ...chosen],
        failed: without(current.failed, chosen),
      }
      setWaiting((all) => without(all, chosen))
      setSending((all) => [...all, ...chosen])
      setFailed((before) => before && failedOf(before.error, without(before.waiting, chosen)))
      const readAgain = () => queryClient.invalidateQueries({ queryKey: ['review'] })
      const work = sendDecisions(chosen, done).then(readAgain)
      onTheWay.current = Promise.all([onTheWay.current, work])
      await work
    },
    [queryClient, done],
  )
  const drop = useCallback(() => {
    latest.current = NONE
    setWaiting([])
    setFailed(undefined)
  }, [])

  useEffect(() => {
    isShown.current = true
    const timer = setInterval(() => {
      const now = Date.now()
      void send(latest.current.waiting.filter(({ sendAt }) => sendAt <= now))
    }, TICK_MS)
    return () => {
      isShown.current = false
      clearInterval(timer)
    }
  }, [send])
  /** Returns how many of the decisions that were not answered yet were refused. */
  const sendRest = useCallback(async () => {
    const before = refused.current
    void send(leftOf(latest.current))
    await onTheWay.current
    return refused.current - before
  }, [send])
  useEffect(() => {
    const count = () => leftOf(latest.current).length + latest.current.sending.length
    const release = unsent.keep({ count, send: sendRest, drop })
    const leave = () => void send(leftOf(latest.current))
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      release()
      leave()
    }
  }, [send, sendRest, drop])

  return {
    ...{ waiting, setWaiting, sending, sent, failed, send },
    putBack: () => setFailed(undefined),
    /** What became of an item has been read. */
    dismiss: (itemId: string) => setSent((all) => all.filter(({ item }) => item.id !== itemId)),
  }
}

const leftOf = ({ waiting, failed }: Lists): Pending[] => [...waiting, ...failed]

/** What changed is read anew: nothing that was shown of it is shown again. */
function forgetChanged(queryClient: QueryClient, results: Sent[]): void {
  for (const { item, code } of results)
    if (code === 'review_changed') void queryClient.resetQueries(reviewItemQuery(item.id))
}

const without = (all: Pending[], chosen: Pending[]) => all.filter((pending) => !chosen.includes(pending))

const failedOf = (error: Error, waiting: Pending[]): Failed | undefined =>
  waiting.length > 0 ? { error, waiting } : undefined
