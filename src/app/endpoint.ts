/** Method and path of a route. It has no schema, so that the browser can load it. Parameters are written as `:name`. */
export type Endpoint = { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string }

/** Names the account in whose name a page sends a request: it is refused where another one has signed in in this browser since. */
export const ACCOUNT_HEADER = 'pricetape-account'

/** Keeps the literal types of method and path. */
export const endpoint = <const M extends Endpoint['method'], const P extends string>(method: M, path: P) => ({
  method,
  path,
})
