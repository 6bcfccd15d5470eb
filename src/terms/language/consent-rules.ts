import { phrasePattern } from './concept-rules.ts'

/** What a button that accepts cookies begins with. */
export const ACCEPTS = phrasePattern({
  en: '^(?:accept|allow|agree|i agree)',
  de: '^(?:alle akzeptieren|akzeptieren|zustimmen)',
  fr: '^(?:tout )?accepter',
  es: '^aceptar',
  it: '^accetta',
  nl: '^accepteren',
  pt: '^aceitar',
  pl: '^zaakceptuj',
})
