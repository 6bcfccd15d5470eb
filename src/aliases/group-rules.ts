import { resourceKey } from '../catalog/resource-rules.ts'
import { AppError } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { composedName, isVisible } from '../lib/text.ts'

/** One entry of a group: an exact resource name, as its provider spells it. */
export type Member = { provider: string; resource: string }

/** Ours, not the specification's: names are shown in lists and written in queries. */
const MAX_GROUP_NAME_CHARACTERS = 200
/** Ours too: no one sells one resource under more names, and a page of a group's history looks each of them up. */
const MAX_GROUP_MEMBERS = 200
/** As long as a resource's name may be. */
const MAX_MEMBER_CHARACTERS = 300

/** A reference to a group is its id or its name. A name never looks like an id, so this distinguishes the two. */
export const looksLikeGroupId = (reference: string): boolean => isId(reference)

/**
 * A group's name as it is stored: composed, with plain single spaces, capitals kept. Two names that differ only in
 * capitals, spaces or composition are the same name.
 * @throws AppError invalid_body, field `name`
 */
export function readGroupName(text: string): string {
  const name = composedName(text)
  const wrong = (what: string) => new AppError('invalid_body', `name: ${what}`, { field: 'name' })
  if (name === '') throw wrong('must not be empty.')
  if ([...name].length > MAX_GROUP_NAME_CHARACTERS) {
    throw wrong(`must be at most ${MAX_GROUP_NAME_CHARACTERS} characters.`)
  }
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw wrong('must not contain control characters.')
  if (!isVisible(name)) throw wrong('must have a visible character.')
  if (looksLikeGroupId(name)) throw wrong('must not look like a group id.')
  return name
}

/**
 * A group's members, each once, in the order given.
 * @throws AppError invalid_body, field `members`
 */
export function readMembers(members: Member[]): Member[] {
  const unique = new Map(members.map((member) => [memberKey(member), pick(member)]))
  if (unique.size === 0) throw new AppError('invalid_body', 'members: must name a resource.', { field: 'members' })
  for (const { resource } of unique.values()) {
    if (resource.trim() === '' || [...resource].length > MAX_MEMBER_CHARACTERS || /\p{Cc}/u.test(resource)) {
      throw new AppError('invalid_body', `members: ${JSON.stringify(resource)} is not a resource name.`, {
        field: 'members',
      })
    }
  }
  return [...unique.values()]
}

/**
 * Refuses a group of more than 200 members. A larger one of an earlier version may be saved again while it does not grow.
 * @throws AppError invalid_body, field `members`
 */
export function refuseTooManyMembers(members: Member[], before: Member[]): void {
  if (members.length <= Math.max(MAX_GROUP_MEMBERS, before.length)) return
  throw new AppError('invalid_body', `members: a group has at most ${MAX_GROUP_MEMBERS}.`, { field: 'members' })
}

export const memberKey: (member: Member) => string = resourceKey
const pick = ({ provider, resource }: Member): Member => ({ provider, resource })

/** What model a resource is: its alias group, or else the model of its maker (`maker/model`), where either is known. */
export type ModelOf = Member & { name: string; group?: string; canonical?: string }

export type MembershipChange = { joined: Member[]; left: Member[] }

/** What saving a group changes in its membership. */
export function membershipChange(before: Member[], after: Member[]): MembershipChange {
  const previous = new Set(before.map(memberKey))
  const next = new Set(after.map(memberKey))
  return {
    joined: after.filter((member) => !previous.has(memberKey(member))),
    left: before.filter((member) => !next.has(memberKey(member))),
  }
}
