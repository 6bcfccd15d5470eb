import { hasDate, saysOnlyDate } from '../normalize/dates-rules.ts'
import { INLINE } from './container.ts'
import { type AnyNode, ancestors, type Element, isElement } from './elements.ts'

/** A line above the container that states a date belongs to the document; a longer one does not. */
const DATED_CHARACTERS = 120

/** The titles and lines with dates before an element, in the page's order. */
export function above(element: Element): Element[] {
  const found: Element[] = []
  const look = (node: AnyNode) => {
    if (!isElement(node)) return
    const text = shortText(node)
    if ((node.name === 'h1' && text !== '') || (text !== undefined && hasDate(text))) found.push(...header(node))
    else for (const child of node.children) look(child)
  }
  const path = [...ancestors(element).filter(isElement).reverse(), element]
  for (const [i, part] of path.entries()) {
    for (const sibling of i === 0 ? [] : path[i - 1]!.children) {
      if (sibling === part) break
      look(sibling)
    }
  }
  return [...new Set(found)]
}

/** The lines of a part that say a date and nothing else. */
export function dateLinesIn(part: AnyNode): Element[] {
  if (!isElement(part)) return []
  const text = shortText(part)
  return text !== undefined && saysOnlyDate(text) ? [part] : part.children.flatMap(dateLinesIn)
}

/** A date may be the first line of an introduction, and the title a heading of any level right above it. */
function header(dated: Element): Element[] {
  let line = dated
  while (INLINE.has(line.name) && line.parent && isElement(line.parent)) line = line.parent
  const before = line.parent?.children.slice(0, line.parent.children.indexOf(line)).findLast(isElement)
  return before && /^h[2-6]$/.test(before.name) && line.name !== 'h1' ? [before, line] : [line]
}

/** The text of an element; undefined where it is longer than a line that states a date. */
function shortText(element: Element): string | undefined {
  let text = ''
  const stack: AnyNode[] = [element]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'text') text += `${node.data.replace(/\s+/g, ' ')} `
    else if ('children' in node) stack.push(...node.children.toReversed())
    if (text.length > DATED_CHARACTERS) return undefined
  }
  return text.trim()
}
