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
  for (const [n, row] of rows.entries()) {
    const kind = near.has(n) ? 'shown' : 'folded'
    const last = parts.at(-1)
    if (last?.kind === kind && (kind === 'folded' || last.section === row.section)) last.rows.push(row)
    else {
      const { section, clause } = row
      parts.push({ kind, id: `part-${parts.length + 1}`, section, ...(clause && { clause }), rows: [row] })
    }
  }
  return parts
}

/** Returns the place of each section's first change. */
export function partIds(rows: DifferenceRow[]): Map<string, string> {
  const ids = new Map<string, string>()
  for (const { kind, id, section } of partsOf(rows)) if (kind === 'shown' && !ids.has(section)) ids.set(section, id)
  return ids
}
