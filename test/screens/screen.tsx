import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { configure, fireEvent, waitFor, within } from '@testing-library/dom'
import { type ReactNode, Suspense } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { unstable_scheduleCallback as schedule, unstable_IdlePriority as WHEN_IDLE } from 'scheduler'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { createQueryClient } from '../../src/web/api/connection/query-client.ts'
import Dialogs from '../../src/web/components/dialogs.tsx'
import { createAppRouter } from '../../src/web/router.tsx'
import { theme } from '../../src/web/theme.ts'
import { freshAddress } from '../support/app/app.ts'
import { watchEffects } from './effects.ts'
import { installDom, removeDom } from './light-dom.ts'
import { outdated, readEverything } from './remembered.ts'
import { shownText } from './shown-text.ts'

// What is waited for longer than this does not come, also on a machine with a load of 70 and little memory.
configure({ asyncUtilTimeout: 300_000, getElementError: (message) => new Error(message ?? '') })

/** A page is ready when nothing is loaded during this many turns. */
const QUIET_TURNS = 3

export type Screen = {
  /** What a person reads of the page and of what is open over it, in its order. */
  text: () => string
  /** The names of the buttons of the page, in its order. */
  buttons: () => string[]
  /** The names of the buttons of what is open over the page. */
  offered: () => string[]
  /** The fields of what is open over the page, with what is in them. */
  fields: () => string[]
  /** The field or button that keys go to, where there is one. */
  focused: () => string | undefined
  /** Presses a button, of a dialog or menu that is open where there is one. */
  press: (name: string) => Promise<void>
  type: (label: string | RegExp, text: string) => Promise<void>
  /** Ticks a box, or unticks it. */
  tick: (label: string | RegExp) => Promise<void>
  /** Presses a key where the page has the focus. */
  key: (key: string, held?: { ctrlKey: boolean }) => Promise<void>
  /** Waits until a text is shown, which comes after something else was typed or done. */
  until: (text: string) => Promise<void>
  /** The requests that were sent since this was asked last, but those that only read. */
  changes: () => string[]
  /** Refuses requests that change something from now on: as a whole, or for a field of what is sent, counted from 0. */
  refuse: (what: 'all' | number) => void
  /** What could not be used while a request that was then refused was under way; nothing where none was refused. */
  refused: () => string[] | undefined
  /** What was read since this was asked last. */
  reads: () => string[]
  /** Reads what other pages show, as if they had been opened before. */
  remember: () => Promise<void>
  /** What other pages would show although it is no longer so. */
  outdated: (steady: (text: string) => string) => Promise<string[]>
  /** What was said in a corner, copied, saved as a file and left for since this was asked last. */
  effects: () => Promise<string[]>
  /** What is around the page: the name of its tab, its head and the list of pages. */
  frame: () => string
  /** Goes to another page, which then knows this. */
  go: (path: string, known: Knowledge) => Promise<void>
  /** Path and query of the page that is open. */
  address: () => string
  /** How many pages the way back leads through, with this one. */
  visited: () => number
  /** Goes back in the history, where there is a page before this one. */
  back: () => Promise<void>
  /** Closes what is open over the page. */
  escape: () => Promise<void>
  close: () => void
}

/** What a page knows without asking. */
export type Knowledge = (queryClient: QueryClient) => void
/** Without a server a page shows what is known: nothing else is answered. */
type Person = { server?: Api; session?: string; known?: Knowledge }

const COUNTING = '/v1/webhook-preview' // It only reads, whenever someone pauses who types.
const REFUSAL = { code: 'refused', message: 'The service refuses this.' }

