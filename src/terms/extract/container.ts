import { type AnyNode, type Element, isElement, wordsIn } from './elements.ts'

/** A block of this many words is text: labels, menus and teasers are shorter. */
const BLOCK_WORDS = 20
/** The document is the smallest element with this share of the words in such blocks. */
const CONTAINER_SHARE = 0.9
/** Where no element below the body has it: menus with teasers can be a part of the page's text too. */
const LEAST_SHARE = 0.75
/** Where such blocks hold less of the page's words, the page is a list, and every block counts. */
const TEXT_SHARE = 0.4
/** A parent that adds more text than labels belongs to the document: an introduction often stands in an element of its own. */
const ADDED_TEXT_SHARE = 0.6
/**
 * An `aside`, and a part that asks for an e-mail address, is an offer, a newsletter or a form to write to the company. A longer one has a
 * document in it.
 */
export const OFFER_WORDS = 200
/** So does one with most of the page's words. */
const OFFER_SHARE = 0.5
/** A block with more of its words in links is a list of other pages. */
const LINK_SHARE = 0.5

export const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time u var wbr button'.split(
    ' ',
  ),
)
/** A paragraph, a list or a table is a part of a document: a page with one long paragraph is not that paragraph. */
export const PARTS = new Set(
  'p li ul ol dl dt dd table thead tbody tfoot tr td th h1 h2 h3 h4 h5 h6 blockquote pre'.split(' '),
)

/** Words in `all` blocks and in `long` ones. `words` are those that offers have too, and `asks` says whether an e-mail address is asked for. */
type Counts = { all: number; long: number; words: number; asks: boolean }
/** The block that is being read: what stands in one element without another block between. */
type OpenBlock = { text: string; words: number; linked: number }
/**
 * The counts of all elements, and the blocks of text read so far: a page may hold its text once for each size of screen. Offers do not count
 * up to this many words.
 */
type Counting = { counts: Map<Element, Counts>; seen: Set<string>; offer: number }

/**
 * Returns the smallest element that holds nearly all of the text of a page, or of a part of it: the words in blocks of
 * {@link BLOCK_WORDS} or more. A page of short entries has no such blocks: there all words count. Undefined where there are no words.
 */
export function containerOf(root: Element | undefined): Element | undefined {
  if (!root) return undefined
  const all = countAll(root, 0).whole.all
  const { counts, whole } = countAll(root, Math.min(OFFER_WORDS, all * OFFER_SHARE))
  if (whole.all === 0) return undefined
  const kind = whole.long >= whole.all * TEXT_SHARE ? 'long' : 'all'
  for (const share of [CONTAINER_SHARE, LEAST_SHARE]) {
    const path: Element[] = []
    const least = whole[kind] * share
    for (let next = holder(root, kind, least, counts); next; next = holder(next, kind, least, counts)) path.push(next)
    if (path.length > 0) return kind === 'all' ? path.at(-1) : withText(path, counts)
  }
  return root
}

/** Whether an element has a block of text in it. */
export const hasText = (element: Element): boolean => countAll(element, 0).whole.long > 0

function countAll(root: Element, offer: number): { counts: Map<Element, Counts>; whole: Counts } {
  const counts = new Map<Element, Counts>()
  return { counts, whole: count(root, { counts, seen: new Set(), offer }) }
}

/** The child that holds at least this many words. */
const holder = (element: Element, kind: 'all' | 'long', least: number, counts: Map<Element, Counts>) =>
  element.children.find(
    (child): child is Element =>
      isElement(child) &&
      !INLINE.has(child.name) &&
      !PARTS.has(child.name) &&
      (counts.get(child)?.[kind] ?? 0) >= least,
  )

/** The innermost element of a path, or an ancestor that adds text to it. */
function withText(path: Element[], counts: Map<Element, Counts>): Element {
  let chosen = path.at(-1)!
  for (const element of path.toReversed()) {
    const [inner, outer] = [counts.get(chosen)!, counts.get(element)!]
    const added = outer.long - inner.long
    if (added > 0 && added >= (outer.all - inner.all) * ADDED_TEXT_SHARE) chosen = element
  }
  return chosen
}

/** Counts the words of every element, from the inside out; of a block that was there before, none. Depth is bounded before. */
function count(element: Element, counting: Counting, linked = false): Counts {
  const isLinked = linked || element.name === 'a'
  const total: Counts = { all: 0, long: 0, words: 0, asks: element.name === 'input' }
  let open: OpenBlock = { text: '', words: 0, linked: 0 }
  const close = () => {
    const isMenu = open.linked > open.words * LINK_SHARE
    const isLong = open.words >= BLOCK_WORDS
    const text = open.text.replace(/\s+/g, ' ').trim()
    if (!isMenu && !(isLong && counting.seen.has(text))) {
      total.all += open.words
      total.words += open.words
      if (isLong) total.long += open.words
    }
    if (isLong) counting.seen.add(text)
    open = { text: '', words: 0, linked: 0 }
  }
  const read = (node: AnyNode, inLink: boolean) => {
    if (node.type === 'text') {
      const words = wordsIn(node.data)
      open.text += node.data
      open.words += words
      if (inLink) open.linked += words
    } else if (isElement(node) && INLINE.has(node.name) && !hasBlock(node)) {
      for (const child of node.children) read(child, inLink || node.name === 'a')
    } else if (isElement(node) && node.name !== 'br') {
      close()
      const { all, long, words, asks } = count(node, counting, inLink)
      total.all += all
      total.long += long
      total.words += words
      total.asks ||= asks
    }
  }
  for (const child of element.children) read(child, isLinked)
  close()
  if ((total.asks || element.name === 'aside') && total.words <= counting.offer) total.all = total.long = 0
  counting.counts.set(element, total)
  return total
}

/** Pages put blocks into inline elements: a link around a card, a span around paragraphs. */
const hasBlock = (element: Element): boolean =>
  element.children.some((child) => isElement(child) && (!INLINE.has(child.name) || hasBlock(child)))
