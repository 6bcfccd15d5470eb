import { tableOf } from '../tables/grid.ts'
import { withTables } from '../tables/page.ts'
import type { Page } from '../tables/schema.ts'
import type { PageDeclaration } from './declaration.ts'

/** A page with the prices of its sentences as a table: a row for each line that is like the pattern. */
export function withSentences(page: Page, { sentences }: PageDeclaration): Page {
  if (!sentences) return page
  const matches = page.text.split('\n').map((line) => sentences.pattern.exec(line)?.groups)
  const found = matches.filter((groups) => groups !== undefined)
  const [first] = found
  if (!first) return page
  return withTables(page, [tableOf(sentences.heading, [Object.keys(first), ...found.map(Object.values<string>)])])
}
