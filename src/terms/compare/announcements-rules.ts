import { hasDate } from '../normalize/dates-rules.ts'
import type { Block } from '../normalize/normal-form-rules.ts'
import { blocksOnOneSide, type Change } from './changes-rules.ts'

/** What a bar says while a document is changed, or when it was changed a short while ago. */
const UPDATED =
  /\bwe(?:'re| are|'ve| have)? (?:recently |just |been )?updat(?:ed|ing)\b.{0,80}\b(?:terms|polic(?:y|ies)|notice|agreement|statement|guidelines)\b|\b(?:updated|new|revised) (?:\p{L}+ ){0,4}(?:terms|polic(?:y|ies)|agreement|version)\b.{0,60}\b(?:effect|effective)\b|\bnous (?:avons |venons de )?(?:mis|mettre|mettons) à jour\b|\bwir haben\b.{0,80}(?<!\p{L})(?:aktualisiert|geändert|überarbeitet)(?!\p{L})|\bhemos actualizado\b|\babbiamo aggiornato\b/iu
/** The version before, and how a reader gets to it. */
const EARLIER =
  /\b(?:previous|prior|earlier|former|past|archived) (?:\p{L}+ ){0,3}(?:versions?|terms|polic(?:y|ies))\b|\bversions? (?:précédentes?|antérieures?)\b|\b(?:vorherigen?|früheren?) (?:version|fassung)|\bversión anterior\b|\bversione precedente\b/iu
/** Whom the version before still binds, and what a clause says of changes. */
const BINDS =
  /(?<!\p{L})(?:appl(?:y|ies|ied)|govern(?:s|ed|ing)?|continues?|remains?|binds?|bound|if|when(?:ever)?|may(?! \d)|must|shall|should|not|no|rights?|terminat\p{L}*|cancel\p{L}*)(?!\p{L})/iu
const MOST_WORDS = 60
/** An announcement is in this many paragraphs, and among the first of them; further below it names its day. */
const BLOCKS = 3
const TOP_BLOCKS = 3

/** Returns whether only an announcement was added or removed: that the document was or will be changed, and where the version before is. */
export function onlyAnnouncement(change: Change): boolean {
  const blocks = blocksOnOneSide(change)
  if (blocks.length === 0 || blocks.length > BLOCKS) return false
  const atTop = change.at < TOP_BLOCKS
  return blocks.every((block) => announces(block, atTop))
}

const announces = ({ text, row, item, heading, words }: Block, atTop: boolean): boolean =>
  row === undefined &&
  !item &&
  !heading &&
  words.length <= MOST_WORDS &&
  !BINDS.test(text) &&
  (EARLIER.test(text) || (UPDATED.test(text) && (atTop || hasDate(text))))
