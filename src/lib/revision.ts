import { AppError } from './errors.ts'
import { sha256 } from './hash.ts'

const LENGTH = 16

/** Returns a short text that is another one where what it stands for is. */
export const revisionOf = (content: unknown): string => sha256(JSON.stringify(content)).slice(0, LENGTH)

/**
 * Refuses a decision about something else than what was shown. Without a revision nothing is known of that.
 * @throws AppError review_changed
 */
export function requireShown(shown: string | undefined, now: string): void {
  if (shown === undefined || shown === now) return
  throw new AppError('review_changed', 'This item changed since you saw it. Look at it again, then decide.')
}
