import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { type Volatility, volatility } from '../volatile/schema.ts'

/** What the fetches of a document taught so far. */
export async function volatilityOf(db: Db, source: string): Promise<Volatility> {
  const [row] = await db<{ places: unknown }[]>`
    select places::text as places from document_volatility where source = ${source}`
  return row ? volatility.parse({ places: JSON.parse(row.places as string) }) : { places: [] }
}

export async function saveVolatility(tx: Tx, source: string, { places }: Volatility, at: Instant): Promise<void> {
  const json = JSON.stringify(places)
  await tx`
    insert into document_volatility (source, places, updated_at) values (${source}, ${json}::text::jsonb, ${at})
    on conflict (source) do update set places = excluded.places, updated_at = excluded.updated_at`
}

/** The text in force is compared without these units from now on. */
export async function leaveOutOfVersion(tx: Tx, versionId: string, leftOut: string[], normalHash: string) {
  await tx`
    update document_version set left_out = ${leftOut}, normal_hash = ${normalHash} where version_id = ${versionId}`
}
