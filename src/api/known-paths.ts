import type { Api } from './route.ts'

/** Returns the methods that a path answers, as `allow` lists them; undefined for a path that is not there. */
export type AllowedMethods = (path: string) => string | undefined

/** Remembers the methods of every route that is registered after this. */
export function rememberPaths(api: Api): AllowedMethods {
  const methods = new Map<string, Set<string>>()
  api.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set()
    for (const name of [method].flat()) known.add(name)
    // HEAD is added to every GET, and for some of them it is all that is reported here.
    if (known.has('HEAD')) known.add('GET')
    methods.set(url, known)
  })
  return (path) => {
    const known = methods.get(path) ?? matching(methods, path)
    return known && [...known].sort().join(', ')
  }
}

/** Returns the methods of a route whose path has parameters (`/v1/keys/:keyId`) or a rest of any length (`/v1/log/*`). */
function matching(methods: Map<string, Set<string>>, path: string): Set<string> | undefined {
  for (const [url, known] of methods) if (hasForm(path, url)) return known
  return undefined
}

function hasForm(path: string, url: string): boolean {
  const [parts, forms] = [path.split('/'), url.split('/')]
  const isOpen = forms.at(-1) === '*'
  return (
    (isOpen ? parts.length >= forms.length : parts.length === forms.length) &&
    forms.every((form, n) => form === '*' || form === parts[n] || (form.startsWith(':') && parts[n] !== ''))
  )
}
