import type { Changes } from './change-store.ts'
import type { NewMail } from './mail-store.ts'
import type { Frequency } from './schema.ts'
import { MOST_SHOWN } from './watch-rules.ts'

/** Adds later changes of a watch to those that were found before. */
export function addChanges(found: Map<string, Changes>, later: Changes): void {
  const before = found.get(later.watchId)
  found.set(later.watchId, {
    ...later,
    changes: (before?.changes ?? 0) + later.changes,
    seqs: [...(before?.seqs ?? []), ...later.seqs].slice(0, MOST_SHOWN),
  })
}

/** Returns the mails about these changes: at once one for each watch, else one for each person. */
export function mailsOf(frequency: Frequency, found: Changes[], newId: () => string): NewMail[] {
  const mails = new Map<string, NewMail>()
  for (const { accountId, ...part } of found) {
    const key = frequency === 'at_once' ? part.watchId : accountId
    const { mailId, parts } = mails.get(key) ?? { mailId: newId(), parts: [] }
    mails.set(key, { mailId, accountId, parts: [...parts, part] })
  }
  return [...mails.values()]
}
