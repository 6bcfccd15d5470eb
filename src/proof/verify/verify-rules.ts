import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { contentHash } from '../../prices/row-rules.ts'
import type { StoredRow } from '../../prices/store/row-store.ts'
import type { ServedRecord } from '../record-store.ts'
import { type Leaf, leafText, type RowLeaf } from '../tree/leaf-rules.ts'

/** What of a database does not fit its log. `leaf` is absent for what is not a matter of one leaf. */
export type Finding = { leaf?: number; what: FindingKind; message: string }
type FindingKind =
  | 'row_removed'
  | 'row_edited'
  | 'row_added'
  | 'served_differs'
  | 'status_changed'
  | 'provider_changed'
  | 'leaf_changed'
  | 'tile_changed'
  | 'checkpoint_differs'
  | 'log_cut'

/** A leaf with its place. */
export type PlacedLeaf = { index: number; leaf: Leaf }

const nameOf = ({ provider, resource, dimension, contentHash }: StoredRow): string =>
  `${contentHash} (${provider} ${resource}, ${dimension})`

/** Compares the leaves of rows with the statuses that the database has for them. */
export function compareStatuses(logged: PlacedLeaf[], recorded: RowLeaf[], known: Set<string>): Finding[] {
  const here = new Set(recorded.map(leafText))
  const there = new Set(logged.map(({ leaf }) => leafText(leaf)))
  const missing = logged.flatMap(({ index, leaf }): Finding[] => {
    if (leaf.kind !== 'row' || here.has(leafText(leaf))) return []
    const { contentHash, status, at } = leaf
    return known.has(contentHash)
      ? [
          {
            leaf: index,
            what: 'status_changed',
            message: `Row ${contentHash} became ${status} at ${at}: the database says something else, or nothing.`,
          },
        ]
      : [
          {
            leaf: index,
            what: 'row_removed',
            message: `Row ${contentHash}, ${status} at ${at}, was removed from the database.`,
          },
        ]
  })
  // A status that was changed is one finding, not a missing and an added one.
  const changed = new Set(missing.map(({ leaf }) => leaf))
  const hashes = new Set(
    logged.flatMap(({ index, leaf }) => (changed.has(index) && leaf.kind === 'row' ? leaf.contentHash : [])),
  )
  const added = recorded
    .filter((leaf) => !there.has(leafText(leaf)) && !hashes.has(leaf.contentHash))
    .map(
      ({ contentHash, status, at }): Finding => ({
        leaf: (logged.find(({ leaf }) => leaf.at > at) ?? logged.at(-1))?.index,
        what: 'row_added',
        message: `Row ${contentHash} became ${status} at ${at} as the database says, and the log does not: it was added or changed later.`,
      }),
    )
  return [...missing, ...added]
}

/** Compares a published row with its leaf: its facts have its hash, it is served as they say, and when its statuses say. */
export function compareRow(index: number, hash: string, row: StoredRow | undefined, served: ServedRecord): Finding[] {
  if (!row) return [{ leaf: index, what: 'row_removed', message: `Row ${hash} was removed from the database.` }]
  if (contentHash(row.source, row, row, row.recordedAt) !== hash) {
    return [
      {
        leaf: index,
        what: 'row_edited',
        message: `Row ${nameOf(row)} was edited: what is recorded (price ${row.price} ${row.currency}, recorded at ${row.recordedAt}) does not have its hash.`,
      },
    ]
  }
  const wanted = canonicalJson(servedFacts(row))
  const texts = served.served.map((text) => canonicalJson(text as Json))
  if (texts.some((text) => text !== wanted)) {
    const prices = served.served.map(({ price }) => price).join(', ')
    return [
      {
        leaf: index,
        what: 'served_differs',
        message: `Row ${nameOf(row)} is served otherwise (price ${prices}) than it was recorded (price ${row.price}).`,
      },
    ]
  }
  const periods = [served.published, served.ended].map(String)
  if (periods.join() === [served.publishedByStatus, served.endedByStatus].map(String).join()) return []
  const times = `from ${served.published.join(', ') || 'never'} until ${served.ended.join(', ') || 'now'}`
  return [
    {
      leaf: index,
      what: 'served_differs',
      message: `Row ${nameOf(row)} is served ${times}, which is not when its statuses say.`,
    },
  ]
}

/** Returns what a row is served as, with what answers are narrowed by. */
function servedFacts(row: StoredRow): Json {
  const { provider, source, resource, dimension, unit, currency, price, recordedAt, contentHash } = row
  const pricingTier = JSON.parse(row.pricingTier) as Json
  const by = [provider, source, resource, dimension, currency, row.canonicalResource ?? null, recordedAt, contentHash]
  return { provider, source, resource, dimension, unit, currency, pricingTier, price, recordedAt, contentHash, by }
}

/** Compares the leaves of providers with what the database says of them, both in their order. */
export function compareProviders(logged: PlacedLeaf[], recorded: Leaf[]): Finding[] {
  const here = new Set(recorded.map(leafText))
  const there = new Set(logged.map(({ leaf }) => leafText(leaf)))
  const changed = logged.filter(({ leaf }) => !here.has(leafText(leaf)))
  const added = recorded.filter((leaf) => !there.has(leafText(leaf)))
  const said = (leaf: Leaf) => (leaf.kind === 'provider' ? `${leaf.provider} became ${leaf.status} at ${leaf.at}` : '')
  return [
    ...changed.map(
      ({ index, leaf }): Finding => ({
        leaf: index,
        what: 'provider_changed',
        message: `Provider ${said(leaf)}: the database says something else, or nothing.`,
      }),
    ),
    ...added.map(
      (leaf): Finding => ({
        what: 'provider_changed',
        message: `Provider ${said(leaf)} as the database says, and the log does not.`,
      }),
    ),
  ]
}

/** Returns findings with the first leaf first; those without a leaf come before. */
export const inOrder = (findings: Finding[]): Finding[] => [...findings].sort((a, b) => (a.leaf ?? -1) - (b.leaf ?? -1))
