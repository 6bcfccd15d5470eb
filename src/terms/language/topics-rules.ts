import { type Concept, phrasePattern } from './concept-rules.ts'

const COMPANY_FORM: Concept = {
  en: String.raw`\b(?:inc|llc|ltd|limited|plc|corp(?:oration)?)\b`,
  de: String.raw`\bgmbh\b`,
  fr: String.raw`\b(?:s\.?a\.?s|sarl)\b`,
  nl: String.raw`\bb\.?v\b`,
}

/** Another form of company is another party to the contract. */
export const COMPANY = phrasePattern(COMPANY_FORM)

/** The words of each topic. docs/terms.md lists the topics. */
export const TOPIC_WORDS = {
  liability: phrasePattern({
    en: String.raw`\bliab(?:le|ility)|\bindemni|\bwarrant(?:y|ies)\b|\bdisclaim|\bdamages\b`,
    de: String.raw`\bhaft(?:et|ung)|\bgewährleistung|\bschadenersatz`,
    fr: String.raw`\bresponsabilit|\bgaranti[ea]s?\b`,
    es: String.raw`\bindemni[sz]ación|\bresponsabilidad`,
  }),
  price: phrasePattern({
    en: String.raw`\p{Sc}\s?\p{N}|\p{N}\s?\p{Sc}|\b(?:fees?|prices?|pricing|paid|pay(?:ments?|able)?|charges?|billing|invoices?|refund\p{L}*|credits?|tax(?:es)?|subscriptions?)\b`,
    de: String.raw`\b(?:preise?|gebühr(?:en)?|entgelt\p{L}*|zahlung\p{L}*)\b`,
    fr: String.raw`\b(?:prix|tarifs?|paiements?|facturation)\b`,
    es: String.raw`\b(?:precios?|pagos?|tarifas?)\b`,
    it: String.raw`\b(?:prezz[oi]|pagament[oi])\b`,
  }),
  data: phrasePattern({
    en: String.raw`\b(?:personal (?:data|information)|data|privacy|sub-?processors?|processing|cookies?|retention|train(?:ing)? (?:[\p{L}-]+ ){0,5}models?|gdpr)\b`,
    de: String.raw`\b(?:personenbezogen\p{L}*|daten\p{L}*|auftragsverarbeit\p{L}*)\b`,
    fr: String.raw`\b(?:données|vie privée|sous-traitants?)\b`,
    es: String.raw`\b(?:datos|privacidad|encargad\p{L}+)\b`,
    it: String.raw`\bdati personali\b`,
  }),
  dates: phrasePattern({
    en: String.raw`\b(?:19|20)\d\d\b|\b\p{N}+ (?:business |calendar |working )?(?:hours?|days?|weeks?|months?|years?)\b|\b(?:effective (?:date|as of)|deadline|notice period)\b`,
    de: String.raw`\b\p{N}+ (?:stunden|tagen?|wochen|monaten?|jahren?)\b`,
    fr: String.raw`\b\p{N}+ (?:heures|jours|semaines|mois|ans)\b`,
    es: String.raw`\b\p{N}+ (?:años|días|meses)\b`,
    it: String.raw`\b\p{N}+ (?:giorni|mesi|anni)\b`,
  }),
  parties: phrasePattern(COMPANY_FORM, {
    en: String.raw`\b(?:affiliates?|sub-?processors?|contracting (?:party|entity)|assign(?:s|ment|ees?)?)\b`,
    de: String.raw`\b(?:vertragspartner|unterauftragsverarbeiter)\b`,
    fr: String.raw`\bsous-traitants?\b`,
  }),
  termination: phrasePattern({
    en: String.raw`\bterminat|\bsuspen[ds]|\bcancel|\bexpir(?:y|es|ation)|\brenew`,
    de: String.raw`\bkündig`,
    fr: String.raw`\brésili|\bsuspension`,
    es: String.raw`\brescisión|\bcancelación`,
    it: String.raw`\brecesso\b`,
  }),
  disputes: phrasePattern({
    en: String.raw`\barbitrat|\bgoverning law|\bjurisdiction|\bcourts?\b|\bclass action|\bjury\b|\bdispute`,
    de: String.raw`\bgerichtsstand|\banwendbares recht`,
    fr: String.raw`\bdroit applicable|\btribuna`,
    es: String.raw`\bjurisdicción|\barbitraje`,
    it: String.raw`\bforo competente`,
  }),
}

/** Words of licences, of consent and of what is done with data, which no topic is named after. */
export const RIGHTS = phrasePattern({
  en: String.raw`\b(?:licen[sc]\p{L}*|(?:non-)?exclusive(?:ly)?|irrevocabl[ey]|perpetual|rights?|waive[rsd]?|consents?|obligations?|obliged?|prohibit(?:s|ed|ion)?|entitled?|penalt(?:y|ies)|responsib(?:le|ility|ilities)|opt(?:s|ed)?[ -](?:in|out)|retain(?:s|ed)?|retention|delet(?:e[sd]?|ion)|sells?|sold|train(?:s|ed|ing)?)(?!\p{L})`,
  de: String.raw`\b(?:lizenz\p{L}*|rechten?|einwillig\p{L}*|verpflicht\p{L}*|verbot\p{L}*|untersag\p{L}*|widerruf\p{L}*|lösch\p{L}*)(?!\p{L})`,
  fr: String.raw`\b(?:licences?|droits?|consentements?|obligations?|interdi\p{L}*|conserv\p{L}*)(?!\p{L})`,
  es: String.raw`\b(?:derechos?|consentimiento|obligaci\p{L}*|prohib\p{L}*|licencia\p{L}*)(?!\p{L})`,
  it: String.raw`\b(?:diritt[oi]|consenso|obblig\p{L}*|viet\p{L}*)(?!\p{L})`,
})
