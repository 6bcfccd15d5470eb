import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'

/** The text that a page shows in place of its document, by its normal form, and since when. */
type Quarantine = { normalHash: string; reason: string; since: Instant }

export async function quarantineOf(db: Db, source: string): Promise<Quarantine | undefined> {
  const [row] = await db<Quarantine[]>`
    select normal_hash as "normalHash", reason, since from document_quarantine where source = ${source}`
  return row
}

/** The quarantined text is another one from now on. */
export async function beginQuarantine(db: Db, source: string, { normalHash, reason, since }: Quarantine) {
  await db`
    insert into document_quarantine (source, normal_hash, reason, since)
    values (${source}, ${normalHash}, ${reason}, ${since})
    on conflict (source) do update set normal_hash = excluded.normal_hash, reason = excluded.reason, since = excluded.since`
}

/** The page shows a document again. */
export async function endQuarantine(db: Db, source: string): Promise<void> {
  await db`delete from document_quarantine where source = ${source}`
}

/** Whether another document shows this text, or showed it; one declared under the same address is the same. */
export async function isShownElsewhere(
  db: Db,
  { source, url, normalHash }: { source: string; url: string; normalHash: string },
): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (select from document_quarantine where source <> ${source} and normal_hash = ${normalHash})
        or exists (select from document_version v join document d using (source)
                   where v.source <> ${source} and v.normal_hash = ${normalHash} and d.url <> ${url}) as found`
  return row!.found
}
