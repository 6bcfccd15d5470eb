import type { Place } from './code-mutations.ts'

/** A change of one expression, numbered. */
type Alternative = { id: number; start: number; end: number; text: string }
type Switch = Pick<Place, 'start' | 'end' | 'isStatement' | 'around'> & { alternatives: Alternative[] }

/**
 * Returns the text of a file in which every switch asks, when it is reached, which of its alternatives is active. So one
 * copy of the product has all mutants, and a process that has loaded it tries one after the other.
 * @param switches the outer ones before those inside
 */
export function withSwitches(text: string, switches: readonly Switch[]): string {
  return rendered(text, [0, text.length], switches)
}

function rendered(text: string, [from, to]: [number, number], switches: readonly Switch[]): string {
  let result = ''
  let at = from
  for (let i = 0; i < switches.length; ) {
    const one = switches[i]!
    let next = i + 1
    while (next < switches.length && switches[next]!.end <= one.end) next++
    const inside = rendered(text, [one.start, one.end], switches.slice(i + 1, next))
    result += text.slice(at, one.start) + switched(text, one, inside)
    at = one.end
    i = next
  }
  return result + text.slice(at, to)
}

function switched(text: string, { start, end, isStatement, around, alternatives }: Switch, inside: string): string {
  const branches = alternatives.map(
    (one) =>
      `globalThis.mutant?.(${one.id}) ? (${text.slice(start, one.start)}${one.text}${text.slice(one.end, end)}) : `,
  )
  // A line that began with a bracket would continue the one before it.
  if (isStatement) return `${branches.join('')}(${inside})`
  const { before, otherwise, after } = around ?? { before: '', otherwise: inside, after: '' }
  return `${before}(${branches.join('')}${otherwise})${after}`
}
