import { changedSentences } from './changed-sentences-rules.ts'
import type { Change } from './changes-rules.ts'
import { statesOnlyDate } from './date-lines-rules.ts'

/** What a change is about, for readers who look for one thing. */
const TOPICS = ['liability', 'price', 'data', 'dates', 'parties', 'termination', 'disputes'] as const
export type Topic = (typeof TOPICS)[number]

/**
 * A change is about a topic when its changed sentences or the heading above them use one of the topic's words.
 * docs/terms.md lists them in short; they are English, German, French, Spanish and Italian.
 */
const WORDS: Record<Topic, RegExp> = {
  liability:
    /\bliab(?:le|ility)|\bindemni|\bwarrant(?:y|ies)\b|\bdisclaim|\bdamages\b|\bhaft(?:et|ung)|\bgewährleistung|\bschadenersatz|\bresponsabilit|\bgaranti[ea]s?\b|\bindemni[sz]ación|\bresponsabilidad/,
  price:
    /\p{Sc}\s?\p{N}|\p{N}\s?\p{Sc}|\b(?:fees?|prices?|pricing|paid|pay(?:ments?|able)?|charges?|billing|invoices?|refund\p{L}*|credits?|tax(?:es)?|subscriptions?|preise?|gebühr(?:en)?|entgelt\p{L}*|zahlung\p{L}*|prix|tarifs?|paiements?|facturation|precios?|pagos?|tarifas?|prezz[oi]|pagament[oi])\b/u,
  data: /\b(?:personal (?:data|information)|data|privacy|sub-?processors?|processing|cookies?|retention|train(?:ing)? (?:[\p{L}-]+ ){0,5}models?|gdpr|personenbezogen\p{L}*|daten\p{L}*|auftragsverarbeit\p{L}*|données|vie privée|sous-traitants?|datos|privacidad|encargad\p{L}+|dati personali)\b/u,
  dates:
    /\b(?:19|20)\d\d\b|\b\p{N}+ (?:business |calendar |working )?(?:hours?|days?|weeks?|months?|years?|stunden|tagen?|wochen|monaten?|jahren?|heures|jours|semaines|mois|ans|años|días|meses|giorni|mesi|anni)\b|\b(?:effective (?:date|as of)|deadline|notice period)\b/u,
  parties:
    /\b(?:inc|llc|ltd|limited|gmbh|s\.?a\.?s|sarl|b\.?v|plc|corp(?:oration)?|affiliates?|sub-?processors?|contracting (?:party|entity)|assign(?:s|ment|ees?)?|vertragspartner|unterauftragsverarbeiter|sous-traitants?)\b/u,
  termination:
    /\bterminat|\bsuspen[ds]|\bcancel|\bexpir(?:y|es|ation)|\brenew|\bkündig|\brésili|\bsuspension|\brescisión|\bcancelación|\brecesso\b/,
  disputes:
    /\barbitrat|\bgoverning law|\bjurisdiction|\bcourts?\b|\bclass action|\bjury\b|\bdispute|\bgerichtsstand|\banwendbares recht|\bdroit applicable|\btribuna|\bjurisdicción|\barbitraje|\bforo competente/,
}

export function topicsOf(change: Change): Topic[] {
  const { before, after } = changedSentences(change)
  const sentences = [...before, ...after]
  if (sentences.length === 0) return []
  const blocks = [...change.before, ...change.after].filter((block) => !statesOnlyDate(block))
  const headings = new Set(blocks.map(({ section }) => section.toLowerCase()))
  const text = [...headings, ...sentences].join('\n')
  return TOPICS.filter((topic) => WORDS[topic].test(text))
}

/** Words of licences, of consent and of what is done with data, which no topic above is named after. */
const RIGHTS =
  /\b(?:licen[sc]\p{L}*|(?:non-)?exclusive(?:ly)?|irrevocabl[ey]|perpetual|rights?|waive[rsd]?|consents?|obligations?|obliged?|prohibit(?:s|ed|ion)?|entitled?|penalt(?:y|ies)|responsib(?:le|ility|ilities)|opt(?:s|ed)?[ -](?:in|out)|retain(?:s|ed)?|retention|delet(?:e[sd]?|ion)|sells?|sold|train(?:s|ed|ing)?|lizenz\p{L}*|rechten?|einwillig\p{L}*|verpflicht\p{L}*|verbot\p{L}*|untersag\p{L}*|widerruf\p{L}*|lösch\p{L}*|licences?|droits?|consentements?|obligations?|interdi\p{L}*|conserv\p{L}*|derechos?|consentimiento|obligaci\p{L}*|prohib\p{L}*|licencia\p{L}*|diritt[oi]|consenso|obblig\p{L}*|viet\p{L}*)(?![\p{L}])/u
const WEIGHTY: Topic[] = ['liability', 'price', 'termination', 'disputes']

/** Returns whether a text is about what parties owe each other: liability, money, the end, disputes, licences, consent, data. */
export const isAboutRights = (text: string): boolean =>
  RIGHTS.test(text) || WEIGHTY.some((topic) => WORDS[topic].test(text))

/** A form of company: another one is another party to the contract. */
const COMPANY = /\b(?:inc|llc|ltd|limited|gmbh|s\.?a\.?s|sarl|b\.?v|plc|corp(?:oration)?)\b/u

export const namesParty = (text: string): boolean => COMPANY.test(text)
