import { createRequire } from 'node:module'
import { Window } from 'happy-dom'

// Pages write days and times in UTC, wherever their reader is.
process.env.TZ = 'Pacific/Honolulu'

const require = createRequire(import.meta.url)

/**
 * A light DOM under the names that a browser has. Those that Node has too stay Node's own, because the server runs in the
 * same process. React looks for a DOM when it is loaded: this file has to be imported first.
 */
const dom = new Window({ url: 'http://localhost:8080/' })
const BROWSERS_OWN = [
  'Event',
  'CustomEvent',
  'FormData',
  'window',
  'document',
  'navigator',
  'location',
  'history',
  'self',
]
const names = Object.getOwnPropertyNames(dom).filter((name) => !(name in globalThis) || BROWSERS_OWN.includes(name))
const before = new Map(names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]))

export function installDom(): void {
  for (const name of names) {
    const value = name === 'window' || name === 'self' ? dom : (dom as never)[name]
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value })
  }
  giveSizes()
}

/** A light DOM has no sizes, which a table needs that shows the rows it has room for, and no fonts. */
function giveSizes(): void {
  Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })
  const size = { width: 1360, height: 900, top: 0, left: 0, right: 1360, bottom: 900, x: 0, y: 0, toJSON: () => ({}) }
  Element.prototype.getBoundingClientRect = () => size
  for (const [name, value] of [
    ['offsetHeight', 900],
    ['offsetWidth', 1360],
    ['clientHeight', 900],
    ['clientWidth', 1360],
  ] as const)
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value })
}

/** Other tests of this process have no DOM. */
export function removeDom(): void {
  for (const [name, descriptor] of before) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor)
    else Reflect.deleteProperty(globalThis, name)
  }
}

/**
 * Loads React as people's browsers have it: its development build takes twice the time. It keeps the timer that it finds: what
 * was loaded is shown at once, and not 300 ms after the page before it.
 */
async function loadReact(): Promise<void> {
  const { NODE_ENV } = process.env
  const { setTimeout } = globalThis
  // Where another test of this process has loaded its development build already, both parts have to be of that.
  if (!Object.keys(require.cache).some((file) => file.endsWith('/react.development.js')))
    process.env.NODE_ENV = 'production'
  await Promise.all([import('scheduler'), import('react/jsx-runtime')])
  globalThis.setTimeout = ((work: () => void) => setTimeout(work, 0)) as typeof setTimeout
  await import('react-dom/client')
  globalThis.setTimeout = setTimeout
  process.env.NODE_ENV = NODE_ENV
}

installDom()
await loadReact()
