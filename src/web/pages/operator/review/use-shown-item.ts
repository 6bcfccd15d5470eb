import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type QueueItem, reviewItemQuery } from '../../../api/operator.ts'
import { hasChanged, type SeenRevision, seenOf } from './decide/seen-revision.ts'

/**
 * Returns the revision of the open item that is on the screen, which a decision is about, and whether the item changed
 * while it was open. Then it is decided only after its reader said that they have read it again.
 * @param isRead false for an item that a held key passes
 */
export function useShownItem(item: QueueItem | undefined, isRead: boolean) {
  const queryClient = useQueryClient()
  const { data } = useQuery({ ...reviewItemQuery(item?.id ?? ''), enabled: item !== undefined && isRead })
  const shown = data?.item?.revision
  const [state, setSeen] = useState<SeenRevision>()
  const seen = seenOf(state, item, shown)
  if (seen !== state) setSeen(seen)

  // The list is read again by itself: where it knows another revision, the details are old.
  const { id, revision: listed } = item ?? {}
  useEffect(() => {
    if (id === undefined) return
    const query = reviewItemQuery(id)
    const known = queryClient.getQueryData(query.queryKey)?.item?.revision
    if (known !== undefined && known !== listed) void queryClient.invalidateQueries(query)
  }, [id, listed, queryClient])

  return {
    revision: shown ?? listed ?? '',
    hasChanged: hasChanged(seen, shown),
    /** What is shown now has been read. */
    accept: () => item && shown !== undefined && setSeen({ itemId: item.id, revision: shown }),
  }
}
