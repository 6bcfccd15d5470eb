import type { Block } from '../normalize/normal-form-rules.ts'
import type { Change } from './changes-rules.ts'

/** A shorter paragraph without a stop may be meant so. */
const CUT_WORDS = 15
const STOP = /[.!?;:。！？]["”')\]]*$/u
/** No sentence ends with such a word. */
const DANGLING =
  /(?<!\p{L})(?:or|and|of|to|from|in|the|an?|our|your|this|these|by|with|for|on|at|und|oder|von|zu|aus|mit|für|auf|bei|der|die|das|den|unsere?|ihre?|ou|et|de|des|du|la|le|les|à|aux?|avec|pour|sur|nos|vos|notre|votre|y|o|en|con|para|por|el|los|las|nuestr[ao]s?|e|di|da|per|il|gli|i|nostr[aoie]|een|het|van|met|voor|op)$/iu

/**
 * The changes without paragraphs that were cut, or are whole again: the words of a link at the end were not read. A cut is known by a word
 * with which no sentence ends. Where one paragraph is cut so, others that lack their end and their stop are too.
 */
export function withoutCutParagraphs(changes: Change[]): Change[] {
  const pairs = changes.flatMap(pairsOf)
  if (!pairs.some(([shorter]) => DANGLING.test(shorter.text))) return changes
  return changes.filter((change) => pairsOf(change).length < Math.max(change.before.length, change.after.length))
}

/** The paragraphs of a change that lack their end on one side, with the whole ones. */
const pairsOf = ({ before, after }: Change): [shorter: Block, longer: Block][] =>
  before.length === after.length ? before.flatMap((block, i) => cutOf(block, after[i]!)) : []

function cutOf(a: Block, b: Block): [shorter: Block, longer: Block][] {
  const [shorter, longer] = a.text.length < b.text.length ? [a, b] : [b, a]
  const isCut =
    shorter.row === undefined &&
    longer.row === undefined &&
    shorter.words.length >= CUT_WORDS &&
    longer.text.startsWith(`${shorter.text} `) &&
    !STOP.test(shorter.text) &&
    STOP.test(longer.text)
  return isCut ? [[shorter, longer]] : []
}
