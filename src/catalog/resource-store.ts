import type { Instant } from '../lib/instant.ts'
import type { Tx } from '../lib/sql.ts'

export type SeenResource = {
  provider: string
  resource: string
  canonicalResource?: string
  category?: string
}

/** Lists resources of a source, again or for the first time. Returns those that no source had priced before. */
export async function listResources(
  tx: Tx,
  source: string,
  seen: SeenResource[],
  at: Instant,
): Promise<{ provider: string; resource: string }[]> {
  if (seen.length === 0) return []
  const added = await tx<{ provider: string; resource: string }[]>`
    select s.provider, s.resource
    from jsonb_to_recordset(${tx.json(seen)}::jsonb) as s (provider text, resource text)
    where not exists (select from resource r where r.provider = s.provider and r.resource = s.resource)`
  await tx`
    insert into resource as r (source, provider, resource, canonical_resource, category, first_priced_at)
    select ${source}, s.provider, s.resource, s."canonicalResource", s.category, ${at}
    from jsonb_to_recordset(${tx.json(seen)}::jsonb)
      as s (provider text, resource text, "canonicalResource" text, category text)
    on conflict (source, provider, resource) do update
    set canonical_resource = coalesce(excluded.canonical_resource, r.canonical_resource), category = excluded.category,
        removed_at = null,
        changed_at = case
          when r.removed_at is not null or excluded.canonical_resource <> coalesce(r.canonical_resource, '') then ${at}
          else r.changed_at end`
  return added
}

/**
 * Forgets the canonical id of resources of which no current price has one any more. `seen`: those that were published just
 * now; one that names an id keeps that.
 */
export async function settleCanonicalIds(tx: Tx, source: string, seen: SeenResource[], at: Instant): Promise<void> {
  const unnamed = seen.filter(({ canonicalResource }) => canonicalResource === undefined)
  if (unnamed.length === 0) return
  await tx`
    with settled as (
      select s.provider, s.resource, (
        select p.canonical_resource from price_line l join price_row p on p.content_hash = l.current_hash
        where (l.source, l.provider, l.resource) = (${source}, s.provider, s.resource) and l.removed_at is null
          and p.canonical_resource is not null
        order by p.recorded_at desc, p.content_hash limit 1) as id
      from jsonb_to_recordset(${tx.json(unnamed)}::jsonb) as s (provider text, resource text)
    )
    update resource r set canonical_resource = s.id, changed_at = ${at}
    from settled s
    where r.source = ${source} and r.provider = s.provider and r.resource = s.resource
      and r.canonical_resource is not null and r.canonical_resource is distinct from s.id`
}

/** Stops listing resources under these names. */
export async function unlistResources(
  tx: Tx,
  source: string,
  resources: { provider: string; resource: string }[],
  at: Instant,
): Promise<void> {
  if (resources.length === 0) return
  const gone = resources.map(({ provider, resource }) => ({ provider, resource }))
  await tx`
    update resource r set removed_at = ${at}
    from jsonb_to_recordset(${tx.json(gone)}::jsonb) as g (provider text, resource text)
    where r.source = ${source} and r.provider = g.provider and r.resource = g.resource`
}

export type Renaming = { provider: string; from: string; to: string }

/** Records that resources continue under new names. */
export async function recordRenames(tx: Tx, source: string, renamings: Renaming[], at: Instant): Promise<void> {
  if (renamings.length === 0) return
  const rows = renamings.map(({ provider, from, to }) => ({ provider, from, to }))
  await tx`
    insert into resource_rename (source, provider, old_resource, new_resource, at)
    select ${source}, r.provider, r."from", r."to", ${at}
    from jsonb_to_recordset(${tx.json(rows)}::jsonb) as r (provider text, "from" text, "to" text)`
}

/** Ends the renamings of names that are listed again. */
export async function endRenames(
  tx: Tx,
  source: string,
  listedAgain: { provider: string; resource: string }[],
  at: Instant,
): Promise<void> {
  if (listedAgain.length === 0) return
  await tx`
    update resource_rename r set ended_at = ${at}
    from jsonb_to_recordset(${tx.json(listedAgain)}::jsonb) as l (provider text, resource text)
    where r.source = ${source} and r.provider = l.provider and r.old_resource = l.resource and r.ended_at is null`
}

/** A name that a resource had before it was renamed to the one listed now. */
export type FormerName = { provider: string; resource: string; listed: string }

/** Returns the names that these resources had before, through all renamings that are in force. */
export async function formerNames(
  tx: Tx,
  source: string,
  resources: { provider: string; resource: string }[],
): Promise<FormerName[]> {
  if (resources.length === 0) return []
  const listed = resources.map(({ provider, resource }) => ({ provider, resource }))
  return [
    ...(await tx<FormerName[]>`
      with recursive rename as (
        select distinct on (provider, old_resource) provider, old_resource, new_resource
        from resource_rename where source = ${source} and ended_at is null
        order by provider, old_resource, at desc
      ), former as (
        select r.provider, r.old_resource as resource, r.new_resource as listed
        from rename r
        join jsonb_to_recordset(${tx.json(listed)}::jsonb) as l (provider text, resource text)
          on (l.provider, l.resource) = (r.provider, r.new_resource)
        union
        select r.provider, r.old_resource, f.listed
        from rename r join former f on (f.provider, f.resource) = (r.provider, r.new_resource)
      )
      select provider, resource, listed from former where resource <> listed`),
  ]
}

/** Returns the name under which a resource is listed now: its own, or the one it was renamed to; undefined when none is. */
export async function listedName(
  tx: Tx,
  source: string,
  { provider, resource }: { provider: string; resource: string },
): Promise<string | undefined> {
  const rows = await tx<{ name: string }[]>`
    with recursive name as (
      select ${resource}::text as name, 1 as step
      union all
      select r.new_resource, n.step + 1
      from name n
      join lateral (select new_resource from resource_rename
                    where (source, provider, old_resource) = (${source}, ${provider}, n.name) and ended_at is null
                    order by at desc limit 1) r on true
      where n.step < 100
    )
    select n.name from name n
    join resource r on (r.source, r.provider, r.resource) = (${source}, ${provider}, n.name)
    where r.removed_at is null order by n.step limit 1`
  return rows[0]?.name
}
