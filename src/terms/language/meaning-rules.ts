import { wordPattern } from './concept-rules.ts'

/** A word that obliges, allows or forbids. */
export const MODAL = wordPattern({
  en: 'may|might|must|shall|should|will|would|can|could|ought',
  de: 'darf|dürfen|kann|können|muss|müssen|soll|sollen',
  fr: 'peut|peuvent|pouvez|pouvons|doit|doivent|devez|devons',
  es: 'puede|pueden|podrá|podrán|debe|deben|deberá',
  it: 'può|possono|deve|devono|dovrà',
})

/** A word that negates or excepts. English `not` counts only beside a verb; `non` is a word of `non-exclusive`. */
export const NEGATION = wordPattern({
  en: 'cannot|never|neither|nor|non|without|unless|except',
  de: String.raw`nicht|kein\p{L}{0,2}|niemals`,
  fr: 'pas|jamais|aucune?|sauf',
  es: 'nunca|ningun[ao]?|ningún|salvo',
  it: 'non|mai|nessun[ao]?|salvo',
})

/** Who a clause obliges: one in place of another turns it around. */
export const PARTY = wordPattern({
  en: 'providers?|customers?|licensors?|licensees?|controllers?|processors?|suppliers?|clients?|users?|buyers?|sellers?|vendors?|subscribers?|company|we|you|us|our|your',
  de: 'anbieter|kunden?|nutzer|wir|sie',
  fr: 'fournisseur|clients?|utilisateur|nous|vous',
  es: 'proveedor|cliente|usuario',
})
