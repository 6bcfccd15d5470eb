import { type Block, isDateLine } from '../normalize/normal-form-rules.ts'
import { joined, wordsOf } from '../normalize/words-rules.ts'
import { type Change, narrowed } from './changes-rules.ts'
import { statesOnlyDate } from './date-lines-rules.ts'

/** The change without lines that stated the date of the document, where none states one now. */
export function withoutLostDates(change: Change): Change {
  const lost = change.before.filter(statesOnlyDate)
  if (lost.length === 0 || change.after.some(({ text }) => isDateLine(text))) return change
  return narrowed(
    change,
    change.before.filter((block) => !lost.includes(block)),
    change.after,
  )
}

/** A number that stands before a heading without a space, as lists without style give: `1Our rights`. */
const TIGHT_NUMBER = /^## \d{1,2}(?=\p{Lu}\p{Ll})/u

/** Headings whose numbers came or went. */
export function onlyNumbersOfHeadings({ before, after }: Change): boolean {
  const unnumbered = (blocks: Block[]) => blocks.map(({ text }) => text.replace(TIGHT_NUMBER, '## ')).join('\n')
  return [...before, ...after].every(({ heading }) => heading) && unnumbered(before) === unnumbered(after)
}

/** Where a reader writes or goes to: an e-mail address, hidden or not, and a web address written as such. */
const ADDRESS =
  /\(?email\W{0,3}protected\)?|[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|(?:https?:\/\/|www\.)[^\s,;)]*[^\s,;).]|(?<![\p{L}\p{N}.-])(?:[a-z\d-]+\.){1,4}[a-z]{2,10}\/[^\s,;)]*/giu
/** A line says so much beside its addresses; a shorter one may be nothing but a way to reach somebody. */
const BESIDE_ADDRESSES = 4

/** Before an address: of `available at , and` it went alone. */
const LEFT_ALONE =
  /(?<!\p{L})(?:on|at|to|via|from|by|of|auf|unter|an|über|sur|à|de|par|en|a|su|em|op|via|naar)\s*\(?\s*$/iu

/**
 * Sentences of which nothing came or went but addresses, all of them or some that leave the word before them alone: a page shows
 * them, or its script does.
 */
export function onlyAddressesShown({ before, after }: Change): boolean {
  if (before.length === 0 || before.length !== after.length) return false
  return before.every((block, i) => {
    const [a, b] = [addressed(block.text), addressed(after[i]!.text)]
    if (a.words.length < BESIDE_ADDRESSES || joined(a.words) !== joined(b.words)) return false
    const [fewer, more] = a.addresses.length < b.addresses.length ? [a, b] : [b, a]
    if (fewer.addresses.length === more.addresses.length) return false
    return fewer.addresses.length === 0 || leavesAlone(more.addresses, fewer.addresses)
  })
}

type Address = { text: string; isAlone: boolean }

function addressed(text: string): { words: string[]; addresses: Address[] } {
  const addresses = [...text.matchAll(ADDRESS)].map((match) => ({
    text: match[0].toLowerCase(),
    isAlone: LEFT_ALONE.test(text.slice(0, match.index)),
  }))
  return { words: wordsOf(text.replace(ADDRESS, ' ')), addresses }
}

/** Whether the other addresses are there in their order, and each that is not follows a word that needs it. */
function leavesAlone(more: Address[], fewer: Address[]): boolean {
  let kept = 0
  for (const { text, isAlone } of more) {
    if (text === fewer[kept]?.text) kept++
    else if (!isAlone) return false
  }
  return kept === fewer.length
}

/** Where an entry of a list leads, as it is shown behind its name. */
const LEADS_TO = / \([^()\s]+\)$/u

/** Entries that became links, or are none any more: each says the same. */
export function onlyEntriesLinked({ before, after }: Change): boolean {
  if (before.length === 0 || before.length !== after.length) return false
  return [before, after].some((linked, i) => {
    const plain = i === 0 ? after : before
    return linked.every(
      ({ text }, k) => LEADS_TO.test(text) && text.replace(LEADS_TO, '').toLowerCase() === plain[k]!.text.toLowerCase(),
    )
  })
}
