import { phrasePattern } from './concept-rules.ts'

const PERIOD = phrasePattern({
  en: '(?:hour|day|week|month|year)(?:s|ly)?',
  de: '(?:stunde|woche)n?|(?:tag|monat|jahr)(?:e[ns]?|s)?',
  fr: '(?:heure|jour|semaine|année|an)s?|mois',
  es: '(?:hora|día|semana|año)s?|mes(?:es)?',
  it: 'or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]',
}).source

const NUMBER_WORD = phrasePattern({
  en: 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred',
  de: 'ein(?:e[mnrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|(?:drei|vier|fünf)zehn|zwanzig|dreißig|(?:vier|fünf|sech|sieb|acht|neun)zig|hundert',
  fr: 'une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quarante|cinquante|soixante|cent',
  es: 'una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta|cuarenta|cincuenta|sesenta|noventa|cien',
  it: 'un[ao]?|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|quindici|venti|trenta|quaranta|cinquanta|sessanta|novanta|cento',
}).source

const CURRENCY = '(?:usd|eur|gbp|chf|cad|aud|jpy|euros?|dollars?)'
const KIND_OF_DAY = '(?:business|calendar|working|consecutive)'

/** An amount of money, a share, or a period: `$5`, `USD 5`, `10 %`, `30 business days`, `thirty days`. */
export const AMOUNT = new RegExp(
  [
    String.raw`(?:\p{Sc}|(?<!\p{L})${CURRENCY})\s?\p{N}[\p{N}.,]*`,
    String.raw`(?<![\p{N}.,])\p{N}[\p{N}.,]*\s?(?:\p{Sc}|[%‰]|per ?cent\b|${CURRENCY}\b)`,
    String.raw`(?:(?<!\p{N})\p{N}+\)?[\s-]|(?<!\p{L})(?:(?:${NUMBER_WORD})[\s-](?:and )?){1,4})(?:${KIND_OF_DAY}[\s-])?(?:${PERIOD})(?!\p{L})`,
  ].join('|'),
  'gu',
)
