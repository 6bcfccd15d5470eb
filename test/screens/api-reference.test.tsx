import './light-dom.ts'
import { createRequire } from 'node:module'
import { fireEvent, waitFor } from '@testing-library/dom'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { visitorQuery } from '../../src/web/api/account.ts'
import { nameControls } from '../../src/web/pages/reference/name-controls.ts'
import { session, visit } from './known/known.ts'
import { openScreen, rendered, type Screen, useScreens } from './screen.tsx'

useScreens()

const require = createRequire(import.meta.url)
const { happyDOM } = window as unknown as {
  happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: boolean } }
}
const key = { in: 'header', name: 'authorization', type: 'apiKey' }
const operation = (operationId: string, summary: string, tag: string, more: object = {}) => ({
  ...{ operationId, summary, tags: [tag], responses: { 200: { description: 'Done.' } }, ...more },
})
const body = { content: { 'application/json': { schema: { type: 'object', example: { name: 'n' } } } } }
const SPEC = {
  ...{ openapi: '3.1.0', info: { title: 'Prices', version: '1' } },
  components: { securitySchemes: { key }, schemas: { Unused: { type: 'object' } } },
  paths: {
    '/v1/providers': {
      get: operation('listProviders', 'All providers', 'Catalog', {
        security: [{ key: [] }],
        parameters: [
          { in: 'query', name: 'after', schema: { type: 'string' } },
          { in: 'query', name: 'order', schema: { type: 'string', enum: ['name', 'age'] } },
        ],
      }),
    },
    '/v1/prices': { get: operation('listPrices', 'Prices of an instant', 'Catalog') },
    '/v1/keys': { post: operation('createKey', 'A new key', 'Access', { requestBody: body }) },
  },
  webhooks: {
    'price.changed': { post: operation('priceChanged', 'A price changed', 'Events', { requestBody: body }) },
    'tos.changed': { post: operation('tosChanged', 'A document changed', 'Events', { requestBody: body }) },
  },
}

const isLoading = () => document.querySelector('[role="status"][aria-label="Loading"]') !== null
const files = () =>
  [...document.querySelectorAll<HTMLScriptElement & HTMLLinkElement>('head > *')].map(({ src, href, rel, tagName }) =>
    src || href ? `${rel ?? ''} ${new URL(src || href).pathname}`.trim() : tagName,
  )

/** Opens the reference. Returns what was asked of the service, with the keys of requests, too. */
async function reference(who: typeof session | null = session): Promise<{ screen: Screen; asked: string[] }> {
  const asked: string[] = []
  const opening = openScreen(
    { known: (queryClient) => queryClient.setQueryData(visitorQuery.queryKey, { ...visit, session: who }) },
    '/docs',
  )
  globalThis.fetch = (async (input: string | Request, { headers }: RequestInit = {}) => {
    if (input === '/openapi.json') {
      asked.push(isLoading() ? 'the document, while the page loads' : 'the document')
      return Response.json(SPEC)
    }
    const { url } = typeof input === 'string' ? { url: input } : input
    const { authorization } = (headers ?? {}) as Record<string, string>
    asked.push([url, authorization].filter(Boolean).join(' with '))
    return Response.json({ answer: 42 })
  }) as typeof fetch
  return { screen: await opening, asked }
}
const operations = () => [...document.querySelectorAll('.opblock')].filter((one) => !(one as HTMLElement).hidden)
const names = () => operations().map((one) => one.querySelector('.opblock-summary-path')!.textContent)
const isThere = (selector: string) => waitFor(() => expect(document.querySelector(selector)).not.toBeNull())
/** Opens an operation. It is read when its fields are there. */
async function open(id: string, field: string): Promise<HTMLElement> {
  const block = document.querySelector<HTMLElement>(`#operations-${id}`)!
  fireEvent.click(block.querySelector('.opblock-summary-control')!)
  await isThere(`#operations-${id} .opblock-body ${field}`)
  return block
}
const push = (name: string, root: Element = document.body) =>
  fireEvent.click([...root.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === name)!)

/** The first visit, to a service that does not answer with a file. A later one finds what an earlier one loaded. */
let failed: { text: string; left: string[] }
beforeAll(async () => {
  document.head.prepend(document.createElement('style'))
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  const { screen } = await reference()
  await screen.press('Try again')
  failed = { text: screen.text(), left: files() }
  screen.close()
  reload.mockRestore()
  happyDOM.settings.handleDisabledFileLoadingAsSuccess = true
  // Swagger UI goes through the parts of the address, which a browser lists.
  const parts = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(location))
  for (const name of ['protocol', 'host', 'hostname', 'port', 'pathname', 'origin', 'href'])
    Object.defineProperty(Object.getPrototypeOf(location), name, { ...parts[name], enumerable: true })
  Object.assign(window, { SwaggerUIBundle: require('@fastify/swagger-ui/static/swagger-ui-bundle.js') })
})
afterEach(() => {
  location.hash = ''
})
afterAll(() => {
  happyDOM.settings.handleDisabledFileLoadingAsSuccess = false
  document.head.replaceChildren()
})

