import { wordsOf } from '../normalize/words-rules.ts'
import type { Change } from './changes-rules.ts'
import { type Counts, counted, sameCounts } from './lists/counts-rules.ts'

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

/**
 * Returns whether a change is substantive however few words it has: a negation, a modal verb, a comparison or a sign
 * was added or removed, or one party is in the place of another.
 */
export function changesMeaning({ before, after }: Change): boolean {
  const [a, b] = [before, after].map((blocks) => blocks.map((block) => block.text).join('\n')) as [string, string]
  if (bindsOtherwise(a, b)) return true
  const [x, y] = [a, b].map((text) => counted(wordsOf(text.toLowerCase()).filter((word) => PARTIES.test(word))))
  const more = (one: Counts, other: Counts) => [...one].some(([word, count]) => count > (other.get(word) ?? 0))
  return more(x!, y!) && more(y!, x!)
}

/** Returns whether two texts oblige, allow, forbid or compare otherwise, by their words. */
export const bindsOtherwise = (before: string, after: string): boolean =>
  !sameCounts(counted(bindingWords(before)), counted(bindingWords(after)))

const isBinding = (word: string) => MODALS.test(word) || NEGATIONS.test(word) || OPERATOR.test(word)

function bindingWords(text: string): string[] {
  const lower = text.toLowerCase()
  return [...wordsOf(lower).filter(isBinding), ...(lower.match(NOT) ?? []).map(() => 'not')]
}
