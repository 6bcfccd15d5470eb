/** Reads a page of this app, as a path; an address elsewhere is absent. */
export const ownPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined

/** Reads a text of the address; anything else is absent. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** The search of a link to another page at the instant that is looked at. The router keeps the workspace. */
export const keepAsOf = (({ asOf }: { asOf?: string }) => ({ asOf })) as never
