import { hasDate } from '../normalize/dates-rules.ts'
import { type Block, isDateLine, type ReadText } from '../normalize/normal-form-rules.ts'
import { isShort } from '../normalize/title-rules.ts'
import { type Change, withoutBlocks } from './changes-rules.ts'

/** What stands above a document's own title is short; a text with more there has its title elsewhere. */
const HEAD_WORDS = 100

/** The blocks that other documents of the site begin with, by their keys. */
export type Site = ReadonlySet<string>

export const siteOf = (texts: ReadText[]): Site => new Set(texts.flatMap(({ blocks }) => blocks.map(({ key }) => key)))

/**
 * The changes without what stands above a document's own title and above other documents of its site too: the title of a legal hub, an
 * announcement about one of its documents, and the labels around them; nor without labels below the title that these have. A line with
 * a date stays.
 */
export function withoutSiteHead(changes: Change[], before: ReadText, after: ReadText, site: Site): Change[] {
  const left = new Set([...sharedHead(before, site), ...sharedHead(after, site)])
  return withoutBlocks(changes, left)
}

function sharedHead({ blocks }: ReadText, site: Site): Block[] {
  const title = titleAt(blocks, site)
  if (title === undefined) return []
  const text = blocks.findIndex((block, i) => i > title && !isLabel(block))
  const isShared = ({ key, text: said }: Block) => site.has(key) && !hasDate(said)
  const head = blocks.slice(0, title)
  const above = head.some(isShared) ? head.filter((block) => isShared(block) || isLabel(block)) : []
  return [...above, ...blocks.slice(title + 1, Math.max(text, 0)).filter(isShared)]
}

const isLabel = ({ text, heading, row, item }: Block): boolean =>
  !heading && row === undefined && !item && isShort(text)

/**
 * Where the document's own title is: the first heading that the site's other documents do not have. A heading above it may not be of a
 * higher level, nor may the document's date stand above it: that heading is the title then.
 */
function titleAt(blocks: Block[], site: Site): number | undefined {
  let [words, level] = [0, Number.POSITIVE_INFINITY]
  for (const [i, block] of blocks.entries()) {
    if (isDateLine(block.text)) return undefined
    const own = block.level ?? Number.POSITIVE_INFINITY
    if (block.heading && !site.has(block.key)) return own <= level ? i : undefined
    if (block.heading) level = Math.min(level, own)
    words += block.words.length
    if (words > HEAD_WORDS) return undefined
  }
  return undefined
}
