import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { QueueItem } from '../../../api/operator.ts'
import type { ShownItem } from './decide/send-decisions.ts'
import { useDecisions } from './decide/use-decisions.ts'
import { delists, isEditable } from './kinds.ts'
import { CHANGED } from './prices/typed-prices.ts'
import { usePriceEdits } from './prices/use-price-edits.ts'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'
import { useOpenItem } from './use-open-item.ts'
import { useSelection } from './use-selection.ts'
import { useShownItem } from './use-shown-item.ts'

const USUAL_REASON = 'reviewed'

const WRONG_KEY = {
  a: 'The key a publishes what is proposed. To delist prices, press d.',
  d: 'The key d delists prices that are missing or unreadable. To publish what is proposed, press a.',
}

type Verdict = 'approve' | 'reject'
type Batch = { items: QueueItem[]; decision: Verdict }

/** The state of the review page: what is open, selected and typed, what is decided, and the keys. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one state, which every key and button changes
export function useReview(listed: QueueItem[], filters: string) {
  const decisions = useDecisions()
  const items = listed.filter(({ id }) => !decisions.gone.has(id))
  const { current, isListed, isRead, show, move, showNext } = useOpenItem(items, filters)
  const selection = useSelection(items)
  const prices = usePriceEdits(current)
  const details = useShownItem(current, isRead)
  const [reason, setReason] = useState('')
  const [batch, setBatch] = useState<Batch>()
  const [isHelp, setHelp] = useState(false)
  const why = reason.trim() || USUAL_REASON
  const { chosen } = selection
  /** Decided without another question is only what is shown. */
  const shown = isListed && chosen.every(({ id }) => id === current?.id) ? current : undefined

  /** A reason is given for one decision: the next one begins without. */
  const goOn = (decided: QueueItem[]) => {
    showNext(decided)
    selection.selectNone()
    setReason('')
  }
  const isEditing = isListed && prices.edits !== undefined
  const decide = (decision: Verdict) => {
    if (isEditing) return
    if (!shown) return void (chosen.length > 0 && setBatch({ items: chosen, decision }))
    if (details.hasChanged) return
    decisions.decide([{ item: shown, revision: details.revision }], { decision, reason: why })
    goOn([shown])
  }
  const confirmBatch = (possible: ShownItem[]) => {
    if (batch) decisions.decide(possible, { decision: batch.decision, reason: why })
    setBatch(undefined)
    goOn(possible.map(({ item }) => item))
  }
  const publishEdits = () => {
    if (!current || !isEditing) return
    if (details.hasChanged) return prices.fail(CHANGED)
    const edits = prices.read(current)
    if (!edits) return
    decisions.decide([{ item: current, revision: details.revision }], { decision: 'edit', reason: why, edits })
    prices.drop()
    goOn([current])
  }
  const edit = () => {
    if (isEditing) publishEdits()
    else if (shown && isEditable(shown) && !details.hasChanged) prices.change({})
  }
  const undo = () => {
    const [first] = decisions.undo()
    if (!first) return void notifications.show({ message: 'Nothing to undo: every decision was sent.' })
    show(first.item)
    setReason(first.decision.reason === USUAL_REASON ? '' : first.decision.reason)
  }

  const lookAgain = (item: QueueItem) => {
    decisions.dismiss(item.id)
    show(item)
  }

  /** `a` publishes and `d` delists, whatever is shown: a key that means something else now says so. */
  const approveBy = (key: 'a' | 'd') => {
    const wanted = shown ? [shown] : chosen
    if (wanted.length > 0 && wanted.some((item) => delists(item) !== (key === 'd')))
      return void notifications.show({ message: WRONG_KEY[key] })
    decide('approve')
  }

  useKeyboardShortcuts({
    next: () => move(1),
    previous: () => move(-1),
    approve: () => approveBy('a'),
    delist: () => approveBy('d'),
    reject: () => decide('reject'),
    edit,
    undo,
    select: () => isListed && current && selection.toggle(current.id),
    cancel: isEditing ? prices.drop : selection.selectNone,
    help: () => setHelp(true),
  })

  return {
    items,
    current,
    open: { show, lookAgain, shown, next: () => move(1), hasChanged: details.hasChanged, accept: details.accept },
    selection,
    prices: { ...prices, isEditing },
    decisions,
    reason: { typed: reason, onType: setReason, why },
    batch: batch && { ...batch, onConfirm: confirmBatch, onClose: () => setBatch(undefined) },
    help: { isOpen: isHelp, open: () => setHelp(true), close: () => setHelp(false) },
    decide,
    edit,
    undo,
  }
}
