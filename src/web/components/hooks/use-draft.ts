import { useEffect, useState } from 'react'
import { dropDraft, keyOf } from '../../api/connection/drafts.ts'

/** Keeps what is typed into a form in this tab: it outlives a reload, a lost session and a lost workspace. */
export function useDraft<Values>(name: string, values: Values, isDirty: boolean): void {
  useEffect(() => {
    if (isDirty) sessionStorage.setItem(keyOf(name), JSON.stringify(values))
    else dropDraft(name)
  }, [name, values, isDirty])
}

/** Returns the draft of a form as it was when the page was opened. */
export function useKeptDraft<Values>(name: string): Values | undefined {
  const [draft] = useState(() => {
    const kept = sessionStorage.getItem(keyOf(name))
    return kept === null ? undefined : (JSON.parse(kept) as Values)
  })
  return draft
}