it('loads its files once, again after a failure, and says to each visitor with which rights requests are tried', async () => {
  expect(failed.text).toContain('The reference could not be loaded.\n[Try again]')
  expect(failed.left.filter((name) => name.startsWith('/') || name.includes('stylesheet'))).toEqual([])
  for (const who of [session, null]) {
    const { screen, asked } = await reference(who)
    await isThere('.opblock')
    expect([isLoading(), ...asked]).toEqual([false, 'the document, while the page loads'])
    const text = screen.text()
    expect(text.includes('Requests you try here run as you.')).toBe(who !== null)
    expect(text.includes('To try requests here, sign in </sign-in?next=%2Fdocs>')).toBe(who === null)
    expect(screen.text()).not.toContain('Try again')
    // The app's own styles come later, and have the last word.
    expect(files().slice(0, 3)).toEqual([
      ...['stylesheet /docs/static/swagger-ui.css', '/docs/static/swagger-ui-bundle.js', 'STYLE'],
    ])
    screen.close()
  }
})

it('finds operations and events by all words of what is typed', async () => {
  const { screen } = await reference()
  await isThere('.opblock')
  const all = ['/v1/providers', '/v1/prices', '/v1/keys', 'price.changed', 'tos.changed']
  expect(names()).toEqual(all)
  expect(screen.text()).not.toContain('Schemas')
  const found = async (text: string, shown: string[]) => {
    await screen.type('Search endpoints', text)
    await waitFor(() => expect(names()).toEqual(shown))
    return document.querySelector('.reference')!.classList.contains('searched')
  }
  expect(await found('PRICE', ['/v1/prices', 'price.changed'])).toBe(true)
  expect(screen.text()).not.toContain('Access')
  expect(await found('catalog instant', ['/v1/prices'])).toBe(true)
  expect(await found('post', ['/v1/keys', 'price.changed', 'tos.changed'])).toBe(true)
  expect(await found('createkey access', ['/v1/keys'])).toBe(true)
  expect(await found('/V1/Pro', ['/v1/providers'])).toBe(true)
  expect(await found('webhook changed', ['price.changed', 'tos.changed'])).toBe(true)
  expect(await found(' ', all)).toBe(false)
  screen.close()
})

it('tries a request with the session that opened the page, or a key that is gone with it', async () => {
  const { screen, asked } = await reference()
  await isThere('.opblock')
  const block = await open('Catalog-listProviders', 'td input')
  expect(location.hash).toBe('#/Catalog/listProviders')
  push('Execute', block)
  await isThere('.live-responses-table')
  expect(block.textContent).toContain('Request duration')
  push('Authorize')
  await isThere('.auth-container input')
  fireEvent.change(document.querySelector('.auth-container input')!, { target: { value: 'ptk_pasted' } })
  push('Authorize', document.querySelector('.auth-container')!)
  push('Execute', block)
  await waitFor(() => expect(asked).toHaveLength(3))
  expect(asked.slice(1)).toEqual([
    'http://localhost:8080/v1/providers',
    'http://localhost:8080/v1/providers with ptk_pasted',
  ])
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain('ptk_pasted')
  screen.close()
})

it('names its fields and buttons, as long as the page is open', async () => {
  const { screen } = await reference()
  await isThere('.opblock')
  const list = await open('Catalog-listProviders', 'td input')
  const create = await open('Access-createKey', 'textarea')
  push('Authorize')
  await isThere('.auth-container input')
  const labels = (root: Element, selector: string) => () =>
    [...root.querySelectorAll(selector)].map((one) => one.getAttribute('aria-label'))
  await waitFor(() => expect(labels(list, 'td input, td select')()).toEqual(['after', 'order']))
  expect(labels(create, 'textarea')()).toEqual(['Request body'])
  expect(labels(document.body, '.close-modal')()).toEqual(['Close'])
  const part = document.querySelector('.reference main')!
  expect([part.getAttribute('role'), part.getAttribute('tabindex')]).toEqual(['presentation', null])
  const root = document.querySelector('.reference > div')!
  screen.close()
  root.append(document.createElement('textarea'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(labels(root, ':scope > textarea')()).toEqual([null])
})

it('names what is there later, but nothing that has a name, and ends when it is told', async () => {
  const root = document.createElement('div')
  const stop = nameControls(root)
  root.innerHTML = `<p></p><main tabindex="-1"></main><main role="region" tabindex="-1"></main><input id="named"><pre></pre>
    <pre tabindex="-1"></pre><button class="close-modal" aria-label="End"></button><select aria-label="Kind"></select>`
  await new Promise((resolve) => setTimeout(resolve))
  root.querySelector('p')!.innerHTML = '<input><div class="auth-container"><textarea></textarea></div>'
  await new Promise((resolve) => setTimeout(resolve))
  expect(root.innerHTML.replace(/>\s+</g, '><')).toBe(
    '<p><input aria-label="Request body"><div class="auth-container"><textarea aria-label="API key"></textarea></div></p>' +
      '<main role="presentation"></main><main role="region" tabindex="-1"></main><input id="named"><pre tabindex="0"></pre>' +
      '<pre tabindex="-1"></pre><button class="close-modal" aria-label="End"></button><select aria-label="Kind"></select>',
  )
  stop()
  root.querySelector('p')!.innerHTML = '<input>'
  await new Promise((resolve) => setTimeout(resolve))
  expect(root.querySelector('p')!.innerHTML).toBe('<input>')
})

it('has dark colours of its own while it is shown to someone who has them', async () => {
  const isDark = () => document.documentElement.classList.contains('dark-mode')
  const seen: boolean[] = []
  for (const scheme of ['light', 'dark']) {
    localStorage.setItem('mantine-color-scheme-value', scheme)
    const { screen } = await reference()
    seen.push(isDark())
    screen.close()
    await rendered()
    seen.push(isDark())
  }
  localStorage.clear()
  expect(seen).toEqual([false, false, true, false])
})
