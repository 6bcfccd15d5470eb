import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { lineKey } from '../row-rules.ts'
import { isListed, type KnownLine } from '../schema.ts'
import { type ResourceName, readingAll } from '../staging/compare-store.ts'
import { knownSource, linesOfResources } from '../store/line-state-store.ts'
import { divideAuthority, kindOfPrice, type Served } from './authority-rules.ts'
import {
  createTakingLines,
  dropSecondNames,
  forgetEvidence,
  keptByPeople,
  listedElsewhere,
  moveToEvidence,
  ownResources,
  respell,
  stagedKinds,
  stagedResources,
} from './authority-store.ts'
import { oneName } from './one-name-rules.ts'

/** A resource that a source takes over from another, with the lines that end then: all that the other has, or some. */
export type TakenOver = ResourceName & { source: string; lines: KnownLine[]; isWhole: boolean }

/** What the source that is read speaks for, beside what it already serves. */
export type Settled = {
  /** Prices of the snapshot that are evidence alone: another source decides about their resources. */
  covered: number
  /** The resources that can be taken over, by key. */
  taken: ReadonlySet<string>
  served: Served
  ending: TakenOver[]
  /** The sources that lose resources, as they were compared with. */
  from: { source: string; priceVersion: string }[]
}

export const NOTHING_TAKEN: Settled = { covered: 0, taken: new Set(), served: new Map(), ending: [], from: [] }

/**
 * Decides for each resource of a staged snapshot whether its source speaks for it. What another source decides about
 * becomes evidence and leaves the snapshot; what another source is served for, and this one decides about, can be taken
 * over. Names are those that are served. `again` is a later attempt at the same snapshot: its evidence left it before.
 */
export async function settleAuthority(
  sql: Sql,
  { source, table, now, again }: { source: string; table: string; now: Instant; again: boolean },
): Promise<Settled> {
  const elsewhere = await listedElsewhere(sql, table, source, now)
  const own = await ownResources(sql, source)
  const kept = await keptByPeople(sql, table, source)
  const shared = [...elsewhere, ...own.filter((one) => one.shared)].map(({ provider }) => provider)
  const providers = [...new Set([...kept, ...shared])]
  const settled = await readingAll(sql, async (tx) => {
    const listed = await stagedResources(tx, table, providers)
    const names = oneName(listed, { elsewhere, own, kept })
    const second = await dropSecondNames(tx, table, names.second)
    await respell(tx, table, names.respelled)
    const isAsListed = names.respelled.length + names.second.length === 0
    const respelled = isAsListed ? listed : await stagedResources(tx, table, providers)
    const { covered, taken } = divideAuthority(respelled, elsewhere)
    if (!again) await forgetEvidence(tx, table, source, covered)
    const outside = await moveToEvidence(tx, table, { source, covered, at: now })
    if (taken.length > 0) await createTakingLines(tx, table, source, taken)
    return { covered: outside + second, taken, kinds: await stagedKinds(tx, table, providers) }
  })
  return settled.taken.length === 0
    ? { ...NOTHING_TAKEN, covered: settled.covered }
    : { covered: settled.covered, ...(await endingLines(sql, settled.taken, settled.kinds)) }
}

type Taken = ResourceName & { sources: string[] }

/**
 * Returns the lines that are served for resources by the sources that lose them, of the kinds that the taking source
 * reads. The first source's price is what changes.
 */
async function endingLines(sql: Sql, taken: Taken[], kinds: Set<string>): Promise<Omit<Settled, 'covered'>> {
  const served: Served = new Map()
  const ending: TakenOver[] = []
  const from: Settled['from'] = []
  for (const source of new Set(taken.flatMap(({ sources }) => sources))) {
    const { priceVersion } = (await knownSource(sql, source))!
    from.push({ source, priceVersion })
    const resources = taken.filter(({ sources }) => sources.includes(source))
    const listed = (await linesOfResources(sql, source, resources)).filter(isListed)
    const lines = listed.filter((line) => kinds.has(kindOfPrice(line)))
    const counts = groupBy(listed, resourceKey)
    for (const line of lines) if (!served.has(lineKey(line))) served.set(lineKey(line), { ...line.current, source })
    for (const [key, ofResource] of groupBy(lines, resourceKey)) {
      const { provider, resource } = ofResource[0]!
      const isWhole = counts.get(key)!.length === ofResource.length
      ending.push({ source, provider, resource, lines: ofResource, isWhole })
    }
  }
  return { taken: new Set(ending.map(resourceKey)), served, ending, from }
}
