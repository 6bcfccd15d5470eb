import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy } from '../../lib/collections.ts'
import { type NameParts, nameParts, sameName } from '../plan/renames/name-rules.ts'
import type { ResourceName } from '../staging/compare-store.ts'

export type Respelling = { provider: string; from: string; to: string }

/** A resource that the source that is read is served for; `shared` when another source lists or listed that name. */
export type OwnResource = ResourceName & { shared: boolean }

/** What becomes of names that mean a model that has another name already. */
export type OneName = {
  /** They are read under the name that is served. */
  respelled: Respelling[]
  /** They are not read: the model is listed under its name as well. */
  second: ResourceName[]
}

type KnownNames = {
  /** What other sources list. */
  elsewhere: ResourceName[]
  own: OwnResource[]
  /** Providers of which the source is a list that people keep. Elsewhere it knows its names itself, and none is left out. */
  kept: ReadonlySet<string>
}

/**
 * Returns how a list spells models otherwise than they are served: one model of a seller has one name, whoever lists it
 * and however often. A name that is served as it is stays.
 */
export function oneName(listed: ResourceName[], { elsewhere, own, kept }: KnownNames): OneName {
  const partsOf = remembered()
  const coreOf = ({ provider, resource }: ResourceName) => resourceKey({ provider, resource: partsOf(resource).core })
  const isSame = (a: ResourceName, b: ResourceName) => sameName(partsOf(a.resource), partsOf(b.resource))
  const names = new Set(listed.map(resourceKey))
  const served = new Map([...elsewhere, ...own].map((one) => [resourceKey(one), one]))
  const listedToo = groupBy(
    [...served.values()].filter((one) => names.has(resourceKey(one))),
    coreOf,
  )
  const shared = new Map([...elsewhere, ...own.filter((one) => one.shared)].map((one) => [resourceKey(one), one]))
  const free = groupBy(
    [...shared.values()].filter((one) => !names.has(resourceKey(one))),
    coreOf,
  )
  const others = listed.filter((one) => !served.has(resourceKey(one)))
  const found: OneName = { respelled: [], second: [] }
  for (const [core, group] of groupBy(others, coreOf)) {
    const claims = group.map((one) => ({ one, meant: (free.get(core) ?? []).filter((other) => isSame(one, other)) }))
    const isKept = kept.has(group[0]!.provider)
    const before = [...(listedToo.get(core) ?? [])]
    for (const { one, meant } of claims.toSorted(byLength)) {
      const [name] = meant
      const isAgain = before.some((other) => isSame(one, other))
      const isContested = claims.some((claim) => claim.one !== one && claim.meant.includes(name!))
      if (isKept && (isAgain || meant.length > 1)) found.second.push(one)
      else if (name && meant.length === 1 && (isKept || !isContested))
        found.respelled.push({ provider: one.provider, from: one.resource, to: name.resource })
      before.push(one, ...meant)
    }
  }
  return found
}

/** The shortest name of a model is the one that most lists have. */
const byLength = ({ one: a }: { one: ResourceName }, { one: b }: { one: ResourceName }) =>
  a.resource.length - b.resource.length || (a.resource < b.resource ? -1 : 1)

function remembered() {
  const known = new Map<string, NameParts>()
  return (name: string): NameParts => {
    const parts = known.get(name) ?? nameParts(name)
    known.set(name, parts)
    return parts
  }
}
