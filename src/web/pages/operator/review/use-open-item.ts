import { useDebouncedValue } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type QueueItem, reviewItemQuery } from '../../../api/operator.ts'
import { itemAfter, itemBeside, type Open, openIn } from './open-item.ts'

/** Items after the open one that are loaded before they are wanted. */
const AHEAD = 3
/** A held key opens another item more often than this. */
const PASSING_MS = 150

/** Which item is open. Other filters open the first item of their list. */
export function useOpenItem(items: QueueItem[], filters: string) {
  const queryClient = useQueryClient()
  const [state, setState] = useState<{ filters: string; open?: Open<QueueItem> }>({ filters })
  const open = openIn(items, state.filters === filters ? state.open : undefined)
  if (open !== state.open || filters !== state.filters) setState({ filters, open })
  const current = open?.item
  const isListed = open !== undefined && items[open.index]?.id === open.item.id

  // A held key would use up what may be requested: only the first item and the one that stays open are read.
  const [readId] = useDebouncedValue(current?.id, PASSING_MS, { leading: true })
  const isRead = readId === current?.id
  useEffect(() => {
    if (!open || !isRead) return
    for (const { id } of items.slice(open.index, open.index + AHEAD))
      void queryClient.prefetchQuery(reviewItemQuery(id))
  })
  // An item that left the list was decided, as a rule: how, is part of its details.
  const leftId = isListed ? undefined : current?.id
  useEffect(() => {
    if (leftId) void queryClient.invalidateQueries(reviewItemQuery(leftId))
  }, [leftId, queryClient])

  const show = useCallback(
    (item: QueueItem | undefined) => setState({ filters, open: item && { item, index: 0 } }),
    [filters],
  )
  return {
    current,
    isListed,
    isRead,
    show,
    move: (by: number) => open && show(itemBeside(items, open, by)),
    showNext: (decided: QueueItem[]) => open && show(itemAfter(items, open, decided)),
  }
}