/** Opens a page of the app in a light DOM. Its requests are answered by the real server. */
export async function openScreen({ server, session, known }: Person, path: string): Promise<Screen> {
  const [sent, read]: [string[], string[]] = [[], []]
  let refuses: 'all' | number | undefined
  let busy: string[] | undefined
  const effects = watchEffects(server !== undefined)
  let open = 0
  const cookies = new Map([['pricetape', session ?? '']])
  globalThis.fetch = (async (input: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const changes = method !== 'GET' && !input.startsWith(COUNTING)
    if (changes) sent.push(`${method} ${input}${typeof body === 'string' ? ` ${body}` : ''}`)
    else read.push(input)
    if (!server) return changes ? Response.json({ error: REFUSAL }, { status: 422 }) : new Promise(() => {})
    open++
    try {
      if (changes && refuses !== undefined) {
        for (let turn = 0; turn < QUIET_TURNS; turn++) await nextTurn()
        busy = [...document.querySelectorAll('button, input, textarea')].filter(isBusy).map(shownText)
        const field = refuses !== 'all' && typeof body === 'string' ? Object.keys(JSON.parse(body))[refuses] : undefined
        const error = field ? { code: 'invalid_body', message: `${field}: Not this one.`, field } : REFUSAL
        return Response.json({ error }, { status: field ? 400 : 409 })
      }
      const answer = await server.inject({
        method: method as 'GET',
        url: input,
        remoteAddress: freshAddress(),
        headers: { ...(headers as Record<string, string>), cookie: written(cookies) },
        ...(typeof body === 'string' && { payload: body }),
      })
      for (const { name, value } of answer.cookies) cookies.set(name, value)
      return new Response(answer.statusCode === 204 ? null : answer.body, {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string>,
      })
    } finally {
      open--
    }
  }) as typeof fetch
  location.hash = path.split('#')[1] ?? ''
  const queryClient = createQueryClient()
  known?.(queryClient)
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  show(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={null}>
          <Dialogs />
        </Suspense>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const isQuiet = () =>
    open === 0 &&
    queryClient.isMutating() + (server ? queryClient.isFetching() : 0) === 0 &&
    router.state.status === 'idle' &&
    document.querySelector('[role="status"][aria-label="Loading"]') === null &&
    page().textContent?.trim() !== ''
  async function whenQuiet(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet = isQuiet() ? quiet + 1 : 0) {
      await waitFor(() => {
        if (!isQuiet()) throw new Error(`the page still loads: ${router.state.location.href}`)
      })
      await nextTurn()
    }
  }
  await whenQuiet()
  const text = () => [page(), ...overlays().filter((one) => !page().contains(one))].map(shownText).join('\n---\n')
  return {
    text,
    buttons: () => buttonsOf(page()).map(nameOf),
    offered: () => overlays().flatMap(buttonsOf).map(nameOf),
    fields: () => overlays().flatMap((one) => [...one.querySelectorAll('input, textarea')].map(shownText)),
    focused: () => {
      const { activeElement: one } = document
      return one && one !== document.body ? shownText(one) : undefined
    },
    press: async (name) => {
      const offered = () => [...overlays().reverse(), page(), document.body].flatMap(buttonsOf)
      const found = await waitFor(() => {
        const button = offered().find((one) => nameOf(one) === name)
        if (!button) throw new Error(`No button is called "${name}". There are: ${offered().map(nameOf).join(', ')}`)
        return button
      })
      fireEvent.click(found)
      await whenQuiet()
    },
    type: async (label, text) => {
      fireEvent.change(fieldOf(label), { target: { value: text } })
      await whenQuiet()
    },
    tick: async (label) => {
      const field = fieldOf(label)
      field.focus()
      fireEvent.click(field)
      await whenQuiet()
    },
    key: async (key, held) => {
      fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held })
      await whenQuiet()
    },
    until: async (wanted) => {
      await waitFor(() => {
        if (!text().includes(wanted)) throw new Error(`"${wanted}" is not shown`)
      })
      await whenQuiet()
    },
    changes: () => sent.splice(0),
    refuse: (what) => {
      refuses = what
      busy = undefined
    },
    refused: () => busy,
    reads: () => read.splice(0),
    remember: () => readEverything(queryClient),
    outdated: async (steady) => {
      refuses = undefined
      const found = server ? await outdated(queryClient, steady) : []
      sent.length = 0
      return found
    },
    effects,
    frame: () => {
      const around = [...document.querySelectorAll('header, nav')].filter((one) => !one.parentElement?.closest('nav'))
      return [document.title, ...around.map(shownText)].join('\n')
    },
    go: async (path, known) => {
      location.hash = path.split('#')[1] ?? ''
      known(queryClient)
      router.history.push(path)
      await whenQuiet()
    },
    address: () => router.state.location.href,
    visited: () => router.history.length,
    back: async () => {
      router.history.back()
      await whenQuiet()
    },
    escape: async () => {
      for (const one of [document.activeElement ?? document.body, window])
        fireEvent.keyDown(one, { key: 'Escape', code: 'Escape' })
      await whenQuiet()
    },
    close: removeScreen,
  }
}

/** Those that have a value, as a browser sends them. */
const written = (cookies: Map<string, string>): string =>
  [...cookies].flatMap(([name, value]) => (value ? [`${name}=${value}`] : [])).join('; ')

let shown: { root: Root; container: HTMLElement } | undefined

/** Renders this, in the place of what was rendered before. */
export function show(screen: ReactNode): void {
  removeScreen()
  const container = document.body.appendChild(document.createElement('div'))
  shown = { root: createRoot(container), container }
  shown.root.render(screen)
}

/** Waits until everything is rendered. */
export const rendered = (): Promise<void> => new Promise((resolve) => schedule(WHEN_IDLE, () => resolve()))

async function nextTurn(): Promise<void> {
  await rendered()
  await new Promise((resolve) => setTimeout(resolve, 5))
}

function removeScreen(): void {
  shown?.root.unmount()
  shown?.container.remove()
  shown = undefined
}

/** Empty until the page is there. */
const page = (): Element => document.querySelector('main') ?? document.createElement('main')
/** Dialogs, menus and lists that are open over the page. */
const overlays = (): Element[] =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]')].filter((one) => !isHidden(one))
const buttonsOf = (root: Element): HTMLElement[] =>
  [
    ...root.querySelectorAll<HTMLElement>('button, [role="button"], [role="menuitem"], [role="option"], [role="tab"]'),
  ].filter((one) => one.tagName !== 'A' && !isHidden(one))
function fieldOf(label: string | RegExp): HTMLElement {
  const roots = [...overlays().reverse(), page()] as HTMLElement[]
  const [field] = roots.flatMap((root) => within(root).queryAllByLabelText(label))
  if (field) return field
  throw new Error(`No field is called "${label}".`)
}
const isBusy = (control: Element): boolean => control.hasAttribute('disabled') || control.hasAttribute('data-loading')
const nameOf = (button: HTMLElement): string =>
  (button.getAttribute('aria-label') ?? button.textContent ?? '').replace(/\s+/g, ' ').trim()

function isHidden(element: Element): boolean {
  for (let one: Element | null = element; one; one = one.parentElement)
    if ((one as HTMLElement).style?.display === 'none' || one.getAttribute('aria-hidden') === 'true') return true
  return false
}

const PARTS = import.meta.glob('../../src/web/{components,pages}/**/*.tsx')

/** Gives a file its light DOM, and takes it and what answers its requests away again. */
export function useScreens(): void {
  const { fetch } = globalThis
  beforeAll(async () => {
    installDom()
    // What a page loads later is there when it asks for it: no golden depends on how fast that is.
    await Promise.all(Object.values(PARTS).map((load) => load()))
  })
  afterEach(removeScreen)
  afterAll(async () => {
    // React still cleans up after what was removed, and asks for the window then.
    await rendered()
    globalThis.fetch = fetch
    removeDom()
  })
}
