import './light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { fireEvent, waitFor } from '@testing-library/dom'
import { expect, it } from 'vitest'
import { visitorQuery } from '../../src/web/api/account.ts'
import { documentsQuery } from '../../src/web/api/documents.ts'
import { searchQuery } from '../../src/web/api/search.ts'
import {
  choicesQuery,
  deliveriesQuery,
  secretQuery,
  statisticsQuery,
  webhookQuery,
  webhooksQuery,
} from '../../src/web/api/webhooks.ts'
import { type EarlyKeys, NO_KEYS } from '../../src/web/components/palette/early-keys.ts'
import { pageActions } from '../../src/web/components/palette/page-actions.ts'
import { useEarlyKeys } from '../../src/web/components/palette/use-early-keys.ts'
import { knownScreens, visit } from './known/known.ts'
import { webhook } from './known/webhook.ts'
import { openScreen, rendered, type Screen, show } from './screen.tsx'

const { openKnown } = knownScreens()

type FoundAnswer = Parameters<typeof answers>[1][string]
const NOTHING = { resources: [], providers: [], documents: [], webhooks: [], next: null }
/** What the service finds under each text. */
function answers(
  queryClient: QueryClient,
  found: Record<string, { resources?: object[]; providers?: object[] }>,
): void {
  for (const [text, more] of Object.entries(found))
    queryClient.setQueryData(searchQuery(text).queryKey, {
      ...{ pages: [{ ...NOTHING, ...more }], pageParams: [undefined] },
    } as never)
}
const models = (...names: string[]): FoundAnswer => ({
  resources: names.map((resource) => ({ provider: 'acme', resource })),
})

/** A page on which nothing is loaded, from which the palette is opened. */
const page = (found: Record<string, FoundAnswer> = {}, known: (queryClient: QueryClient) => void = () => {}) =>
  openKnown('/documents?workspace=w1', (queryClient) => {
    known(queryClient)
    queryClient.setQueryData(documentsQuery(undefined).queryKey, { documents: [] })
    queryClient.setQueryData(choicesQuery.queryKey, {
      ...{ providers: [], privateEndpoints: false },
      groups: ['GPT five', 'gpt four', 'Other'].map((name, n) => ({ id: `g${n}`, name, members: 2 })),
    } as never)
    answers(queryClient, found)
  })
/** Returns whether a browser does with a key what it does by itself. */
const press = (key: string, more: object = {}): boolean =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, code: key, ...more })
/** Opens the palette, and types when the page begins to keep keys for its field, which has the focus a moment later. */
async function typeEarly(...keys: string[]): Promise<void> {
  const { addEventListener } = globalThis
  const pressed = (key: string, more = {}) => fireEvent.keyDown(document.body, { key, code: key, ...more })
  await new Promise<void>((resolve) => {
    globalThis.addEventListener = ((...given: Parameters<typeof addEventListener>) => {
      addEventListener(...given)
      if (given[0] === 'keydown') resolve()
    }) as typeof addEventListener
    pressed('k', { ctrlKey: true })
  })
  globalThis.addEventListener = addEventListener
  expect(keys.map((key) => pressed(key))).toEqual(keys.map(() => false))
}
const opened = (screen: Screen, path: string) => waitFor(() => expect(screen.address()).toContain(path))
const palette = () => document.querySelector('[role="dialog"][aria-label="Find"]')
async function find(screen: Screen, text: string, until: string): Promise<void> {
  await screen.type('Find', text)
  await screen.until(until)
}

