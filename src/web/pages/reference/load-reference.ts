import { curlPart } from './curl-part.ts'
import { findOperations } from './find-operations.ts'
import { plainPaths } from './plain-paths.ts'

/** What is used of Swagger UI, which is not a module and has no types. */
type Swagger = { layoutActions: { updateFilter: (text: string) => void } }
type Bundle = ((options: object) => Swagger) & { presets: { apis: unknown } }

const FILES = '/docs/static/swagger-ui'

/** Puts the reference into an element. Its files are loaded now: no other page needs them. */
export async function showReference(domNode: HTMLElement): Promise<Swagger> {
  const [answer] = await Promise.all([fetch('/openapi.json'), loadOnce('script'), loadOnce('link')])
  const spec = await answer.json()
  const bundle = (window as unknown as { SwaggerUIBundle: Bundle }).SwaggerUIBundle
  return bundle({
    domNode,
    // Requests that are tried go to this address, with the session that opened the page.
    spec: { ...spec, servers: [{ url: location.origin }] },
    presets: [bundle.presets.apis],
    plugins: [curlPart(spec), findOperations, plainPaths],
    layout: 'BaseLayout',
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
    // A key that someone pastes is gone when the page is.
    persistAuthorization: false,
    validatorUrl: null,
  })
}

const loaded = new Map<string, Promise<void>>()

function loadOnce(kind: 'script' | 'link'): Promise<void> {
  const loading = loaded.get(kind) ?? load(kind)
  loaded.set(kind, loading)
  // What could not be loaded is tried again by the next visit.
  loading.catch(() => loaded.delete(kind))
  return loading
}

const load = (kind: 'script' | 'link'): Promise<void> =>
  new Promise((resolve, reject) => {
    const element = document.createElement(kind)
    if (element instanceof HTMLScriptElement) element.src = `${FILES}-bundle.js`
    else Object.assign(element, { rel: 'stylesheet', href: `${FILES}.css` })
    element.onload = () => resolve()
    element.onerror = () => {
      element.remove()
      reject(new Error('The reference could not be loaded.'))
    }
    // Before the app's own styles, which have the last word.
    document.head.prepend(element)
  })
