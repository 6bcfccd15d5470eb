import type { CheerioAPI } from 'cheerio'
import { type AnyNode, type Element, wordsIn } from './elements.ts'

/** The words above a list of cards that belongs to the document: a page has cards of products and articles, too. */
const OF_PROCESSORS = /sub-?\s?processors?|(?:unter)?auftragsverarbeiter|sous-traitants?|subencargad|sub-?responsabil/i
const MIN_CARDS = 3
const MIN_PARTS = 2
const MAX_PARTS = 8
const NAME_WORDS = 10
const PART_CHARACTERS = 600
/** What a card is made of, when it is one; what has paragraphs or lists of its own is a part of the text. */
const PARTS = new Set(['div', 'p', 'span', 'a', 'strong', 'b', 'h3', 'h4', 'h5', 'h6'])
const TEXT = 'p + p, li, table, h1, h2'
/** The words above a list may be beside one of the elements around it. */
const LEVELS_UP = 6
const WORDS_ABOVE = 300

/**
 * Makes a table of a list of cards of sub-processors: elements beside each other of which each holds a name and what it is
 * for. A table says which lines belong together, and to whom; lines below each other do not.
 */
export function tableCards($: CheerioAPI): void {
  if (!OF_PROCESSORS.test($('body').text())) return
  for (const list of $('div, ul, section').toArray()) {
    const cards = cardsOf($, list)
    if (cards.length < MIN_CARDS || !isIntroduced($, cards[0]!)) continue
    $(cards[0]!).before(tableOf($, cards))
    for (const card of cards) $(card).remove()
  }
}

function tableOf($: CheerioAPI, cards: Element[]) {
  const rows = cards.map((card) => partsOf($, card)!)
  const columns = Math.max(...rows.map((parts) => parts.length))
  const body = $('<tbody>')
  for (const parts of rows) {
    const row = $('<tr>')
    for (let i = 0; i < columns; i++) row.append($('<td>').append(parts[i] ? $(parts[i]!).contents() : ''))
    body.append(row)
  }
  return $('<table>').append(body)
}

/** The last children of a list that are cards, one after the other. */
function cardsOf($: CheerioAPI, list: Element): Element[] {
  const children = $(list).children().toArray() as Element[]
  const first = children.findLastIndex((child) => child.tagName !== children.at(-1)!.tagName || !partsOf($, child))
  return children.slice(first + 1)
}

/** The parts of a card: what it is called, then what it is for, where it is … */
function partsOf($: CheerioAPI, card: Element): Element[] | undefined {
  let inner = $(card)
  while (inner.children().length === 1) inner = inner.children()
  const parts = inner.children().toArray() as Element[]
  if (parts.length < MIN_PARTS || parts.length > MAX_PARTS || hasWords(inner.contents().toArray())) return undefined
  const [name, ...rest] = parts.map((part) => $(part).text().trim())
  if (!name || name.split(/\s+/).length > NAME_WORDS || /[.!?:]$/.test(name)) return undefined
  const areShort = rest.every((text) => text.length <= PART_CHARACTERS) && rest.some((text) => text !== '')
  return areShort && parts.every((part) => PARTS.has(part.tagName) && $(part).find(TEXT).length === 0)
    ? parts
    : undefined
}

/** Whether there are words beside elements: a table of what is in the elements would lose them. */
const hasWords = (nodes: AnyNode[]): boolean => nodes.some((node) => node.type === 'text' && wordsIn(node.data) > 0)

/** Whether the nearest text above says whose cards these are. */
function isIntroduced($: CheerioAPI, first: Element): boolean {
  let at = $(first)
  for (let level = 0; level < LEVELS_UP && at.length > 0; level++) {
    const texts = at
      .prevAll()
      .toArray()
      .map((element) => $(element).text().trim())
    const above = texts.find((text) => text !== '')
    if (above !== undefined) return OF_PROCESSORS.test(above.slice(-WORDS_ABOVE))
    at = at.parent()
  }
  return false
}
