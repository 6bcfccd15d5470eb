import { phrasePattern } from './concept-rules.ts'

/** What a button that accepts cookies begins with. */
export const ACCEPTS = phrasePattern({
  en: '^(?:accept|allow|agree|i (?:agree|accept))',
  de: '^(?:alle )?(?:cookies )?(?:akzeptieren|annehmen|zulassen|erlauben|zustimmen|einverstanden)',
  fr: "^(?:tout |j[’'])?(?:accepte|autoriser)",
  es: '^(?:aceptar|acepto|permitir)',
  it: '^(?:accett[ao]|consenti)',
  nl: '^(?:alles? )?(?:cookies )?(?:accepteren|toestaan)',
  pt: '^(?:aceitar|aceito|permitir)',
  pl: '^(?:za)?akceptuj',
})
