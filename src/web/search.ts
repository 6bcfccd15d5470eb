/** Reads a page of this app, as a path; an address elsewhere is absent. */
export const ownPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined

/**
 * Returns the sign-in that leads back to a page. What stands behind the `#` may be the secret of a link: it stays behind
 * the `#`, which is sent to no server.
 */
export const signInFor = ({ pathname, searchStr, hash }: Place) => ({
  to: '/sign-in' as const,
  search: { next: pathname + searchStr },
  hash,
})
type Place = { pathname: string; searchStr: string; hash: string }

/** Returns the page that a sign-in leads back to. @param hash what stands behind the page's address, with its `#` */
export const afterSignIn = (next: string | undefined, hash: string): string => (next ?? '/') + hash

/** Reads a text of the address; anything else is absent. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

type ViewSearch = { asOf?: string; tokens?: string; requests?: string; service?: string }

/** The search of a link between pages of prices: the instant and the workload stay, and more is added. */
export const keepWorkload = (more: object = {}) =>
  (({ asOf, tokens, requests, service }: ViewSearch) => ({ asOf, tokens, requests, service, ...more })) as never

/** The search of a link to another page at the instant that is looked at. The router keeps the workspace. */
export const keepAsOf = (({ asOf }: { asOf?: string }) => ({ asOf })) as never

/** What a link says a webhook or a watch is about. */
type SubjectSearch = { provider?: string; resource?: string; document?: string; group?: string }
export const readSubjectSearch = (search: Record<string, unknown>): SubjectSearch => ({
  provider: text(search.provider),
  resource: text(search.resource),
  document: text(search.document),
  group: text(search.group),
})
