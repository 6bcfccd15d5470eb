import { phrasePattern } from './concept-rules.ts'

/** What a bar says while a document is changed, or when it was changed a short while ago. */
export const UPDATE_ANNOUNCED = phrasePattern({
  en: String.raw`\bwe(?:'re| are|'ve| have)? (?:recently |just |been )?updat(?:ed|ing)\b.{0,80}\b(?:terms|polic(?:y|ies)|notice|agreement|statement|guidelines)\b|\b(?:updated|new|revised) (?:\p{L}+ ){0,4}(?:terms|polic(?:y|ies)|agreement|version)\b.{0,60}\b(?:effect|effective)\b`,
  de: String.raw`\bwir haben\b.{0,80}(?<!\p{L})(?:aktualisiert|geändert|überarbeitet)(?!\p{L})`,
  fr: String.raw`\bnous (?:avons |venons de )?(?:mis|mettre|mettons) à jour\b`,
  es: String.raw`\bhemos actualizado\b`,
  it: String.raw`\babbiamo aggiornato\b`,
})

/** The version before, and how a reader gets to it. */
export const EARLIER_VERSION = phrasePattern({
  en: String.raw`\b(?:previous|prior|earlier|former|past|archived) (?:\p{L}+ ){0,3}(?:versions?|terms|polic(?:y|ies))\b`,
  de: String.raw`\b(?:vorherigen?|früheren?) (?:version|fassung)`,
  fr: String.raw`\bversions? (?:précédentes?|antérieures?)\b`,
  es: String.raw`\bversión anterior\b`,
  it: String.raw`\bversione precedente\b`,
})

/** Whom the version before still binds, and what a clause says of changes. */
export const BINDS = phrasePattern({
  en: String.raw`(?<!\p{L})(?:appl(?:y|ies|ied)|govern(?:s|ed|ing)?|continues?|remains?|binds?|bound|if|when(?:ever)?|may(?! \d)|must|shall|should|not|no|rights?|terminat\p{L}*|cancel\p{L}*)(?!\p{L})`,
})
