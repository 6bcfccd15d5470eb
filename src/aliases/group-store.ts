import type { Renaming } from '../catalog/resource-store.ts'
import type { Instant } from '../lib/instant.ts'
import type { Db, Tx } from '../lib/sql.ts'
import { looksLikeGroupId, type Member, type MembershipChange } from './group-rules.ts'

export type Group = { id: string; name: string; revision: number; updatedAt: Instant; members: Member[] }

/**
 * The groups that ids or names refer to, each under the reference it was looked up by. Names are compared without regard
 * to capitals, spaces and composition; none looks like an id. Unknown and deleted groups are absent.
 */
export async function findGroups(db: Db, references: string[]): Promise<Map<string, Omit<Group, 'members'>>> {
  const ids = references.filter(looksLikeGroupId)
  const rows = await db<(Omit<Group, 'members'> & { reference: string })[]>`
    select g.group_id as id, g.name, g.revision, g.updated_at as "updatedAt", r.reference
    from (select id as reference, id::uuid as group_id, null as name from unnest(${ids}::text[]) as id
          union all
          select name, null, alias_name_key(name) from unnest(${references}::text[]) as name) r
    join alias_group g on g.group_id = r.group_id or alias_name_key(g.name) = r.name
    where g.deleted_at is null`
  return new Map(rows.map(({ reference, ...group }) => [reference, group]))
}

/** One group by id or name, with its members as they are now; undefined when there is none or it was deleted. */
export async function groupByReference(db: Db, reference: string): Promise<Group | undefined> {
  const group = (await findGroups(db, [reference])).get(reference)
  return group && { ...group, members: await membersOf(db, group.id) }
}

export async function membersOf(db: Db, groupId: string): Promise<Member[]> {
  return [
    ...(await db<Member[]>`
      select provider, resource from alias_member
      where group_id = ${groupId} and left_at is null
      order by provider collate "C", resource collate "C"`),
  ]
}

/** Every group there is, by name, with its members. */
export async function allGroups(db: Db): Promise<Group[]> {
  return [
    ...(await db<Group[]>`
      select g.group_id as id, g.name, g.revision, g.updated_at as "updatedAt", coalesce(m.members, '[]') as members
      from alias_group g
      left join (
        select group_id, json_agg(json_build_object('provider', provider, 'resource', resource)
                                  order by provider collate "C", resource collate "C") as members
        from alias_member where left_at is null group by group_id
      ) m using (group_id)
      where g.deleted_at is null
      order by lower(g.name)`),
  ]
}

/** What a new revision of a group records. */
export type GroupChange = { name: string; actor: string; deleted?: boolean }

export async function insertGroup(tx: Tx, at: Instant, name: string): Promise<{ id: string; revision: number }> {
  const [group] = await tx<{ id: string; revision: number }[]>`
    insert into alias_group (name, updated_at) values (${name}, ${at}) returning group_id as id, revision`
  return group!
}

/** Inserts groups with their members and first revisions, in one statement. */
export async function insertGroups(
  tx: Tx,
  at: Instant,
  groups: { name: string; members: Member[] }[],
  actor: string,
): Promise<void> {
  await tx`
    with given as (
      select uuidv7() as group_id, g.name, g.members
      from jsonb_to_recordset(${tx.json(groups)}::jsonb) as g (name text, members jsonb)
    ), inserted as (
      insert into alias_group (group_id, name, updated_at) select group_id, name, ${at} from given
      returning group_id, name, revision
    ), revisions as (
      insert into alias_revision (group_id, revision, at, name, actor)
      select group_id, revision, ${at}, name, ${actor} from inserted
    ), catalog as (
      update alias_catalog set version = greatest(version, revision_floor()) + (select count(*) from inserted)
    )
    insert into alias_member (group_id, provider, resource, joined_at)
    select i.group_id, m.provider, m.resource, ${at}
    from inserted i join given using (group_id)
    cross join jsonb_to_recordset(given.members) as m (provider text, resource text)`
}

/** Raises a group's revision: any change does, a new name and its deletion included. Returns the new revision. */
export async function raiseRevision(tx: Tx, at: Instant, id: string, change: GroupChange): Promise<number> {
  const [group] = await tx<{ revision: number }[]>`
    update alias_group
    set name = ${change.name}, revision = greatest(revision, revision_floor()) + 1, updated_at = ${at},
        deleted_at = ${change.deleted ? at : null}
    where group_id = ${id} returning revision`
  return group!.revision
}

/** Raises the catalogue's version and records the revision it belongs to with its author. */
export async function raiseVersion(
  tx: Tx,
  at: Instant,
  group: { id: string; revision: number },
  change: GroupChange,
): Promise<number> {
  await tx`
    insert into alias_revision (group_id, revision, at, name, actor)
    values (${group.id}, ${group.revision}, ${at}, ${change.name}, ${change.actor})`
  const [catalog] = await tx<{ version: string }[]>`
    update alias_catalog set version = greatest(version, revision_floor()) + 1 returning version`
  return Number(catalog!.version)
}

export async function moveMembers(tx: Tx, at: Instant, groupId: string, change: MembershipChange): Promise<void> {
  await tx`
    update alias_member m set left_at = ${at}
    from jsonb_to_recordset(${tx.json(change.left)}::jsonb) as l (provider text, resource text)
    where m.group_id = ${groupId} and m.left_at is null and m.provider = l.provider and m.resource = l.resource`
  await tx`
    insert into alias_member (group_id, provider, resource, joined_at)
    select ${groupId}, j.provider, j.resource, ${at}
    from jsonb_to_recordset(${tx.json(change.joined)}::jsonb) as j (provider text, resource text)`
}

/** The groups that list an old name and not yet the new one, with the new names each of them lacks. */
export async function groupsToFollow(tx: Tx, renames: Renaming[]): Promise<(Group & { newNames: Member[] })[]> {
  if (renames.length === 0) return []
  const names = renames.map(({ provider, from, to }) => ({ provider, from, to }))
  const rows = await tx<{ id: string; newNames: Member[] }[]>`
    select o.group_id as id, json_agg(distinct jsonb_build_object('provider', n.provider, 'resource', n."to"))
             as "newNames"
    from jsonb_to_recordset(${tx.json(names)}::jsonb) as n (provider text, "from" text, "to" text)
    join alias_member o on o.provider = n.provider and o.resource = n."from" and o.left_at is null
    where not exists (select from alias_member m where m.group_id = o.group_id and m.provider = n.provider
                        and m.resource = n."to" and m.left_at is null)
    group by o.group_id
    order by o.group_id`
  const followed = []
  for (const { id, newNames } of rows) followed.push({ ...(await groupByReference(tx, id))!, newNames })
  return followed
}

/** The groups that a resource is in, by name: it left those that were deleted. */
export async function groupsWith(db: Db, { provider, resource }: Member): Promise<{ id: string; name: string }[]> {
  return [
    ...(await db<{ id: string; name: string }[]>`
      select g.group_id as id, g.name from alias_member m join alias_group g using (group_id)
      where m.provider = ${provider} and m.resource = ${resource} and m.left_at is null
      order by lower(g.name)`),
  ]
}
