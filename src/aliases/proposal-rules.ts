import { groupBy } from '../lib/collections.ts'
import { type Member, memberKey } from './group-rules.ts'
import type { Group } from './group-store.ts'
import { type ModelName, modelName, type NamedResource } from './model-name-rules.ts'

/** A group the names suggest, for a person to accept. */
export type Proposal = {
  name: string
  /** The group it would add to; absent for a new one. */
  groupId?: string
  /** Everything the group would list. */
  members: Member[]
  /** What accepting it adds. */
  joins: Member[]
  /** Why, for the person who decides. */
  reasons: string[]
}

type ModelResource = NamedResource & { model: ModelName }

/** Fewer sellers than this are nothing to compare. */
const MIN_PROVIDERS = 2

/**
 * The groups that names suggest: one model under its providers' names for it. Precision comes first, so that a person
 * can accept them all: a dated name joins the undated one only where it is certain that both mean the same version.
 */
export function proposals(resources: NamedResource[], groups: Group[]): Proposal[] {
  const named = resources.flatMap((resource): ModelResource[] => {
    const model = modelName(resource)
    return model ? [{ ...resource, model }] : []
  })
  const found = byKey(named, ({ model }) => model.key).flatMap(versions)
  const taken = new Map(groups.flatMap((group) => group.members.map((member) => [memberKey(member), group.id])))
  const names = new Map(groups.map((group) => [group.name.toLowerCase(), group]))
  return found
    .filter((members) => new Set(members.map((member) => member.provider)).size >= MIN_PROVIDERS)
    .map((members) => {
      const name = displayName(members)
      const holder = mostShared(members, groups, taken) ?? names.get(name.toLowerCase())
      const joins = members.filter((member) => !taken.has(memberKey(member))).map(bare)
      return {
        name: holder?.name ?? name,
        ...(holder && { groupId: holder.id }),
        members: [...(holder?.members ?? []), ...joins],
        joins,
        reasons: reasonsOf(members),
      }
    })
    .filter((proposal) => proposal.joins.length > 0 && proposal.members.length > 1)
    .map((proposal, _index, all) => withDistinctName(proposal, all))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Splits a family into what is one version each. The day in a name is the undated model's own only if the family knows
 * one day and no short date, and no provider sells both: then each has its way of naming the only version there is.
 */
function versions(family: ModelResource[]): ModelResource[][] {
  const days = new Set(family.flatMap(({ model }) => (model.stamp?.kind === 'day' ? day(model) : [])))
  const short = family.some(({ model }) => model.stamp?.kind === 'short')
  const sellers = byKey(family, ({ provider }) => provider)
  const sellsBoth = sellers.some((names) => new Set(names.map(({ model }) => stampText(model))).size > 1)
  if (days.size <= 1 && !short && !sellsBoth) return [family]
  return byKey(family, ({ model }) => stampText(model))
}

const day = (model: ModelName): string => model.stamp!.text.replaceAll('-', '')
const stampText = (model: ModelName): string => model.stamp?.text.replaceAll('-', '') ?? ''

/** The maker's own name for it, else the one most providers use. */
function displayName(members: ModelResource[]): string {
  const own = members.filter(({ provider, model }) => provider === model.maker)
  const counted = byKey(own.length > 0 ? own : members, ({ model }) => model.base).map((same) => ({
    base: same[0]!.model.base,
    providers: new Set(same.map(({ provider }) => provider)).size,
  }))
  counted.sort((a, b) => b.providers - a.providers || a.base.length - b.base.length || (a.base < b.base ? -1 : 1))
  const stamps = new Set(members.map(({ model }) => stampText(model)))
  const [stamp = ''] = stamps
  const base = counted[0]!.base.replace(/[-.]0$/, '')
  return stamps.size === 1 && stamp !== '' ? `${base}-${stamp}` : base
}

/** Two makers may give one name; then the maker tells them apart. */
function withDistinctName(proposal: Proposal, all: Proposal[]): Proposal {
  const same = all.filter((other) => other.name.toLowerCase() === proposal.name.toLowerCase())
  if (proposal.groupId || same.length === 1) return proposal
  return { ...proposal, name: `${proposal.name} (${proposal.joins[0]!.provider})` }
}

function mostShared(members: ModelResource[], groups: Group[], taken: Map<string, string>): Group | undefined {
  const shared = byKey(
    members.flatMap((member) => taken.get(memberKey(member)) ?? []),
    (id) => id,
  )
  shared.sort((a, b) => b.length - a.length)
  return groups.find((group) => group.id === shared[0]?.[0])
}

function reasonsOf(members: ModelResource[]): string[] {
  return byKey(members, ({ canonicalResources, resource }) => canonicalResources[0] ?? resource.toLowerCase()).map(
    (same) =>
      `${same[0]!.canonicalResources[0] ?? same[0]!.resource}: ${same.map(({ provider }) => provider).join(', ')}`,
  )
}

const bare = ({ provider, resource }: Member): Member => ({ provider, resource })

const byKey = <T>(items: T[], keyOf: (item: T) => string): T[][] => [...groupBy(items, keyOf).values()]
