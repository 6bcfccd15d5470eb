import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type QueueItem, reviewItemQuery } from '../../../../api/operator.ts'
import { type Edits, readEdits } from './typed-prices.ts'

/** What is typed in place of prices. It is kept for each item while another one is open. */
export function usePriceEdits(current: QueueItem | undefined) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<{ [itemId: string]: Edits }>({})
  const [problem, setProblem] = useState<{ itemId: string; text: string }>()
  const set = (itemId: string, edits: Edits | undefined) => {
    setProblem(undefined)
    setTyped(({ [itemId]: _, ...others }) => (edits ? { ...others, [itemId]: edits } : others))
  }
  return {
    edits: current && typed[current.id],
    problem: problem?.itemId === current?.id ? problem?.text : undefined,
    change: (edits: Edits) => current && set(current.id, edits),
    fail: (text: string) => current && setProblem({ itemId: current.id, text }),
    drop: () => current && set(current.id, undefined),
    /** Returns the prices that were typed for an item; where something is wrong with them, it is shown instead. */
    read: (item: QueueItem) => {
      const { lines = [] } = queryClient.getQueryData(reviewItemQuery(item.id).queryKey) ?? {}
      const read = readEdits(typed[item.id] ?? {}, lines)
      if ('edits' in read) return read.edits
      setProblem({ itemId: item.id, text: read.problem })
      return undefined
    },
  }
}
