import { DAY } from '../../../lib/instant.ts'
import { LOG_DAYS } from '../../limits.ts'

/** Returns the instant from which on changes are kept, seen from the newest one that can be read. */
export const keptFrom = (newest: string): string => new Date(Date.parse(newest) - LOG_DAYS * DAY).toISOString()

/** Returns the first instant whose changes can be seen: of the prices, or of the changes that are still kept. */
export const firstSeen = (newest: string, first: string | undefined): string =>
  first !== undefined && Date.parse(first) > Date.parse(keptFrom(newest)) ? first : keptFrom(newest)

/** Whether everything that changed until an instant has been deleted since. */
export const isForgotten = (asOf: string | undefined, newest: string): boolean =>
  asOf !== undefined && Date.parse(asOf) < Date.parse(keptFrom(newest))

/** What every list of changes says at its end. */
export const KEPT = `Changes are kept for ${LOG_DAYS} days.`