it('keys of typing are kept until the palette takes them, and those of the browser are not', async () => {
  const given: EarlyKeys[] = []
  let cancelled = 0
  const Waiting = ({ isWaiting }: { isWaiting: boolean }) => {
    const { text, give } = useEarlyKeys(isWaiting, () => cancelled++)
    return (
      <button type="button" onClick={() => given.push(give())}>
        {text}
      </button>
    )
  }
  const heard: string[] = []
  const hear = ({ key }: KeyboardEvent) => heard.push(key)
  document.addEventListener('keydown', hear)
  show(<Waiting isWaiting />)
  await rendered()
  const shown = () => document.querySelector('button')!
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) expect(press('x', { [modifier]: true })).toBe(true)
  expect([press('Tab'), press('g'), press('p'), press('Enter')]).toEqual([true, false, false, false])
  await waitFor(() => expect(shown().textContent).toBe('gp'))
  // What the page does at a key it does for those alone that are not kept.
  expect(heard).toEqual(['x', 'x', 'x', 'Tab'])
  expect([cancelled, press('Escape'), cancelled]).toEqual([0, false, 1])
  fireEvent.pointerDown(document.body)
  expect(cancelled).toBe(2)
  fireEvent.click(shown())
  await waitFor(() => expect(shown().textContent).toBe(''))
  fireEvent.click(shown())
  expect(given).toEqual([{ text: 'gp', isEntered: true }, NO_KEYS])
  show(<Waiting isWaiting={false} />)
  await rendered()
  expect(press('g')).toBe(true)
  document.removeEventListener('keydown', hear)
})

it('is opened by its keys, also while something is typed elsewhere', async () => {
  const screen = await page()
  const field = document.querySelector('main')!.appendChild(document.createElement('input'))
  field.focus()
  expect(press('k', { ctrlKey: true })).toBe(false)
  await screen.until('Find')
  await waitFor(() => expect(palette()).not.toBeNull())
})

it('opens what was typed, and entered, before the palette was there', async () => {
  const screen = await page({ gpt: models('gpt', 'gpt-mini') })
  await typeEarly('g', 'p', 't', 'Enter')
  await opened(screen, '/prices/acme/gpt')
  await waitFor(() => expect(palette()).toBeNull())
  screen.close()
})

it('shows what was typed before the palette was there', async () => {
  const screen = await page({ gp: models('gpt') })
  await typeEarly('g', 'p')
  await screen.until('[gpt')
  expect(screen.text()).toContain('{Find: gp}')
  expect(screen.address()).toBe('/documents?workspace=w1')
  screen.close()
})

it('waits at Enter for what was typed before it, and forgets the Enter where more was typed', async () => {
  const screen = await page({ gp: models('first'), gpt: models('second') })
  await screen.key('k', { ctrlKey: true })
  const field = () => document.querySelector<HTMLInputElement>('input[aria-label="Find"]')!
  fireEvent.change(field(), { target: { value: 'gp' } })
  fireEvent.keyDown(field(), { key: 'Enter', code: 'Enter' })
  fireEvent.change(field(), { target: { value: 'gpt' } })
  await screen.until('[second')
  await find(screen, 'gp', '[first')
  expect([screen.address(), palette() === null]).toEqual(['/documents?workspace=w1', false])
  fireEvent.change(field(), { target: { value: 'gpt' } })
  fireEvent.keyDown(field(), { key: 'Enter', code: 'Enter' })
  await opened(screen, '/prices/acme/second')
  screen.close()
})

it('opens the one that was gone to with an arrow key, and none by an Enter that ends a composition', async () => {
  const screen = await page({ gpt: models('first', 'second') })
  await screen.key('k', { ctrlKey: true })
  await find(screen, 'gpt', '[first')
  // A word is chosen among those that its sounds may mean.
  fireEvent.compositionStart(document.activeElement!)
  await rendered()
  press('Enter', { isComposing: true })
  await rendered()
  expect([screen.address(), palette() === null]).toEqual(['/documents?workspace=w1', false])
  fireEvent.compositionEnd(document.activeElement!)
  await rendered()
  press('ArrowDown')
  press('Enter')
  await opened(screen, '/prices/acme/second')
  screen.close()
})

it('opens the one that was gone to, also when what is found arrives above it', async () => {
  let queryClient!: QueryClient
  const screen = await page({}, (client) => {
    queryClient = client
  })
  await screen.key('k', { ctrlKey: true })
  fireEvent.change(document.activeElement!, { target: { value: 'gpt' } })
  await screen.until('[Compare gpt four')
  press('ArrowDown')
  await waitFor(() => expect(document.querySelector('[data-selected]')?.textContent).toMatch('gpt four'))
  answers(queryClient, { gpt: models('arrived') })
  await screen.until('[arrived')
  press('Enter')
  await opened(screen, '/compare/g1')
  screen.close()
})

