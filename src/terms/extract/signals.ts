import type { CheerioAPI } from 'cheerio'

/** A page whose visible text is shorter than this while it brings so much script writes its text in the browser. */
const EMPTY_WORDS = 60
const MUCH_SCRIPT_BYTES = 2_000

/** What a page's markup says of it, whatever its words are: only of weight where the text is short or has collapsed. */
export function signalsOf($: CheerioAPI): string[] {
  const signals: string[] = []
  if ($('input[type=password]').length > 0) signals.push('login page')
  const challenge =
    '#challenge-form, #challenge-running, .cf-turnstile, [src*="challenge-platform"], [src*="captcha" i], .g-recaptcha, .h-captcha, #px-captcha'
  if ($(challenge).length > 0) signals.push('captcha')
  const refresh = $('meta[http-equiv=refresh i]').attr('content') ?? ''
  if (/url\s*=/i.test(refresh)) signals.push('redirects in the page')
  const visible = $('body').clone()
  visible.find('script, style, noscript, template, nav, header, footer').remove()
  const words = visible.text().match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  const script = $('script')
    .toArray()
    .reduce((sum, element) => sum + $(element).text().length + ($(element).attr('src') ? MUCH_SCRIPT_BYTES : 0), 0)
  if (words < EMPTY_WORDS && script >= MUCH_SCRIPT_BYTES) signals.push('needs a browser')
  return signals
}
