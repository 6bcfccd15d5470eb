import { datesIn, hasDate, withoutDates } from './dates-rules.ts'
import { countWords, isSentence } from './label-rules.ts'
import { wordsOf } from './words-rules.ts'

/** How long ago something was done, as software writes it: it says something else every day. */
const AGO = new RegExp(
  [
    String.raw`(?:\d{1,3}|an?|one|a few) (?:second|minute|hour|day|week|month|year)s? ago`,
    String.raw`vor (?:\d{1,3}|eine[mr]|wenigen) (?:sekunde|minute|stunde|tag|woche|monat|jahr)\p{L}{0,2}`,
    String.raw`il y a (?:\d{1,3}|une?|quelques) (?:seconde|minute|heure|jour|semaine|mois|an|année)s?`,
    String.raw`hace (?:\d{1,3}|una?|unos|unas) (?:segundo|minuto|hora|día|semana|mes|año)(?:e?s)?`,
    String.raw`há (?:\d{1,3}|uma?) (?:segundo|minuto|hora|dia|semana|mês|meses|ano)s?`,
    String.raw`(?:\d{1,3}|una?|qualche) (?:second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa`,
    String.raw`\d{1,3} (?:seconden?|minuten?|uur|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar) geleden`,
  ].join('|'),
  'iu',
)
/** The same in words: `Updated yesterday`. */
const LATELY = new RegExp(
  [
    String.raw`(?:last )?(?:updated|edited|reviewed|modified|published)(?: on)? (?:just now|today|yesterday|(?:this|last) (?:week|month|year))`,
    String.raw`(?:zuletzt )?(?:aktualisiert|bearbeitet|geändert) (?:gerade eben|heute|gestern|(?:diese|letzte)[nrs]? (?:woche|monat|jahr))`,
    String.raw`(?:heute|gestern) (?:aktualisiert|bearbeitet|geändert)`,
    String.raw`(?:mise? à jour|modifiée?|publiée?) (?:à l'instant|aujourd'hui|hier|cette semaine|ce mois-ci|cette année|la semaine dernière|le mois dernier|l'année dernière)`,
    String.raw`(?:actualizad[oa]|modificad[oa]) (?:ahora mismo|hoy|ayer|est[ae] (?:semana|mes|año)|la semana pasada|el (?:mes|año) pasado)`,
    String.raw`(?:aggiornat[oa]|modificat[oa]) (?:ora|oggi|ieri|quest[ao] (?:settimana|mese|anno)|la settimana scorsa|il mese scorso)`,
    String.raw`(?:atualizad[oa]|modificad[oa]) (?:agora|hoje|ontem|est[ae] (?:semana|mês|ano)|na semana passada|no mês passado)`,
    String.raw`(?:bijgewerkt|gewijzigd) (?:zojuist|vandaag|gisteren|(?:deze|vorige) (?:week|maand)|(?:dit|vorig) jaar)`,
  ]
    .map((form) => `^${form}$`)
    .join('|'),
  'iu',
)
/** With so many words it is a sentence, which may well say when something was. */
const AGO_WORDS = 9

/** So many dates with hardly a word between them are a list of versions to choose from. */
const CHOOSER_DATES = 4
const CHOOSER_WORDS = 8

const LANGUAGES =
  /(?<!\p{L})(?:english|deutsch|german|français|french|español|spanish|italiano|italian|português|portuguese|nederlands|dutch|polski|polish|svenska|swedish|dansk|danish|suomi|finnish|norsk|norwegian|čeština|czech|slovenčina|slovak|slovenščina|slovenian?|magyar|hungarian|română|romanian|български|bulgarian|hrvatski|croatian|ελληνικά|greek|eesti|estonian|latviešu|latvian|lietuvių|lithuanian|malti|maltese|gaeilge|irish|türkçe|turkish|русский|russian|українська|ukrainian|日本語|japanese|한국어|korean|中文|简体中文|繁體中文|chinese|العربية|arabic|עברית|hebrew|हिन्दी|हिंदी|hindi|ไทย|thai|tiếng việt|vietnamese|bahasa (?:indonesia|melayu)|indonesian|malay|malaysian|filipino|tagalog|català|catalan|euskara|basque|galego|galician|íslenska|icelandic|srpski|serbian|shqip|albanian|afrikaans|kiswahili|swahili|bengali|tamil|telugu|marathi|gujarati|punjabi|urdu|persian)(?!\p{L})/giu
const CHOOSER_LANGUAGES = 4
/** No sentence is in so many scripts; the name of a language is in its own. */
const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Cyrillic',
  'Devanagari',
  'Greek',
  'Han',
  'Hangul',
  'Hebrew',
  'Khmer',
  'Lao',
  'Thai',
].map((script) => new RegExp(`\\p{Script=${script}}`, 'u'))
const CHOOSER_SCRIPTS = 4
const GLUED = /(?<=\p{Ll})(?=\p{Lu})/gu
const LATIN_ONLY = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u

