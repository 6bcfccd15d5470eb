/** Method and path of a route. It has no schema, so that the browser can load it. Parameters are written as `:name`. */
export type Endpoint = { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string }

/** Keeps the literal types of method and path. */
export const endpoint = <const M extends Endpoint['method'], const P extends string>(method: M, path: P) => ({
  method,
  path,
})
