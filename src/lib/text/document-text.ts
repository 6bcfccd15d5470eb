/** A paragraph of a document as pages show it: `right` is what it reads in the later version. */
type Paragraph = {
  section: string
  heading: boolean
  level?: number | undefined
  right?: string | undefined
  anchor?: { id: string } | undefined
}

/** Where a section of a text begins. */
export type Section = { id: string; title: string; level: number }

/** Returns how a lawyer cites a clause: `§ 3.2(b)`, or `Schedule 2, 1`. */
export const citedAs = (clause: string): string => (/^\d/.test(clause) ? `§ ${clause}` : clause)

/** Returns a heading without the marks of its level. */
export const withoutMark = (text: string, isHeading: boolean): string =>
  isHeading ? text.replace(/^#{1,6} /, '') : text

/** Returns where each section of the later version begins: at a heading, or at a title that no heading marks. */
export function sectionsOf(rows: Paragraph[]): Section[] {
  let before = ''
  return rows.flatMap(({ section, heading, anchor, level = 2, right }) => {
    if (right === undefined) return []
    const begins = heading || section !== before
    before = section
    if (!begins || !anchor || section === '') return []
    return [{ id: anchor.id, title: heading ? withoutMark(right, true) : section, level }]
  })
}
