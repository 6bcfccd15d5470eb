import type { Table } from '../tables/schema.ts'
import { headingKey } from '../tables/text.ts'
import type { PageDeclaration, TableRule } from './declaration.ts'

/** Returns what a page declares about a table: the first rule that fits its headings, tabs and columns. */
export function ruleOf({ tables }: PageDeclaration, table: Table): TableRule | undefined {
  const above = [...table.headings.map(({ text }) => text), ...table.panes].map(headingKey)
  const columns = table.rows.slice(0, table.headerRows).flatMap((row) => row.map(({ text }) => headingKey(text)))
  return tables.find(
    ({ when: { section, outside, columns: needed = [], without } }) =>
      (!section || above.some((text) => section.test(text))) &&
      (!outside || !above.some((text) => outside.test(text))) &&
      (!without || !columns.some((column) => without.test(column))) &&
      needed.every((pattern) => columns.some((column) => pattern.test(column))),
  )
}
