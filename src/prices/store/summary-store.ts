import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'

export type PriceSummary = { providers: number; prices: number; from?: Instant }

/** How much is recorded, and since when. */
export async function priceSummary(db: Db): Promise<PriceSummary> {
  const [row] = await db<{ providers: number; prices: number; from: Instant | null }[]>`
    select count(distinct provider)::int as providers, count(*)::int as prices, min(published_at) as from
    from publication`
  return { ...row!, from: row!.from ?? undefined }
}
