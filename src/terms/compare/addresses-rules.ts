import { joined, wordsOf } from '../normalize/words-rules.ts'
import type { Change } from './changes-rules.ts'

/** Where a reader writes or goes to: an e-mail address, and a web address written as such. */
const ADDRESS =
  /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|(?:https?:\/\/|www\.)[^\s,;)]*[^\s,;).]|(?<![\p{L}\p{N}.-])(?:[a-z\d-]+\.){1,4}[a-z]{2,10}\/[^\s,;)]*/giu
/** A line says so much beside its addresses; a shorter one may be nothing but a way to reach someone. */
const BESIDE_ADDRESSES = 4

/** Before an address: of `available at , and` it went alone. */
const LEFT_ALONE =
  /(?<!\p{L})(?:on|at|to|via|from|by|of|auf|unter|an|über|sur|à|de|par|en|a|su|em|op|via|naar)\s*\(?\s*$/iu

/**
 * Sentences in which nothing was added or removed but addresses, all of them or some that leave the word before them alone (a page
 * shows them, or its script does), and sentences that name another page of the same host.
 */
export function onlyAddressesShown({ before, after }: Change): boolean {
  if (before.length === 0 || before.length !== after.length) return false
  return before.every((block, i) => {
    const [a, b] = [addressed(block.text), addressed(after[i]!.text)]
    if (a.words.length < BESIDE_ADDRESSES || joined(a.words) !== joined(b.words)) return false
    const [fewer, more] = a.addresses.length < b.addresses.length ? [a, b] : [b, a]
    if (fewer.addresses.length === more.addresses.length)
      return fewer.addresses.every((address, k) => isSamePlace(address.text, more.addresses[k]!.text))
    return fewer.addresses.length === 0 || leavesAlone(more.addresses, fewer.addresses)
  })
}

/** Another page of the same host that bears no other number: a page moved. */
const isSamePlace = (one: string, other: string): boolean =>
  one === other || (placeOf(one) === placeOf(other) && !one.includes('@') && !other.includes('@'))
const placeOf = (address: string): string =>
  `${/^(?:https?:\/\/)?(?:www\.)?([^/]*)/.exec(address)?.[1]} ${(address.match(/\p{N}+/gu) ?? []).join(' ')}`

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
