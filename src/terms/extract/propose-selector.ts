import type { CheerioAPI } from 'cheerio'
import { ancestors, type Element, isElement } from './elements.ts'

/** A name with a digit or an underscore may be another one at the next build of the page. */
const STABLE_NAME = /^[a-z][a-z-]{2,40}$/i
/** Of a tag: one with a colon says something else in a selector. */
const PLAIN_TAG = /^[a-z][a-z0-9-]*$/i
const MAX_STEPS = 4

/** Returns a selector that finds this element alone, from its id, its role, its tag or its classes; undefined where none does. */
export function proposeSelector($: CheerioAPI, element: Element): string | undefined {
  let below = ''
  for (const at of [element, ...ancestors(element).filter(isElement)].slice(0, MAX_STEPS)) {
    // Each of these finds the element itself.
    const found = namesOf(at).find((name) => $(`${name}${below}`).length === 1)
    if (found !== undefined) return `${found}${below}`
    below = ` > ${PLAIN_TAG.test(at.name) ? at.name : '*'}${below}`
  }
  return undefined
}

function namesOf({ name, attribs }: Element): string[] {
  const { id = '', role = '', class: classes = '' } = attribs
  return [
    ...(STABLE_NAME.test(id) ? [`#${id}`] : []),
    ...(STABLE_NAME.test(role) ? [`[role=${role}]`] : []),
    ...(PLAIN_TAG.test(name) ? [name] : []),
    ...classes
      .split(/\s+/)
      .filter((one) => STABLE_NAME.test(one))
      .map((one) => `${PLAIN_TAG.test(name) ? name : ''}.${one}`),
  ]
}
