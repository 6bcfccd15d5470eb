import type { CheerioAPI } from 'cheerio'
import { removeConsentNotices } from './consent-notices.ts'
import { type Element, wordsIn } from './elements.ts'
import { ASKS_FOR_EMAIL } from './menus.ts'

/** What is never part of a legal text; what asks for an e-mail address is looked for later. */
const NEVER = [
  'script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'embed', 'canvas', 'video', 'audio', 'picture', 'img',
  'link', 'meta', 'title', 'nav', 'dialog', 'select', `input:not(${ASKS_FOR_EMAIL})`, 'textarea', '[role=navigation]', '[role=banner]', '[role=contentinfo]',
  '[role=dialog]', '[role=alertdialog]', '[role=search]', '[role=menu]', '[role=menubar]', '[role=tooltip]', '.sr-only',
  '.visually-hidden', '.screen-reader-text', '#onetrust-consent-sdk', '#CybotCookiebotDialog', '#usercentrics-root',
  '.skip-link', '.breadcrumb', '.breadcrumbs',
  '[aria-label="breadcrumb" i]', '[data-nosnippet]',
] // biome-ignore format: a vocabulary reads best in lines
/** What is not shown, and what a page announces to screen readers. */
const NOT_SHOWN = '[hidden], [aria-hidden=true], [role=alert], [role=status], [aria-live=assertive]'
/** Such parts up to this many words are labels; longer ones are folded text that belongs to the document. */
const HIDDEN_LABEL_WORDS = 30

/** Removes boilerplate: menus, banners, notices, controls, and labels that are not shown. */
export function removeBoilerplate($: CheerioAPI): void {
  removeConsentNotices($)
  $([...NEVER, 'button'].join(', ')).remove()
  $(NOT_SHOWN).each((_, element) => {
    if (wordsIn($(element).text()) <= HIDDEN_LABEL_WORDS) $(element).remove()
  })
}

/** A card that leads to another page is one link; Markdown has no link around blocks. */
const BLOCKS = 'p, div, h1, h2, h3, h4, h5, h6, li, section'
const CARD_WORDS = 60

export function flattenLinks($: CheerioAPI): void {
  for (const link of $<Element, string>('a[href]').toArray()) {
    const blocks = $(link).find(BLOCKS)
    if (blocks.length === 0 || wordsIn($(link).text()) > CARD_WORDS) continue
    blocks.after(' ')
    $(link).text($(link).text().replace(/\s+/g, ' ').trim()).after('<br>')
  }
}
