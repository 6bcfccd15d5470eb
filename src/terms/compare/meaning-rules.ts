import type { Block } from '../normalize/normal-form-rules.ts'
import { wordsOf } from '../normalize/words-rules.ts'
import type { Change } from './changes-rules.ts'

/** Words that oblige, allow or forbid. */
const MODALS =
  /^(?:may|might|must|shall|should|will|would|can|could|ought|darf|dürfen|kann|können|muss|müssen|soll|sollen|peut|peuvent|pouvez|pouvons|doit|doivent|devez|devons|puede|pueden|podrá|podrán|debe|deben|deberá|può|possono|deve|devono|dovrà)$/u
const NEGATIONS =
  /^(?:cannot|never|neither|nor|without|unless|except|nicht|kein\p{L}{0,2}|niemals|pas|jamais|aucune?|sauf|nunca|ningun[ao]?|ningún|salvo)$/u
/** `not` beside a verb; in `not more than` it belongs to a number. */
const NOT =
  /(?<=\b(?:is|are|was|were|be|do|does|did|has|have|had|may|might|must|shall|should|will|would|can|could|agree|need)\s)not\b|n't\b|\bno longer\b/gu
const OPERATOR = /^[≤≥≠±<>=+-]$/u
/** Who a clause obliges: one in place of another turns it around. */
const PARTIES =
  /^(?:providers?|customers?|licensors?|licensees?|controllers?|processors?|suppliers?|clients?|users?|buyers?|sellers?|vendors?|subscribers?|company|we|you|us|our|your|anbieter|kunden?|nutzer|wir|sie|fournisseur|clients?|utilisateur|nous|vous|proveedor|cliente|usuario)$/u

type Counts = Map<string, number>

/**
 * Returns whether a change is substantive however few words it has: a negation, a modal verb, a comparison or a sign
 * came or went, or one party is in the place of another.
 */
export function changesMeaning({ before, after }: Change): boolean {
  const [a, b] = [wordsIn(before), wordsIn(after)]
  const signals = (word: string) => MODALS.test(word) || NEGATIONS.test(word) || OPERATOR.test(word)
  if (!same(counts(a.words, signals), counts(b.words, signals)) || a.nots !== b.nots) return true
  const [x, y] = [a, b].map(({ words }) => counts(words, (word) => PARTIES.test(word))) as [Counts, Counts]
  const more = (one: Counts, other: Counts) => [...one].some(([word, count]) => count > (other.get(word) ?? 0))
  return before.length > 0 && after.length > 0 && more(x, y) && more(y, x)
}

function wordsIn(blocks: Block[]): { words: string[]; nots: number } {
  const text = blocks.map((block) => block.text.toLowerCase()).join('\n')
  return { words: wordsOf(text), nots: (text.match(NOT) ?? []).length }
}

function counts(words: string[], counted: (word: string) => boolean): Counts {
  const found: Counts = new Map()
  for (const word of words) if (counted(word)) found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

const same = (a: Counts, b: Counts) => a.size === b.size && [...a].every(([word, count]) => b.get(word) === count)
