const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Markup that was made by `html`, and is not escaped again. */
export type Html = { readonly markup: string }
type Part = Html | string | number | undefined | readonly Part[]

/** Builds markup. Every text put into it is escaped, so that it is shown as text wherever it came from. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: strings.reduce((markup, text, i) => markup + markupOf(parts[i - 1]) + text),
})

/** Markup of our own that stays as it is: never a text from outside. */
export const trusted = (markup: string): Html => ({ markup })

function markupOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number')
    return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character]!)
  return 'markup' in part ? part.markup : part.map(markupOf).join('')
}
