import { Window } from 'happy-dom'

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
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
}

/** Other tests of this process have no DOM. */
export function removeDom(): void {
  for (const [name, descriptor] of before) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor)
    else Reflect.deleteProperty(globalThis, name)
  }
  Reflect.deleteProperty(globalThis, 'IS_REACT_ACT_ENVIRONMENT')
}

installDom()
