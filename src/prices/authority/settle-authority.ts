import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { lineKey } from '../row-rules.ts'
import { isListed, type KnownLine } from '../schema.ts'
import { type ResourceName, readingAll } from '../staging/compare-store.ts'
import { knownSource, linesOfResources } from '../store/line-state-store.ts'
import { divideAuthority, kindOfPrice, type ServedRows, type TakenResource } from './authority-rules.ts'
import {
  createTakingLines,
  dropSecondNames,
  forgetEvidence,
  keptByPeople,
  moveToEvidence,
  ownResources,
  respell,
  stagedKinds,
  stagedResources,
} from './authority-store.ts'
import { coveredByComplete, hasNoOutput, unlistedElsewhere } from './complete-rules.ts'
import { completeLists, inputAlone, ownCompleteProviders } from './complete-store.ts'
import { readElsewhere, type SeenElsewhere } from './listed-meanwhile.ts'
import { oneName } from './one-name-rules.ts'
import {
  type InPlace,
  leftPrices,
  listedInstead,
  type OverruledLines,
  overruledKey,
  overruledLines,
  servedBeside,
} from './overruled-store.ts'

/** A resource that a source takes over from another, with the lines that end then: all that the other has, or some. */
export type TakenOver = ResourceName & {
  source: string
  lines: KnownLine[]
  isWhole: boolean
  /** The complete list that takes over does not have it: it ends. */
  isUnlisted: boolean
}

/** What the source that is read speaks for, beside what it already serves. */
export type SettledAuthority = {
  /** Prices of the snapshot that are evidence alone: another source decides about their resources. */
  covered: number
  /** The resources that can be taken over, by key. */
  taken: ReadonlySet<string>
  served: ServedRows
  ending: TakenOver[]
  /** The sources that lose resources, as they were compared with. */
  from: { source: string; priceVersion: string }[]
  /** What other sources listed then; undefined where no other source matters. */
  seen?: SeenElsewhere
}

export const NOTHING_TAKEN: SettledAuthority = { covered: 0, taken: new Set(), served: new Map(), ending: [], from: [] }

/**
 * Decides for each resource of a staged snapshot whether its source speaks for it. What another source decides about
 * becomes evidence and leaves the snapshot; what another source is served for, and this one decides about, can be taken
 * over. Names are those that are served. `again` is a later attempt at the same snapshot: its evidence left it before.
 */
export async function settleAuthority(
  sql: Sql,
  { source, table, now, again }: { source: string; table: string; now: Instant; again: boolean },
): Promise<SettledAuthority> {
  const { elsewhere, seen } = await readElsewhere(sql, { source, table }, now)
  const own = await ownResources(sql, source)
  const kept = await keptByPeople(sql, table, source)
  const shared = [...elsewhere, ...own.filter((one) => one.shared)].map(({ provider }) => provider)
  const lists = await completeLists(sql, table, source, now)
  const complete = await ownCompleteProviders(sql, source)
  const providers = [...new Set([...kept, ...shared, ...lists.map(({ provider }) => provider)])]
  const settled = await readingAll(sql, async (tx) => {
    const listed = await stagedResources(tx, table, providers)
    const names = oneName(listed, { elsewhere, own, kept })
    const second = await dropSecondNames(tx, table, names.second)
    await respell(tx, table, names.respelled)
    const isAsListed = names.respelled.length + names.second.length === 0
    const respelled = isAsListed ? listed : await stagedResources(tx, table, providers)
    const { covered: byOthers, taken, beside } = divideAuthority(respelled, elsewhere)
    const without = lists.length + complete.size > 0 ? await inputAlone(tx, table) : []
    const covered = [...byOthers, ...coveredByComplete(respelled, lists, without)]
    const unlisted = unlistedElsewhere(respelled, elsewhere, complete)
    const overruled = await overruledLines(tx, table, source)
    const outside = { source, covered, overruled }
    if (!again) await forgetEvidence(tx, table, outside)
    const moved = await moveToEvidence(tx, table, outside, now)
    const instead = [...(await listedInstead(tx, table, overruled)), ...(await servedBeside(tx, table, beside))]
    if (taken.length + instead.length > 0) await createTakingLines(tx, table, source, [...taken, ...instead])
    const kinds = await stagedKinds(tx, table, providers)
    const readsInputAlone = new Set(without.map(({ provider }) => provider))
    const left = overruled.instead.length > 0 ? await leftPrices(tx, source) : new Map()
    const taking = { taken, unlisted, readsInputAlone, kinds, instead, left, kept: overruled.by }
    return { covered: moved + second, taking }
  })
  const { covered, taking } = settled
  const { taken, unlisted, instead } = taking
  return taken.length + unlisted.length + instead.length === 0
    ? { ...NOTHING_TAKEN, covered, seen }
    : { covered, seen, ...(await endingLines(sql, taking)) }
}

/** What a source takes over: resources, and the kinds of prices that it reads; lines, where it contradicts or follows another source. */
type Taking = {
  taken: TakenResource[]
  /** What others list and this complete list does not have. */
  unlisted: TakenResource[]
  /** The providers of which it lists something without a price for output. */
  readsInputAlone: Set<string>
  kinds: Set<string>
  instead: InPlace[]
  /** What the sources of contradicted lines had before, by line. */
  left: Map<string, string[]>
  /** Lines of other sources that stay, because they contradict this one. */
  kept: OverruledLines['by']
}

/**
 * Returns the lines that are served for resources by the sources that lose them. The first source's price is what
 * changes. A source that is not declared any more loses to a complete list whatever kinds of prices it had.
 */
async function endingLines(sql: Sql, taking: Taking): Promise<Omit<SettledAuthority, 'covered' | 'seen'>> {
  const { taken, unlisted, readsInputAlone, kinds, instead, left, kept } = taking
  const losing = [...taken, ...unlisted]
  const isUnlisted = new Set(unlisted.map(resourceKey))
  const served: ServedRows = new Map()
  const ending: TakenOver[] = []
  const from: SettledAuthority['from'] = []
  const lineByLine = new Set(instead.map((line) => overruledKey(line.of, line)))
  for (const source of new Set([...losing.flatMap(({ sources }) => sources), ...instead.map(({ of }) => of)])) {
    const { priceVersion, isDeclared } = (await knownSource(sql, source))!
    from.push({ source, priceVersion })
    const resources = losing.filter(({ sources }) => sources.includes(source))
    const whole = new Set(resources.map(resourceKey))
    const lost = [...resources, ...instead.filter(({ of }) => of === source)]
    const listed = (await linesOfResources(sql, source, lost)).filter(isListed)
    const lines = listed.filter((line) => {
      const [key, resource] = [overruledKey(source, line), resourceKey(line)]
      if (!isDeclared && isUnlisted.has(resource)) return true
      return lineByLine.has(key) || (whole.has(resource) && kinds.has(kindOfPrice(line)) && !kept.has(key))
    })
    const counts = groupBy(listed, resourceKey)
    for (const line of lines) {
      const before = { ...line.current, source, left: left.get(overruledKey(source, line)) }
      if (!served.has(lineKey(line))) served.set(lineKey(line), before)
    }
    for (const [key, ofResource] of groupBy(lines, resourceKey)) {
      const { provider, resource } = ofResource[0]!
      if (isUnlisted.has(key) && hasNoOutput(ofResource) && !readsInputAlone.has(provider)) continue
      const isWhole = counts.get(key)!.length === ofResource.length
      ending.push({ source, provider, resource, lines: ofResource, isWhole, isUnlisted: isUnlisted.has(key) })
    }
  }
  return { taken: new Set(ending.map(resourceKey)), served, ending, from }
}
