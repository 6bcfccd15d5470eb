import { ownPath } from '../../search.ts'

/** Where someone goes on after the identity provider, and whether they link their account there. */
type Visit = { links: boolean; next: string }

const CALLBACK = '/sign-in/callback'
const KEPT = 'pricetape-provider-visit'
let answer = ''

/**
 * Takes what the provider sent the browser back with out of the address, before anything else reads it: the address stays in
 * the history, and the code in it is no one's business.
 */
export function takeAnswer(): void {
  if (location.pathname !== CALLBACK || location.search === '') return
  answer = location.search
  history.replaceState(null, '', CALLBACK)
}

/** Returns what the provider sent the browser back with, once; empty when the page was opened otherwise. */
export function answerOnce(): string {
  const taken = answer
  answer = ''
  return taken
}

/** Remembers for this tab what is done after the provider. */
export const keepVisit = (visit: Visit): void => sessionStorage.setItem(KEPT, JSON.stringify(visit))

export function endVisit(): Visit {
  const kept = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  const { links, next } = (kept === null ? {} : JSON.parse(kept)) as Partial<Visit>
  return { links: links === true, next: ownPath(next) ?? '/' }
}
