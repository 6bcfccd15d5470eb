import type { CheerioAPI } from 'cheerio'
import type { Element } from './elements.ts'

/** A name with a digit or an underscore may be another one at the next build of the page. */
const STABLE_NAME = /^[a-z][a-z-]{2,40}$/i
const MAX_STEPS = 4

/** Returns a selector that finds this element alone, from its id, its role, its tag or its classes; undefined where none does. */
export function proposeSelector($: CheerioAPI, element: Element): string | undefined {
  let below = ''
  for (let at: Element | null = element, step = 0; at && step < MAX_STEPS; at = parentOf(at), step++) {
    const found = namesOf(at).find((name) => findsOnly($, `${name}${below}`, element))
    if (found !== undefined) return `${found}${below}`
    below = ` > ${at.name}${below}`
  }
  return undefined
}

const parentOf = (element: Element): Element | null =>
  element.parent && 'attribs' in element.parent ? (element.parent as Element) : null

function namesOf({ name, attribs }: Element): string[] {
  const { id, role, class: classes = '' } = attribs
  return [
    ...(id && STABLE_NAME.test(id) ? [`#${id}`] : []),
    ...(role && STABLE_NAME.test(role) ? [`[role=${role}]`] : []),
    name,
    ...classes
      .split(/\s+/)
      .filter((one) => STABLE_NAME.test(one))
      .map((one) => `${name}.${one}`),
  ]
}

function findsOnly($: CheerioAPI, selector: string, element: Element): boolean {
  const found = $(selector).toArray()
  return found.length === 1 && found[0] === element
}
