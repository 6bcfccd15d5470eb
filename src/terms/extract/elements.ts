import type { load } from 'cheerio'

export type AnyNode = Exclude<Parameters<typeof load>[0], string | Buffer | readonly unknown[]>
export type Element = Extract<AnyNode, { attribs: unknown }>

export const isElement = (node: AnyNode): node is Element => 'attribs' in node

export const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** The nodes around an element, from the inside out. */
export function ancestors(element: Element): AnyNode[] {
  const found: AnyNode[] = []
  for (let node = element.parent; node; node = node.parent) found.push(node)
  return found
}
