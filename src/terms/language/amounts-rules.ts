import { phrasePattern } from './concept-rules.ts'

const PERIOD = phrasePattern({
  en: 'hour|day|week|month|year',
  de: 'stunde|tage?|woche|monat|jahr',
  fr: 'heure|jour|semaine|mois|an',
  es: 'día|mes|año',
  it: 'giorn|settiman|ann',
}).source

const KIND_OF_DAY = '(?:business|calendar|working|consecutive)'

/** An amount of money, a share, or a period: `$5`, `10 %`, `30 business days`. */
export const AMOUNT = new RegExp(
  [
    String.raw`\p{Sc}\s?\p{N}[\p{N}.,]*`,
    String.raw`(?<![\p{N}.,])\p{N}[\p{N}.,]*\s?(?:\p{Sc}|[%‰]|per ?cent\b|(?:usd|eur|gbp|chf|euros?|dollars?)\b)`,
    String.raw`(?<!\p{N})\p{N}+\)?[\s-](?:${KIND_OF_DAY}[\s-])?(?:${PERIOD})\p{L}{0,3}\b`,
  ].join('|'),
  'gu',
)
