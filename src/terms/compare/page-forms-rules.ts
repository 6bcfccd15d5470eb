import type { Block } from '../normalize/normal-form-rules.ts'
import { totalWords } from '../normalize/words-rules.ts'
import { blocksOnOneSide, type Change } from './changes-rules.ts'

/** A site asks whether a page was of use, or for an address to send its news to. */
const ASKS =
  /\b(?:did this|was this|is this) (?:\p{L}+ ){0,3}(?:help|helpful|useful|answer)|(?<!\p{L})(?:war|ist) diese[rs]? (?:\p{L}+ ){0,3}(?:hilfreich|nützlich)|(?:vous a-t-(?:il|elle) été utile|ces informations vous ont-elles)|(?:te|le) ha (?:resultado|sido) útil|(?:è stato|ti è stata?) utile|(?:foi|lhe foi) útil|was (?:dit|deze) (?:\p{L}+ ){0,3}nuttig|\b(?:subscribe|sign up) (?:to|for) (?:(?:our|the|your) )?(?:newsletter|updates|news|stay)|\bsubscribe to stay\b|(?<!\p{L})newsletter(?!\p{L})|\b(?:care to )?tell us more\?|\bwhat was (?:un)?helpful\?/iu
/** A field of such a form, or what it answers. */
const FIELD =
  /^(?:(?:your )?e-?mail(?: address)?|(?:first |last )?name|submit|send|subscribe|sign up|adresse e-?mail|votre e-?mail|envoyer|valider|s'inscrire|s'abonner|e-?mail-adresse|absenden|senden|abonnieren|correo electrónico|enviar|suscribirse|indirizzo e-?mail|invia|iscriviti|inscrever-se|verzenden|inschrijven)\*?$/iu
const ANSWER =
  /\bvalid e-?mail\b|\byour feedback\b|\b(?:choose|select) an option\b|\boptional$|adresse e-?mail (?:valide|non valide|invalide)|gültige e-?mail|correo (?:electrónico )?(?:no )?válido/iu
/** A form has so many such lines, and all of it so many words. */
const LINES = 3
const WORDS = 150
/** What an agreement says, and a form does not. */
const BINDS =
  /\b(?:agree|liab\p{L}+|waive|oblig\p{L}+|shall|must|personal (?:data|information)|données|daten|datos|dati|dados|gegevens)\b/iu

/** Returns whether only a form came or went at the end of a page: it asks whether the page helped, or for an address. */
export function onlyForm(change: Change, blocks: Block[]): boolean {
  const { before, at } = change
  const changed = blocksOnOneSide(change)
  if (changed.length === 0 || at + before.length < blocks.length) return false
  const lines = changed.filter(({ text }) => ASKS.test(text) || FIELD.test(text) || ANSWER.test(text))
  const words = totalWords(changed)
  return (
    ASKS.test(changed[0]!.text) &&
    lines.length >= LINES &&
    words <= WORDS &&
    !changed.some(({ text, row, item }) => row !== undefined || item || BINDS.test(text))
  )
}
