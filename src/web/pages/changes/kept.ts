import { DAY } from '../../../lib/instant.ts'
import { LOG_DAYS } from '../../limits.ts'

/** Returns the instant from which on changes are kept, seen from the newest one that can be read. */
const keptFrom = (newest: string): string => new Date(Date.parse(newest) - LOG_DAYS * DAY).toISOString()

/** Whether everything that changed until an instant has been deleted since. */
export const isForgotten = (asOf: string | undefined, newest: string): boolean =>
  asOf !== undefined && Date.parse(asOf) < Date.parse(keptFrom(newest))

/** What every list of changes says at its end. */
export const KEPT = `Changes are kept for ${LOG_DAYS} days.`
