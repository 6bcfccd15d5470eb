import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { type SourceDeclaration, sourceDeclaration } from '../../../src/catalog/schema.ts'
import { recordGoodFetch } from '../../../src/catalog/snapshots/good-fetch-store.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { settleFetched } from '../../../src/prices/confirmation/settle-confirmations.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { recordWitnessPrices } from '../../../src/prices/witness/record-witness-prices.ts'
import { day } from '../observed.ts'
import { declareLists } from '../support.ts'

/** The page of acme itself, a list, and a witness. */
export const PAGE = sourceDeclaration.parse({ source: 'page', format: 'page', rank: 'provider', speaksFor: ['acme'] })
export const LIST = sourceDeclaration.parse({ source: 'list', format: 'list-format' })
export const WITNESS = sourceDeclaration.parse({ source: 'witness', format: 'witness-format', witness: true })

const SNAPSHOT = '0'.repeat(64)

/** What sources say of prices, day by day. */
export const evidenceOf = (db: { sql: Sql }) => ({
  declare: (...sources: SourceDeclaration[]) => declareLists(db.sql, sources),

  /** A good fetch at an instant, after what it said was taken in. */
  fetched: (source: SourceDeclaration, n: number) =>
    publishing(
      db.sql,
      async (tx, stamp) => {
        await recordGoodFetch(tx, source.source, stamp.at)
        await settleFetched(tx, stamp, source.source)
      },
      day(n),
    ),

  async witness(lines: Observation[], n: number, source = WITNESS): Promise<void> {
    await db.sql`
      insert into snapshot (hash, size, bytes, created_at) values (${SNAPSHOT}, 0, '', ${day(0)}) on conflict do nothing`
    await recordWitnessPrices(db.sql, {
      source,
      snapshotHash: SNAPSHOT,
      parserVersion: 1,
      parsed: { providers: [{ provider: 'acme', name: 'Acme' }], observations: lines, ignored: [] },
      at: day(n),
    })
  },
})
