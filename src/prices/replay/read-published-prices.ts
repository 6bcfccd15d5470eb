import type { Db } from '../../lib/sql.ts'
import type { PublishedPrice } from '../plan/evidence/learn-limits-rules.ts'
import { publishedPrices } from '../store/served-store.ts'

/** Returns the distinct prices that were ever published, to learn limits from. */
export const readPublishedPrices = (db: Db): Promise<PublishedPrice[]> => publishedPrices(db)
