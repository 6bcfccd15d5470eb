import { type Concept, phrasePattern, wordPattern } from './concept-rules.ts'

/** The months in order; `/` is between spellings. A short form that is an English word is missing: `set 2030` is not a date. */
const MONTHS_OF: Concept = {
  en: 'january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec',
  de: 'januar/jänner/jan februar/feb märz/marz/mär april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez',
  fr: 'janvier/janv février/fevrier/févr/fév mars avril/avr mai juin juillet/juil août/aout septembre/sept octobre/oct novembre/nov décembre/decembre/déc',
  es: 'enero/ene febrero/feb marzo/mar abril/abr mayo junio/jun julio/jul agosto septiembre/sept/sep octubre/oct noviembre/nov diciembre/dic',
  it: 'gennaio febbraio/feb marzo/mar aprile/apr maggio giugno/giu luglio/lug agosto settembre ottobre/ott novembre/nov dicembre/dic',
  nl: 'januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug september/sep oktober/okt november/nov december/dec',
  pt: 'janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto setembro outubro novembro/nov dezembro/dez',
}

/** The number of each month, 1 to 12, by its names in lower case. */
export const MONTHS: Record<string, number> = Object.fromEntries(
  Object.values(MONTHS_OF).flatMap((months) =>
    months.split(' ').flatMap((names, i) => names.split('/').map((name) => [name, i + 1])),
  ),
)

/** A word beside the date of a document. Deadlines have other words. */
export const DATE_LABEL = wordPattern({
  en: 'last|latest|updated?|effective|dated?|as|of|from|on|since|the|is|in|at|revis(?:ed|ion)|modified|amended|changed|posted|published|versions?|previous|earlier|archived?|releas(?:ed|e)',
  de: 'stand|vom|am|datum|aktualisier(?:t|ung)|veröffentlicht|geändert|zuletzt|letzte|frühere|versionen|fassung(?:en)?',
  fr: 'dernière|publiée?|le|du|au|de|mise?|à|jour|modification|antérieures?|précédentes?',
  es: 'publicad[oa]|última|actualización|actualizad[oa]|fecha|el|del|versi(?:ón|ones)|anterior(?:es)?',
  it: 'ultimo|aggiornamento|aggiornat[oa]|pubblicat[oa]|il|versioni|precedenti',
  nl: 'bijgewerkt|gepubliceerd|op',
  pt: 'atualização|atualizad[oa]|data|em',
})

/** A word of a sentence that says of a document when it was published, and when it takes effect. */
export const NAMES_DOCUMENT = wordPattern({
  en: 'this|these|polic(?:y|ies)|terms|notice|statement|agreement|document|was|were|are|with|an?',
  de: 'diese[rs]?|richtlinie|bedingungen|erklärung|vereinbarung|wurden?|mit|wirkung',
  fr: 'cette|ces|ce|politique|conditions|document|été|a|avec|effet|d',
  es: 'esta|estos|este|política|términos|condiciones|documento|fue|fueron|con|efecto|una?',
  it: 'questa|questi|questo|informativa|termini|condizioni|documento|è|stat[oaie]|con|effetto|dal',
})

/** What stands before the day on which a document takes effect. */
export const EFFECTIVE = new RegExp(
  `(?:${
    phrasePattern({
      en: 'effective|comes? into (?:force|effect)|(?:takes?|with) effect|entry into force|in force (?:as of|from|since)|applicable (?:as of|from)',
      de: 'gültig ab|stand vom|in kraft',
      fr: 'entrée en vigueur|en vigueur',
      es: 'vigente desde|fecha de entrada|efectiva',
    }).source
  })[^.\\n\\d]{0,40}$`,
  'iu',
)

/** What was done to a document on the day that stands beside it. */
const CHANGED: Concept = {
  en: 'updated|modified|revised|amended|edited|published|posted|written|reviewed',
  de: 'aktualisiert|geändert|veröffentlicht|geschrieben',
  fr: 'mise? à jour|modifiée?|publiée?|écrite?',
  es: 'actualizad[oa]|modificad[oa]|publicad[oa]|escrit[oa]',
  it: 'aggiornat[oa]|modificat[oa]|pubblicat[oa]|scritt[oa]',
  nl: 'bijgewerkt',
  pt: 'atualizad[oa]',
}
const CHANGE: Concept = {
  en: 'update|revision|version',
  de: 'aktualisierung|stand',
  es: 'actualización',
  it: 'aggiornamento',
  pt: 'atualização',
}

/** What stands before the day on which a document was last changed. */
export const UPDATED = new RegExp(`(?:${phrasePattern(CHANGED, CHANGE).source})[^.\\n\\d]{0,25}$`, 'iu')

const COUNT = String.raw`(?:\d{1,3}|an?|one|over an?|about an?|eine[mr]?|une?|un[ao]?)`

/** A day that is stated by how long ago it was: it differs at each reading. */
const AGO = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${Object.values({
    en: `${COUNT} (?:minute|hour|day|week|month|year)s? ago|yesterday|today`,
    de: `vor ${COUNT} (?:Minuten?|Stunden?|Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?)|gestern|heute`,
    fr: `il y a ${COUNT} (?:minute|heure|jour|semaine|moi|an)s?|hier|aujourd[’']hui`,
    es: `hace ${COUNT} (?:minuto|hora|día|semana|mes(?:es)?|año)s?|ayer|hoy`,
    it: `${COUNT} (?:minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa|ieri|oggi`,
  }).join('|')})(?![\\p{L}\\p{N}])[^\\p{L}\\p{N}]*$`,
  'iu',
)
const WAS_CHANGED = phrasePattern(CHANGED)
/** Few words before what changed: `Last updated`. */
const BEGINNING_CHARACTERS = 20

/** Whether a text says how long ago a page was changed, and nothing else: it begins with the one and ends with the other. */
export function saysHowLongAgo(text: string): boolean {
  const at = text.search(WAS_CHANGED)
  return at >= 0 && at <= BEGINNING_CHARACTERS && AGO.test(text)
}
