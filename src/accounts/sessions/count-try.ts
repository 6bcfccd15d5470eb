import type { Db } from '../../lib/sql.ts'
import { rateLimited } from '../rate-limited.ts'
import { beginSignIn } from './backoff-store.ts'

/** Counts a try to sign in, before anything is looked at. @throws AppError rate_limited after wrong ones */
export async function countTry(db: Db, email: string): Promise<void> {
  const waitSeconds = await beginSignIn(db, email)
  if (waitSeconds > 0) throw rateLimited(waitSeconds)
}
