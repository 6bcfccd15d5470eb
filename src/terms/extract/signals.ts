import type { CheerioAPI } from 'cheerio'
import { type AnyNode, wordsIn } from './elements.ts'

/** A page whose visible text is shorter than this while it brings so much script writes its text in the browser. */
const EMPTY_WORDS = 60
const MUCH_SCRIPT_BYTES = 2_000

const NOT_SHOWN = new Set(['script', 'style', 'noscript', 'template', 'nav', 'header', 'footer'])

const CHALLENGE =
  '#challenge-form, #challenge-running, .cf-turnstile, [src*="challenge-platform"], [src*="captcha" i], .g-recaptcha, .h-captcha, #px-captcha'
/** A form for a newsletter is scored without a challenge: reCAPTCHA with the key in its address. */
const IN_BACKGROUND = 'script[src*="render="]:not([src*="render=explicit"])'

/** Walks the page once: a search below an element takes the square of its children. */
function visibleWords($: CheerioAPI): number {
  let words = 0
  const stack: AnyNode[] = [...$('body').toArray()]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'text') words += wordsIn(node.data)
    else if ('children' in node && !('name' in node && NOT_SHOWN.has(node.name)))
      for (const child of node.children) stack.push(child)
  }
  return words
}

/** What a page's markup says of it, whatever its words are: only of weight where the text is short or has collapsed. */
export function signalsOf($: CheerioAPI): string[] {
  const signals: string[] = []
  if ($('input[type=password]').length > 0) signals.push('login page')
  if ($(CHALLENGE).not(IN_BACKGROUND).length > 0) signals.push('captcha')
  const refresh = $('meta[http-equiv=refresh i]').attr('content') ?? ''
  if (/url\s*=/i.test(refresh)) signals.push('redirects in the page')
  const words = visibleWords($)
  const script = $('script')
    .toArray()
    .reduce((sum, element) => sum + $(element).text().length + ($(element).attr('src') ? MUCH_SCRIPT_BYTES : 0), 0)
  if (words < EMPTY_WORDS && script >= MUCH_SCRIPT_BYTES) signals.push('needs a browser')
  return signals
}
