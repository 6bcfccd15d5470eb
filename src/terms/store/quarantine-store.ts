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

/** Whether another document of the same site shows this text, or showed it, and never had a text in common with this one before. */
export async function isShownBySibling(db: Db, source: string, normalHash: string): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (
      select from document d
      join document other using (provider)
      where d.source = ${source} and other.url <> d.url and split_part(other.url, '/', 3) = split_part(d.url, '/', 3)
        and (exists (select from document_quarantine q where q.source = other.source and q.normal_hash = ${normalHash})
          or exists (select from document_version v
                     where v.source = other.source and v.normal_hash = ${normalHash} and v.status <> 'rejected'))
        and not exists (select from document_version mine
                        join document_version theirs using (normal_hash)
                        where mine.source = d.source and theirs.source = other.source
                          and mine.recorded_at is not null and theirs.recorded_at is not null)) as found`
  return row!.found
}
