import type { CheerioAPI } from 'cheerio'
import { type AnyNode, type Element, isElement, wordsIn } from './elements.ts'

/** A child that no slot shows is kept from this many words: a tab that is not open holds text of the document. */
const KEPT_WORDS = 30

/**
 * Puts the content of shadow roots (`<template shadowrootmode>`) where a browser shows it: in place of their host's
 * children, which go into its slots.
 */
export function placeShadowRoots($: CheerioAPI): void {
  // Inner roots come after outer ones, and are placed first.
  for (const template of $<Element, string>('template[shadowrootmode]').toArray().reverse()) {
    const host = $(template).parent()
    // Spaces between children fill no slot: what a slot shows without children is read then.
    const children = (host.contents().not($(template)).toArray() as AnyNode[]).filter(
      (child) => isElement(child) || $(child).text().trim() !== '',
    )
    const shadow = $('<div>').append(...template.children.flatMap((root) => ('children' in root ? root.children : [])))
    const left = new Set(children)
    for (const slot of shadow.find('slot').toArray()) {
      const name = $(slot).attr('name') ?? ''
      const assigned = children.filter((child) => left.has(child) && slotOf(child) === name)
      for (const child of assigned) left.delete(child)
      $(slot).replaceWith(assigned.length > 0 ? $(assigned) : $(slot).contents())
    }
    const hidden = [...left].filter((child) => isElement(child) && wordsIn($(child).text()) > KEPT_WORDS)
    host.empty().append(shadow.contents(), $(hidden))
  }
}

const slotOf = (node: AnyNode): string => (isElement(node) ? (node.attribs.slot ?? '') : '')
