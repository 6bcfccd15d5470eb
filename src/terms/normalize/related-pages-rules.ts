import { countWords } from './label-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'

/** The title of what a help centre shows below a page. */
const RELATED =
  /^(?:related (?:articles?|pages?|topics?|links?|content|posts?|documents?)|similar articles|more articles|you may also like|recommended (?:articles|reading)|recently viewed articles|articles (?:connexes|associés|liés|similaires)|sur le même sujet|ähnliche (?:artikel|themen|beiträge)|verwandte (?:artikel|themen)|das könnte sie auch interessieren|artículos relacionados|temas relacionados|articoli correlati|argomenti correlati|artigos relacionados|tópicos relacionados|gerelateerde artikelen|verwante artikelen|powiązane artykuły|relaterade artiklar)$/iu
/** It is no more than this: a part of a document may have such a title too. */
const RELATED_LINES = 30
const RELATED_WORDS = 250

/** The lines without the list of other pages at the end of a page. What has a heading of its own below it is no part of it. */
export function withoutRelated(lines: PlainLine[]): PlainLine[] {
  const start = lines.findLastIndex((line) => RELATED.test(line.plain.replace(/:$/, '')))
  if (start < 1 || lines.length - start > RELATED_LINES) return lines
  const next = lines.findIndex(({ heading }, i) => i > start && heading)
  const end = lines[start]!.heading && next >= 0 ? next : lines.length
  const words = lines.slice(start, end).reduce((sum, { plain }) => sum + countWords(plain), 0)
  return words > RELATED_WORDS ? lines : [...lines.slice(0, start), ...lines.slice(end)]
}
