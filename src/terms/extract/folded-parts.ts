import type { CheerioAPI } from 'cheerio'
import type { AnyNode } from './elements.ts'

const HEADINGS = 'h1, h2, h3, h4, h5, h6'
/** Where a button opens a menu and no part of the text. */
const CHROME = 'nav, header, form, [role=navigation], [role=banner], [role=menubar], [role=dialog]'

/**
 * Makes folded parts and tabs part of the text: their panels are hidden no longer, and a button that is the heading of
 * one is a heading or a paragraph.
 */
export function openFoldedParts($: CheerioAPI): void {
  const byId = new Map<string, AnyNode>()
  for (const element of $('[id]').toArray()) byId.set($(element).attr('id')!, element)
  $('[role=tabpanel], [role=region][aria-labelledby], details [hidden], details [aria-hidden=true]').each(
    (_, panel) => {
      $(panel).removeAttr('hidden').removeAttr('aria-hidden')
    },
  )
  $('[aria-controls][aria-expanded]').each((_, opener) => {
    const panel = byId.get($(opener).attr('aria-controls')!)
    if (!panel || $(opener).closest(CHROME).length > 0) return
    const isHeading = $(opener).find(HEADINGS).length > 0 || $(opener).closest(`${HEADINGS}, dt`).length > 0
    // A menu is a list of links: a folded part has paragraphs.
    if (!isHeading && $(panel).find('p').length === 0) return
    $(panel).removeAttr('hidden').removeAttr('aria-hidden')
    if (!isHeading && $(opener).is('button')) $(opener).replaceWith($('<p>').append($(opener).contents()))
  })
  const inHeading = HEADINGS.split(', ').map((heading) => `${heading} button`)
  $([...inHeading, 'summary button', 'dt button'].join(', ')).each((_, button) => {
    $(button).replaceWith($('<span>').append($(button).contents()))
  })
  $('button')
    .filter((_, button) => $(button).find(HEADINGS).length > 0)
    .each((_, button) => {
      $(button).replaceWith($(button).contents())
    })
}
