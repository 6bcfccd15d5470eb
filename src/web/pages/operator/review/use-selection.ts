import { useCallback, useState } from 'react'
import type { QueueItem } from '../../../api/operator.ts'

/** Which items are selected for a decision about all of them. */
export function useSelection(items: QueueItem[]) {
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const toggle = useCallback(
    (id: string) =>
      setSelected((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id])),
    [],
  )
  const chosen = items.filter(({ id }) => selected.has(id))
  return {
    selected,
    chosen,
    toggle,
    selectAll: () => setSelected(new Set(chosen.length === items.length ? [] : items.map(({ id }) => id))),
    selectNone: () => setSelected(new Set()),
  }
}
