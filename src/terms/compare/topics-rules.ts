import type { Block } from '../normalize/normal-form-rules.ts'
import type { Change } from './changes-rules.ts'

/** What a change is about, for readers who look for one thing. */
const TOPICS = ['liability', 'price', 'data', 'dates', 'parties', 'termination', 'disputes'] as const
export type Topic = (typeof TOPICS)[number]

/**
 * A change is about a topic when its paragraphs or their heading use one of the topic's words. docs/terms.md lists them
 * in short; they are English, German, French, Spanish and Italian.
 */
const WORDS: Record<Topic, RegExp> = {
  liability:
    /\bliab(?:le|ility)|\bindemni|\bwarrant(?:y|ies)\b|\bdisclaim|\bdamages\b|\bhaft(?:et|ung)|\bgewährleistung|\bschadenersatz|\bresponsabilit|\bgaranti[ea]s?\b|\bindemni[sz]ación|\bresponsabilidad/,
  price:
    /\p{Sc}\s?\p{N}|\p{N}\s?\p{Sc}|\b(?:fees?|prices?|pricing|paid|pay(?:ments?|able)?|charges?|billing|invoices?|refund\p{L}*|credits?|tax(?:es)?|subscriptions?|preise?|gebühr(?:en)?|entgelt\p{L}*|zahlung\p{L}*|prix|tarifs?|paiements?|facturation|precios?|pagos?|tarifas?|prezz[oi]|pagament[oi])\b/u,
  data: /\b(?:personal (?:data|information)|data|privacy|sub-?processors?|processing|cookies?|retention|train(?:ing)? (?:our |its |the )?models?|gdpr|personenbezogen\p{L}*|daten\p{L}*|auftragsverarbeit\p{L}*|données|vie privée|sous-traitants?|datos|privacidad|encargad\p{L}+|dati personali)\b/u,
  dates:
    /\b(?:19|20)\d\d\b|\b\p{N}+ (?:business |calendar |working )?(?:hours?|days?|weeks?|months?|years?|stunden|tagen?|wochen|monaten?|jahren?|heures|jours|semaines|mois|ans|años|días|meses|giorni|mesi|anni)\b|\b(?:effective (?:date|as of)|deadline|notice period)\b/u,
  parties:
    /\b(?:inc|llc|ltd|limited|gmbh|s\.?a\.?s|sarl|b\.?v|plc|corp(?:oration)?|affiliates?|sub-?processors?|contracting (?:party|entity)|assign(?:s|ment|ees?)?|vertragspartner|unterauftragsverarbeiter|sous-traitants?)\b/u,
  termination:
    /\bterminat|\bsuspen[ds]|\bcancel|\bexpir(?:y|es|ation)|\brenew|\bkündig|\brésili|\bsuspension|\brescisión|\bcancelación|\brecesso\b/,
  disputes:
    /\barbitrat|\bgoverning law|\bjurisdiction|\bcourts?\b|\bclass action|\bjury\b|\bdispute|\bgerichtsstand|\banwendbares recht|\bdroit applicable|\btribuna|\bjurisdicción|\barbitraje|\bforo competente/,
}

export function topicsOf({ before, after }: Change): Topic[] {
  const text = [...before, ...after].map(withSection).join('\n').toLowerCase()
  return TOPICS.filter((topic) => WORDS[topic].test(text))
}

const withSection = ({ section, text }: Block) => `${section}\n${text}`
