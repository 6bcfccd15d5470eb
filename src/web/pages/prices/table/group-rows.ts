import { groupBy } from '../../../../lib/collections.ts'
import { wordsOf } from '../../../words.ts'

/** A row of the table, and the rows of sellers inside it. */
export type GroupedRow<Row> = Row & {
  /** Its sellers, the cheapest first; absent in the row of a seller. */
  sellers?: Row[]
  isOpen?: boolean
  /** The row of a seller below its group. */
  isInside?: boolean
}
type SellerRow = { key: string; provider: string; since: string; text: string }

/** Returns a row for each group, those first that most sell, and of these the newest. */
export function groupRows<Row extends SellerRow>(
  rows: Row[],
  keyOf: (row: Row) => string | number,
  groupOf: (sellers: Row[]) => GroupedRow<Row>,
): GroupedRow<Row>[] {
  const groups = [...groupBy(rows, keyOf).values()].map(groupOf)
  return groups.sort((a, b) => countOf(b) - countOf(a) || (a.since < b.since ? 1 : a.since > b.since ? -1 : 0))
}

/** How many sellers a group has: one source more is not a seller more. */
export const countOf = ({ sellers, provider }: { provider: string; sellers?: { provider: string }[] }): number =>
  new Set(sellers?.map((seller) => seller.provider) ?? [provider]).size

/** Whether a row stands for several. */
export const isSeveral = <Row>({ sellers }: { sellers?: Row[] }): boolean => (sellers?.length ?? 1) > 1

/** Returns the rows to show: below a group that is open, its sellers. */
export const opened = <Row extends SellerRow>(
  groups: GroupedRow<Row>[],
  open: ReadonlySet<string>,
): GroupedRow<Row>[] =>
  groups.flatMap((group): GroupedRow<Row>[] => {
    if (!isSeveral(group) || !open.has(group.key)) return [group]
    return [{ ...group, isOpen: true }, ...group.sellers!.map((seller) => ({ ...seller, isInside: true }))]
  })

/** Returns the groups whose sellers have every word that was typed, with those sellers alone. Their order stays. */
export function narrowed<Row extends SellerRow>(
  groups: GroupedRow<Row>[],
  q: string,
  groupOf: (sellers: Row[]) => GroupedRow<Row>,
): GroupedRow<Row>[] {
  const words = wordsOf(q)
  if (words.length === 0) return groups
  return groups.flatMap((group): GroupedRow<Row>[] => {
    const sellers = group.sellers!
    const kept = sellers.filter(({ text }) => words.every((word) => text.includes(word)))
    if (kept.length === sellers.length) return [group]
    return kept.length > 0 ? [groupOf(kept)] : []
  })
}

/** Returns the confirmation that all rows have: the weaker of two. */
export function weakestMark<By extends string>(rows: { confirmedBy?: By }[]): { confirmedBy?: By } {
  const marks = new Set(rows.map(({ confirmedBy }) => confirmedBy))
  if (marks.has(undefined)) return {}
  const [by] = [...marks].sort()
  return by === undefined ? {} : { confirmedBy: by }
}

/** The latest instant of rows. */
export const newestOf = (rows: { since: string }[]): string =>
  rows
    .map(({ since }) => since)
    .sort()
    .at(-1)!

/** Returns the row with the lowest value. */
export const lowest = <T extends { value: number }>(found: T[]): T | undefined =>
  found.reduce<T | undefined>((least, one) => (least && least.value <= one.value ? least : one), undefined)
