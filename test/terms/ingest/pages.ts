import { type SourceDeclaration, sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { declareSources } from '../../../src/catalog/sources/source-store.ts'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { ingestDocument } from '../../../src/terms/ingest/ingest-document.ts'
import { isolation } from '../../support/isolation.ts'

export const START = '2025-01-01T00:00:00.000Z' as Instant

/** A declared document, requested every six hours as the shipped ones are. */
export async function declareDocument(sql: Sql, document: string, options: object = {}, intervalSeconds = 21_600) {
  const source = sourceDeclaration.parse({
    source: `example-${document}`,
    format: 'document',
    url: `https://example.com/legal/${document}`,
    intervalSeconds,
    options: { provider: 'example', document, title: 'Terms of Service', ...options },
  })
  // Declaring replaces the list, so what is there already is named again.
  const rows = await sql<{ source: string; format: string; intervalSeconds: number }[]>`
    select source, format, interval_seconds as "intervalSeconds" from source where source <> ${source.source}`
  const others = rows.map((row) => sourceDeclaration.parse({ ...row, url: 'https://example.com' }))
  await declareSources(
    sql,
    [source, ...others].map((declared) => ({ ...declared, kind: 'terms' as const })),
  )
  return source
}

/** Fetches of one source: each text arrives in the second after its hour, counted from the start. */
export function fetches(
  sql: Sql,
  source: SourceDeclaration,
  contentType = 'text/markdown',
  pagesUrl?: string,
  start = START,
) {
  let count = 0
  return async (hour: number, text: string | Uint8Array) => {
    // No two fetches begin at the same millisecond of an hour, as in production.
    const at = plus(start, Math.round(hour * 3_600_000) + ((count++ * 379) % 1_000))
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    const snapshotHash = await storeSnapshot(sql, { bytes, at, contentType })
    return ingestDocument({ sql, isolation }, { source, snapshotHash, bytes, contentType, at, pagesUrl })
  }
}

/** The bodies of the events recorded for a document. */
export async function eventsOf(sql: Sql, document: string): Promise<Record<string, unknown>[]> {
  const rows = await sql<{ body: string }[]>`select body from event where document = ${document} order by seq`
  return rows.map((row) => JSON.parse(row.body))
}
