const CENSOR = '[redacted]'

/**
 * What secrets look like in any text: API keys, webhook secrets, bearer tokens, passwords in URLs. Values that only their
 * name gives away (session tokens, passwords) are cut out by name.
 */
const FORMS: [RegExp, string][] = [
  [/\bptk_[\w-]+/g, `ptk_${CENSOR}`],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, `whsec_${CENSOR}`],
  [/\b(Bearer|Basic) +[\w.~+/=-]+/gi, `$1 ${CENSOR}`],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/?#@"]*):[^\s/?#@"]+@/gi, `$1:${CENSOR}@`],
]

/** Returns a text without what looks like a secret. */
export function withoutSecrets(text: string): string {
  let clean = text
  for (const [form, instead] of FORMS) clean = clean.replace(form, instead)
  return clean
}
