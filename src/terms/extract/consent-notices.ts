import type { CheerioAPI } from 'cheerio'
import { ACCEPTS } from '../language/consent-rules.ts'
import type { AnyNode } from './elements.ts'

const COOKIES = /cookie/i
/** A notice is short, and so is what a button says. */
const NOTICE_CHARACTERS = 1_200
const BUTTON_CHARACTERS = 40

const BUTTONS = 'button, [role=button]'

/** Removes what asks for consent to cookies: the smallest part that names them beside its buttons, one of which accepts. */
export function removeConsentNotices($: CheerioAPI): void {
  for (const button of $(BUTTONS).toArray()) {
    const says = $(button).text().trim()
    if (says.length > BUTTON_CHARACTERS || !ACCEPTS.test(says)) continue
    const notice = partWithCookies($, button)
    if (notice && $(notice).find(BUTTONS).length > 1) $(notice).remove()
  }
}

function partWithCookies($: CheerioAPI, button: AnyNode): AnyNode | undefined {
  for (let node = button.parent; node && 'attribs' in node; node = node.parent) {
    const text = $(node).text()
    if (text.length > NOTICE_CHARACTERS) return undefined
    if (COOKIES.test($(node).clone().find(BUTTONS).remove().end().text())) return node
  }
  return undefined
}
