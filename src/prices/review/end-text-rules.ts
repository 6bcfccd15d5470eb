import { DAY } from '../../lib/instant.ts'
import type { Wait } from '../plan/evidence/evidence-schema.ts'
import { holdOf, isEndedByTime, WAIT_FETCHES, waitEndsAt, waitMs } from '../plan/holds/end-rules.ts'
import type { HoldReason } from '../plan/holds/index.ts'
import type { OpenReview } from '../store/review-store.ts'
import { reasonText } from './reason-text-rules.ts'
import { minuteText } from './review-text-rules.ts'

const OF_ABSENCES: Record<Exclude<OpenReview['kind'], 'price' | 'mass_change'>, string> = {
  removal: 'Ends when the source lists them again. Only a person can remove them.',
  line_removal: 'Ends when the source lists the prices again. Only a person can remove them.',
  unreadable: 'Ends when the source shows a price that can be read. Only a person can remove the lines.',
  rename: 'Ends when the source lists the old name again. Only a person can say that it is the same.',
  snapshot: 'Ends when the source serves another list. Only a person can accept this one.',
}

/** Returns what would end a doubt, a sentence each: time, evidence of others, the source itself, or a person alone. */
export function endTexts({ kind, reasons }: Pick<OpenReview, 'kind' | 'reasons'>, wait?: Wait): string[] {
  if (kind === 'snapshot' && reasons.includes('served_again'))
    return ['Ends when the source has repeated the list for a day, or when a person accepts it.']
  if (kind !== 'price' && kind !== 'mass_change') return [OF_ABSENCES[kind]]
  const held = reasons as HoldReason[]
  if (isEndedByTime(held)) return [byTime(held, wait)]
  const doubts = held.filter((reason) => !isEndedByTime([reason]))
  return doubts.map((reason) => {
    const { name } = reasonText(reason)
    const { ends } = holdOf(reason) ?? {}
    const ways = ends?.by === 'evidence' ? ends.ways : []
    return ways.length > 0 ? `“${name}” ends by ${ways.join(', or ')}, or a person.` : `Only a person ends “${name}”.`
  })
}

function byTime(held: HoldReason[], wait?: Wait): string {
  const needed = `${WAIT_FETCHES} good fetches`
  const days = waitMs(held) / DAY
  if (!wait)
    return `Published when the source has listed it for ${days === 1 ? 'a day' : `${days} days`}, in ${needed}.`
  const { fetches } = wait
  return `Published from ${minuteText(waitEndsAt(wait, held))} on, when the source has listed it in ${needed}: ${fetches} so far.`
}
