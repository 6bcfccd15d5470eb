import { withTables } from '../tables/page.ts'
import type { Cell, Page, Table } from '../tables/schema.ts'
import type { PageDeclaration } from './declaration.ts'

/** A page with the prices of its sentences as a table: a row for each line that is like the pattern. */
export function withSentences(page: Page, { sentences }: PageDeclaration): Page {
  if (!sentences) return page
  const matches = page.text.split('\n').map((line) => sentences.pattern.exec(line)?.groups)
  const found = matches.filter((groups) => groups !== undefined)
  const [first] = found
  if (!first) return page
  const cellOf = (text: string, isHeading: boolean): Cell => ({ text, codes: [], links: [], labels: [], isHeading })
  const head = Object.keys(first).map((name) => cellOf(name, true))
  const table: Table = {
    headings: [{ level: 2, text: sentences.heading, codes: [] }],
    panes: [],
    before: [],
    rows: [head, ...found.map((groups) => Object.values(groups).map((text) => cellOf(text, false)))],
    headerRows: 1,
  }
  return withTables(page, [table])
}
