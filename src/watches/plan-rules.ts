import type { Changes } from './change-store.ts'
import type { Frequency } from './schema.ts'
import { MAX_MAILS_PER_DAY, MOST_SHOWN } from './watch-rules.ts'

/** A mail to one person. */
export type PlannedMail = { accountId: string; parts: Omit<Changes, 'accountId'>[] }

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
export function mailsOf(frequency: Frequency, found: Changes[]): PlannedMail[] {
  const mails = new Map<string, PlannedMail>()
  for (const { accountId, ...part } of found) {
    const key = frequency === 'at_once' ? part.watchId : accountId
    mails.set(key, { accountId, parts: [...(mails.get(key)?.parts ?? []), part] })
  }
  return [...mails.values()]
}

/**
 * Returns the mails that people still get today, and the watches that wait: what they find meanwhile is mailed with it.
 * @param sent how many each account got; absent for mails that are not counted
 */
export function withinLimit(wanted: PlannedMail[], sent: Map<string, number> | undefined) {
  const counts = new Map(sent)
  const [mails, over]: [PlannedMail[], PlannedMail[]] = [[], []]
  for (const mail of wanted) {
    const count = counts.get(mail.accountId) ?? 0
    const isOver = sent !== undefined && count >= MAX_MAILS_PER_DAY
    ;(isOver ? over : mails).push(mail)
    counts.set(mail.accountId, count + 1)
  }
  return { mails, waiting: over.flatMap(({ parts }) => parts.map(({ watchId }) => watchId)) }
}
