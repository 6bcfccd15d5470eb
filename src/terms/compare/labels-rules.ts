import type { Block } from '../normalize/normal-form-rules.ts'

export const SENTENCE_END = /[.!?;:。]["”')\]]*$/u
/**
 * What a label of a site has not: numbers, addresses, company forms, negations, what is final, required or excluded, the
 * state of the document.
 */
const SAYS_MORE =
  /[\p{N}@:]|(?<!\p{L})(?:Inc|LLC|Ltd|Limited|GmbH|AG|SAS|SARL|S\.A|B\.V|Corp|AB|Oy|no|not|non|none|never|only|without|kein\p{L}*|nicht|ohne|nur|sans|sauf|aucune?s?|pas|sin|sem|não|senza|nessun\p{L}*|zonder|geen|niet|bez|brak|utan|ingen|uden|fără|is|are|ist|sind|sono|zijn|final|required|mandatory|prohibited|forbidden|banned|excluded|included|ausgeschlossen|verboten|untersagt|verbindlich|erforderlich|exclue?s?|interdite?s?|obligatoires?|requise?s?|excluid[oa]s?|prohibid[oa]s?|obligatori[oaie]s?|proibid[oa]s?|esclus[oaie]|vietat[oaie]|draft|archived?|superseded|expired|outdated|obsolete|deprecated|discontinued|withdrawn|repealed|void|entwurf|ungültig|abgelaufen|brouillon|obsolète|périmée?|caduque|borrador|derogad[ao]|bozza|rascunho|verlopen)(?!\p{L})/iu
/** Six words of Chinese are a whole clause, and nobody listed the negations of other scripts. */
const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/u

/** Returns whether a paragraph of at most `most` words may be a label of the site, and says nothing of the document. */
export const isLabel = ({ text, words, row }: Block, most: number): boolean =>
  row === undefined &&
  words.length <= most &&
  !SENTENCE_END.test(text) &&
  !SAYS_MORE.test(text) &&
  !OTHER_SCRIPT.test(text)