/** A rule of a style sheet, and the beginning of a script. */
const BRACES = /\{([^{}]{3,4000})\}/g
const STYLE = /^\s*-?[a-z][a-z-]{1,40}\s*:\s*\S/i
const SCRIPT =
  /^(?:\(?function\s?[\w$]{0,40}\(|(?:var|let|const) [\w$]{1,40} ?=|window\.[\w$.]{1,80} ?[=(]|document\.[\w$]{1,40})/

/** Returns whether a line is what a page's software left in its text: no reader takes it for a part of the document. */
export const isPageLine = ({ plain, row, item, link }: PageLine): boolean => {
  const isListed = row !== undefined || (item && !link)
  return isCode(plain) || (!isListed && (isAgo(plain) || isVersionChooser(plain) || isLanguageChooser(plain)))
}
type PageLine = { plain: string; row?: string; item: boolean; link: boolean }

const isAgo = (line: string) =>
  countWords(line) <= AGO_WORDS && !isSentence(line) && (AGO.test(line) || LATELY.test(line))

const isVersionChooser = (line: string) =>
  !isSentence(line) && datesIn(line).length >= CHOOSER_DATES && wordsOf(withoutDates(line)).length <= CHOOSER_WORDS

function isLanguageChooser(line: string): boolean {
  if (isSentence(line)) return false
  // A page without spaces between its links reads `EnglishFrançaisDeutsch`.
  const spaced = line.replace(GLUED, ' ')
  const names = spaced.match(LANGUAGES)?.length ?? 0
  if (names >= CHOOSER_LANGUAGES && names * 2 >= countWords(spaced)) return true
  return !LATIN_ONLY.test(line) && SCRIPTS.filter((script) => script.test(line)).length >= CHOOSER_SCRIPTS
}

/** So many rows that begin with the name of a language lead to as many editions of the page. */
const LANGUAGE_ROWS = 5
const LANGUAGE_ROW_WORDS = 5
/** What such a row says beside its language: `Policy`, for each of them. */
const BESIDE_LANGUAGE = 1
/** Those who supervise data protection are named by their countries too. */
const AUTHORITY = /authorit|agency|commission|ombuds|inspector|office|data protection/iu

/** Above the document, the advertisement of a sale: an offer, with an exclamation or a telephone number. */
const TOP_LINES = 8
const OFFER =
  /(?<!\p{L})(?:offerte?s?|soldes|promo(?:tion)?s?|rabatte?|gratis|geschenkt|descuentos?|rebajas|sconti?|saldi|descontos?|korting|discounts?|sale|save|off|gratuite?s?|kostenlose?[nrs]?|free|webinars?|black friday|cyber monday)(?!\p{L})/iu
const CALLS = /!|(?:\d[ .-]?){9,}/
const OFFER_WORDS = 25
/** The sale of personal data is none. */
const OPT_OUT = /personal|\bopt(?:ing)?[ -]|\bdata\b|\binformation\b/iu

/** A bar above the document leads to something else of the site. It is not about the document, and obliges nobody. */
const BAR_LINES = 3
const BAR_WORDS = 6
const OF_DOCUMENT =
  /(?<!\p{L})(?:polic(?:y|ies)|terms?|privacy|cookies?|conditions?|notices?|agreements?|rules?|updat\p{L}*|chang\p{L}*|version\p{L}*|politiques?|confidentialité|contrat\p{L}*|mise?|bedingungen|agb|richtlinien?|datenschutz\p{L}*|hinweise?|vertrag\p{L}*|términos|condiciones|políticas?|privacidad|contrato|condizioni|termini|informativa|contratto|must|shall|may|not|no|only|agree|applies|apply|data|effective|vigueur|kraft|vigor|vigore)(?!\p{L})/iu

/** A line at the very top that is one link, with the text of the document below it. */
const isBar = ({ plain, heading, link }: OfferLine, i: number, next: OfferLine | undefined) =>
  i < BAR_LINES &&
  link &&
  !heading &&
  !isSentence(plain) &&
  next?.link === false &&
  countWords(plain) >= BAR_WORDS &&
  !hasDate(plain) &&
  !OF_DOCUMENT.test(plain)

type OfferLine = { plain: string; heading: boolean; link: boolean; row?: string }

/** The lines without rows of languages to choose from and without an advertisement above the document. */
export function withoutOffers<T extends OfferLine>(lines: T[]): T[] {
  const isLanguage = ({ plain, row }: T) =>
    row !== undefined &&
    countWords(row) <= LANGUAGE_ROW_WORDS &&
    countWords(plain) <= countWords(row) + BESIDE_LANGUAGE &&
    !AUTHORITY.test(row) &&
    (row.match(LANGUAGES)?.length ?? 0) > 0
  const areEditions = lines.filter(isLanguage).length >= LANGUAGE_ROWS
  const isOffer = ({ plain, heading }: T, i: number) =>
    i < TOP_LINES &&
    !heading &&
    countWords(plain) <= OFFER_WORDS &&
    OFFER.test(plain) &&
    CALLS.test(plain) &&
    !OPT_OUT.test(plain)
  return lines.filter(
    (line, i) => !isOffer(line, i) && !isBar(line, i, lines[i + 1]) && !(areEditions && isLanguage(line)),
  )
}

/** A picture that is written into the page. */
const PICTURE = /^!?\(?data:image\//

function isCode(line: string): boolean {
  if (SCRIPT.test(line) || PICTURE.test(line)) return true
  if (!line.includes('{')) return false
  const rules = [...line.matchAll(BRACES)].filter((match) => STYLE.test(match[1]!))
  return rules.reduce((sum, { 0: { length } }) => sum + length, 0) * 2 >= line.length
}
