import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { HOW_TO_TYPE_A_PRICE, typedPrice } from '../../../../lib/price-text.ts'
import { type QueueItem, reviewItemQuery } from '../../../api/operator.ts'
import { isEditable } from './kinds.ts'
import type { Edits } from './prices-table.tsx'
import { useDecisions } from './use-decisions.ts'

/** Items after the open one that are loaded before they are wanted. */
const AHEAD = 3
const USUAL_REASON = 'looked at'

type Batch = { items: QueueItem[]; decision: 'approve' | 'reject' }

/** The state of the review page: which item is open, which are selected, what is typed, and the keys. */
export function useReview(listed: QueueItem[]) {
  const queryClient = useQueryClient()
  const decisions = useDecisions()
  const [open, setOpen] = useState<string>()
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const [reason, setReason] = useState('')
  const [edits, setEdits] = useState<Edits>()
  const [batch, setBatch] = useState<Batch>()
  const [isHelp, setHelp] = useState(false)
  const items = listed.filter(({ id }) => !decisions.gone.has(id))
  const index = Math.max(
    items.findIndex(({ id }) => id === open),
    0,
  )
  const current = items[index]
  const chosen = items.filter(({ id }) => selected.has(id))
  const why = reason.trim() || USUAL_REASON

  useEffect(() => {
    for (const { id } of items.slice(index, index + AHEAD)) void queryClient.prefetchQuery(reviewItemQuery(id))
  })

  const show = useCallback((id: string | undefined) => {
    setOpen(id)
    setEdits(undefined)
  }, [])
  const move = (by: number) => show(items[Math.min(Math.max(index + by, 0), items.length - 1)]?.id)
  const toggle = useCallback(
    (id: string) =>
      setSelected((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    [],
  )
  /** What follows an item that is decided is the one after it. */
  const showNext = (decided: QueueItem[]) => {
    const next =
      items.slice(index).find((item) => !decided.includes(item)) ?? items.find((item) => !decided.includes(item))
    show(next?.id)
    setSelected(new Set())
  }
  const decide = (decision: 'approve' | 'reject') => {
    if (edits || !current) return
    if (chosen.length > 1) return setBatch({ items: chosen, decision })
    const [item = current] = chosen
    decisions.decide([item], { decision, reason: why })
    showNext([item])
  }
  const confirmBatch = (possible: QueueItem[]) => {
    if (batch) decisions.decide(possible, { decision: batch.decision, reason: why })
    setBatch(undefined)
    showNext(possible)
  }
  const edit = () => {
    if (!current || !isEditable(current) || chosen.length > 1) return
    if (!edits) return setEdits({})
    const { lines = [] } = queryClient.getQueryData(reviewItemQuery(current.id).queryKey) ?? {}
    const typed = Object.entries(edits).map(([contentHash, text]) => {
      const unit = lines.find((line) => line.contentHash === contentHash)?.unit ?? ''
      return { contentHash, price: typedPrice(text, unit) }
    })
    const wrong = typed.find(({ price }) => price === undefined)
    if (wrong || typed.length === 0) {
      const message = wrong
        ? `"${edits[wrong.contentHash]}" is no price. ${HOW_TO_TYPE_A_PRICE}`
        : 'Change a price first.'
      return void notifications.show({ color: 'red', title: 'Nothing was published', message })
    }
    decisions.decide([current], {
      decision: 'edit',
      reason: why,
      edits: typed.map(({ contentHash, price }) => ({ contentHash, price: price! })),
    })
    showNext([current])
  }
  const undo = () => show(decisions.undo()[0]?.id)

  const isFree = !batch && !isHelp
  const key = (work: () => void) => () => void (isFree && work())
  useHotkeys([
    ['j', key(() => move(1))],
    ['k', key(() => move(-1))],
    ['a', key(() => decide('approve'))],
    ['r', key(() => decide('reject'))],
    ['e', key(edit)],
    ['u', key(undo)],
    ['space', key(() => current && toggle(current.id))],
    ['escape', key(() => (edits ? setEdits(undefined) : setSelected(new Set())))],
    ['shift+?', () => setHelp(true)],
    ['?', () => setHelp(true)],
  ])

  return {
    items,
    current,
    chosen,
    selected,
    reason,
    edits,
    batch,
    isHelp,
    decisions,
    show,
    toggle,
    setReason,
    setEdits,
    setBatch,
    setHelp,
    decide,
    confirmBatch,
    edit,
    undo,
    why,
    selectAll: () => setSelected(new Set(selected.size === items.length ? [] : items.map(({ id }) => id))),
  }
}
