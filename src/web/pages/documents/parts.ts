import type { DifferenceRow } from '../../api/documents.ts'

/** Changes of one section with what is around them, or what is unchanged between two of them. */
export type Part = { kind: 'shown' | 'folded'; id: string; section: string; clause?: string; rows: DifferenceRow[] }

/** Unchanged paragraphs on each side of a change. */
const CONTEXT = 1
/** Fewer unchanged paragraphs than this between two changes are shown. */
const MIN_FOLDED = 4

/** Puts rows together: what changed is shown with its context, the rest is folded. */
export function partsOf(rows: DifferenceRow[]): Part[] {
  const changed = rows.flatMap(({ kind }, n) => (kind === 'same' ? [] : [n]))
  const near = new Set<number>()
  for (const [i, n] of changed.entries()) {
    const before = changed[i - 1]
    const from = before !== undefined && n - before <= 2 * CONTEXT + MIN_FOLDED ? before : n - CONTEXT
    for (let at = Math.max(0, from); at <= Math.min(rows.length - 1, n + CONTEXT); at++) near.add(at)
  }
  const parts: Part[] = []
  let [clause, before] = [undefined as string | undefined, '']
  for (const [n, row] of rows.entries()) {
    const kind = near.has(n) ? 'shown' : 'folded'
    if (row.heading || row.section !== before) clause = row.clause
    before = row.section
    const last = parts.at(-1)
    if (last?.kind === kind && (kind === 'folded' || last.section === row.section)) last.rows.push(row)
    else {
      const { section } = row
      parts.push({ kind, id: `part-${parts.length + 1}`, section, ...(clause && { clause }), rows: [row] })
    }
  }
  return parts
}

/** Returns the id of a row: its anchor, or where it is a change its place in its part. */
export const rowId = ({ id }: Part, row: DifferenceRow, n: number): string | undefined =>
  row.anchor?.id ?? (row.kind === 'same' ? undefined : `${id}-${n + 1}`)

/** Returns the place of the first change in each section, and in each of its clauses. */
export function changeIds(rows: DifferenceRow[]): Map<string, string> {
  const ids = new Map<string, string>()
  const add = (key: string, id: string) => ids.has(key) || ids.set(key, id)
  for (const part of partsOf(rows)) {
    if (part.kind === 'folded') continue
    add(placeKey(part.section), part.id)
    // A change of the section itself is shown with the heading above it.
    for (const [n, row] of part.rows.entries())
      if (row.kind !== 'same')
        add(placeKey(row.section, row.clause), row.clause === part.clause ? part.id : rowId(part, row, n)!)
  }
  return ids
}

export const placeKey = (section: string, clause = ''): string => `${section}\n${clause}`