it('marks and opens the first of what is typed next, also after an arrow key', async () => {
  const screen = await page({ gp: models('third', 'fourth'), gpt: models('first', 'second') })
  await screen.key('k', { ctrlKey: true })
  await find(screen, 'gpt', '[first')
  press('ArrowDown')
  await find(screen, 'gp', '[third')
  await waitFor(() => expect(document.querySelector('[data-selected]')?.textContent).toMatch('third'))
  press('Enter')
  await opened(screen, '/prices/acme/third')
  screen.close()
})

it('names comparisons, and first the provider whose whole name was typed', async () => {
  const found = {
    ...models('acme-model'),
    providers: [{ provider: 'acme-inc', name: 'Acme Corp' }],
  }
  const screen = await page({ 'acme corp': found, 'acme-inc': found, 'ACME-Model': found, gpt: NOTHING })
  await screen.key('k', { ctrlKey: true })
  await find(screen, 'gpt', '[Compare')
  expect(screen.offered()).toEqual(['Compare GPT five', 'Compare gpt four'])
  const foundInOrder = async (text: string, names: string[]) => {
    await screen.type('Find', text)
    const seen = () => screen.offered().map((name) => name.replace(/(Corp|model).*/, '$1'))
    await waitFor(() => expect(seen()).toEqual(names))
  }
  // Each time in another order than before: nothing of before is taken for what is found now.
  await foundInOrder('acme corp', ['Acme Corp', 'acme-model'])
  await foundInOrder('ACME-Model', ['acme-model', 'Acme Corp'])
  await foundInOrder('acme-inc', ['Acme Corp', 'acme-model'])
  screen.close()
})

it('offers to a visitor the public pages, ways in and colours, by their names', async () => {
  const screen = await openScreen(
    {
      known: (queryClient) => {
        queryClient.setQueryData(visitorQuery.queryKey, { ...visit, session: null })
        queryClient.setQueryData(documentsQuery(undefined).queryKey, { documents: [] })
        answers(queryClient, { dark: NOTHING, 'Sign in': NOTHING })
      },
    },
    '/documents?q=terms',
  )
  await screen.key('k', { ctrlKey: true })
  await screen.until('[Sign in]')
  expect(screen.offered()).toEqual([
    ...['Export', 'As of now', 'What changed', 'Prices', 'Documents', 'Compare', 'API reference', 'Sign in'],
    ...['Colours: system', 'Colours: light', 'Colours: dark'],
  ])
  await screen.type('Find', 'Dark')
  expect(screen.offered()).toEqual(['Colours: dark'])
  await screen.type('Find', 'Sign in')
  await waitFor(() => expect(screen.offered()).toEqual(['Sign in']))
  fireEvent.keyDown(document.activeElement!, { key: 'Enter', code: 'Enter' })
  await opened(screen, '/sign-in?next=%2Fdocuments%3Fq%3Dterms')
  screen.close()
})

it('opens a tab of the page, which has the focus then', async () => {
  const screen = await openKnown('/webhooks/h1?workspace=w1', (queryClient) => {
    queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook() })
    const none = { deliveries: [], matching: 0, more: false }
    for (const filter of [{}, { status: 'failed' }])
      queryClient.setQueryData(deliveriesQuery('h1', filter as never).queryKey, none)
    queryClient.setQueryData(statisticsQuery('w1').queryKey, { webhooks: [] })
    queryClient.setQueryData(secretQuery('h1', 'card').queryKey, { secret: 'whsec_abc' })
    answers(queryClient, { secret: NOTHING })
  })
  await screen.key('k', { ctrlKey: true })
  await find(screen, 'secret', '[Secret]')
  await screen.press('Secret')
  await opened(screen, 'tab=secret')
  expect(document.activeElement?.textContent).toBe('Secret')
  screen.close()
})

it('offers what can be done on the page, and nothing that is not allowed now', async () => {
  const offered = async (most: number) => {
    const screen = await openKnown('/webhooks?workspace=w1', (queryClient) => {
      queryClient.setQueryData(webhooksQuery('w1').queryKey, { webhooks: [webhook()], most })
      queryClient.setQueryData(statisticsQuery('w1').queryKey, { webhooks: [] })
    })
    const labels = pageActions().map(({ label }) => label)
    screen.close()
    return labels
  }
  expect(await offered(2)).toContain('Create a webhook')
  expect(await offered(1)).not.toContain('Create a webhook')
})
