import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { fireEvent, waitFor } from '@testing-library/dom'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  type DifferenceRow,
  type DocumentAnswer,
  documentQuery,
  documentsQuery,
} from '../../../src/web/api/documents.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { dayIn, daysAgo, knownScreens } from './known.ts'

const { openKnown, shownOf } = knownScreens()

type Version = DocumentAnswer['after']
const version = (n: number, more: Partial<Version> = {}): Version => ({
  ...{ versionId: `v${n}`, recordedAt: daysAgo(100 - n), classification: 'minor', significance: 'low' },
  ...{ effectiveDate: null, updatedDate: null, previousVersion: `v${n - 1}`, ...more },
})
const row = (kind: DifferenceRow['kind'], text: string, more: Partial<DifferenceRow> = {}): DifferenceRow => ({
  ...{ kind, section: 'Use', heading: false, left: text, right: text, ...more },
})
const same = (n: number, more: Partial<DifferenceRow> = {}) => row('same', `Paragraph ${n}.`, more)
const heading = (text: string, level: number, id: string): DifferenceRow =>
  row('same', text, { section: text.replace(/^#+ /, ''), heading: true, level, anchor: { id } })

/** Two changes with three rows between them, one further away, and a clause that moved. */
const ROWS: DifferenceRow[] = [
  row('added', 'A preamble.', { section: '', left: undefined }),
  heading('## Use', 2, 'use'),
  ...[1, 2].map((n) => same(n, { clause: '1.1', ...(n === 1 && { anchor: { id: 'clause-1-1', clause: '1.1' } }) })),
  row('changed', 'You pay 14 days later.', {
    ...{ clause: '1.2', anchor: { id: 'clause-1-2', clause: '1.2' }, left: 'You pay 30 days later.', depth: 2 },
    words: [
      { text: 'You pay ', kind: 'same' },
      { text: '30', kind: 'removed' },
      { text: '14', kind: 'added' },
      { text: ' days later.', kind: 'same' },
    ],
  }),
  // Its clause is named once.
  row('added', 'Invoices come by mail.', { clause: '1.2', left: undefined }),
  ...[3, 4, 5, 6, 7].map((n) => same(n, { clause: '1.2' })),
  row('removed', 'You may leave.', { clause: '1.3', right: undefined }),
  ...Array.from({ length: 6 }, (_, n) => same(n + 8)),
  same(20, { section: 'Law' }),
  row('changed', '### Law of Ireland', { ...{ section: 'Law', left: '### Law', heading: true, level: 3 } }),
  ...['Liability', 'Privacy', 'Contact'].map((title) => heading(`#### ${title}`, 4, title.toLowerCase())),
]

const ANSWER: DocumentAnswer = {
  document: { provider: 'acme', document: 'terms', title: 'Terms', url: 'https://acme.example/terms' },
  versions: [
    version(3, { significance: 'high', classification: 'substantive' }),
    version(2),
    version(1, { previousVersion: null, classification: null, significance: null }),
  ],
  ...{ before: version(2), after: version(3, { effectiveDate: dayIn(5) }), classification: 'substantive' },
  ...{ significance: 'high', wordsRemoved: 2, wordsAdded: 1, truncated: true },
  changes: [
    { section: 'Use', clause: '1.2', topics: ['price'], wordsRemoved: 1, wordsAdded: 1 },
    { section: 'Use', clause: '9', topics: [], wordsRemoved: 3, wordsAdded: 0 },
    { section: '', topics: [], wordsRemoved: 0, wordsAdded: 2 },
  ],
  entries: [
    { section: 'Sub-processors', added: ['Northwind'], removed: ['Contoso'], changed: ['Fabrikam'] },
    { section: '', added: [], removed: ['Tailspin'], changed: [] },
  ],
  rows: ROWS,
  suppressed: [
    { at: daysAgo(5), status: 'cosmetic', reasons: ['layout', 'links'] },
    { at: daysAgo(4), status: 'expired', reasons: [] },
  ],
}

const open =
  (more: Partial<DocumentAnswer>, search = '') =>
  () =>
    openKnown(`/documents/acme/terms${search}`, (queryClient: QueryClient) => {
      const selection = Object.fromEntries(new URLSearchParams(search.replace(/#.*/, '')))
      queryClient.setQueryData(documentQuery('acme', 'terms', selection).queryKey, { ...ANSWER, ...more })
    })

it('two versions of a document, with all that can be said of their difference', async () => {
  const shown = await shownOf({
    'a difference': open({}),
    'its text': open({}, '?to=v3&view=text'),
    'the same words': open({ changes: [], rows: [same(1)], entries: [], suppressed: [], truncated: false }),
    'a first version at a time': open({
      before: undefined,
      versions: [version(1)],
      after: version(1),
      document: { ...ANSWER.document, url: 'elsewhere' },
    } as never),
    'many versions': open({ wordsRemoved: 1, versions: Array.from({ length: 32 }, (_, n) => version(40 - n)) }),
    'a place that the address names': open({}, '#clause-1-1'),
    'a place within what is folded': open({}, '#contact'),
  })
  shown.push(...(await walk(await open({})(), ['Show 5 unchanged paragraphs', 'Show 2 unchanged paragraphs'])))
  await compareWithGolden('difference', shown)
})

it('a place that the address names is scrolled to', async () => {
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
  const screen = await open({}, '#clause-1-2')()
  expect(scroll.mock.contexts.map((element) => (element as HTMLElement).id)).toContain('clause-1-2')
  scroll.mockRestore()
  screen.close()
})

it('a link to a clause names the version that has it, and opens elsewhere where that is asked for', async () => {
  const selection = { to: 'v3', view: 'text' }
  const screen = await openKnown('/documents/acme/terms?workspace=w1&from=v1&to=v3', (queryClient: QueryClient) => {
    for (const one of [{ from: 'v1', to: 'v3' }, { to: 'v3' }, selection])
      queryClient.setQueryData(documentQuery('acme', 'terms', one).queryKey, ANSWER)
  })
  const link = () => document.querySelector('a[aria-label$="1.2, Use"]')!
  // A browser would leave the page, which this DOM cannot.
  let isLeft: boolean | undefined
  const leave = (event: Event) => {
    isLeft = !event.defaultPrevented
    event.preventDefault()
  }
  document.addEventListener('click', leave)
  onTestFinished(() => document.removeEventListener('click', leave))
  for (const held of ['metaKey', 'ctrlKey', 'shiftKey']) {
    fireEvent.click(link(), { [held]: true })
    expect([isLeft, screen.address()]).toEqual([true, '/documents/acme/terms?workspace=w1&from=v1&to=v3'])
  }
  fireEvent.click(link())
  expect(isLeft).toBe(false)
  await waitFor(() => expect(screen.address()).toBe('/documents/acme/terms?workspace=w1&to=v3&view=text#clause-1-2'))
  screen.close()
})

it('versions that are chosen, each from where it is offered', async () => {
  const answers: [selection: object, answer: Partial<DocumentAnswer>][] = [
    [{}, {}],
    [{ from: 'v1', to: 'v3' }, { before: version(1) }],
    [
      { from: 'v1', to: 'v2' },
      { before: version(1), after: version(2) },
    ],
    [{ to: 'v1' }, { before: undefined, after: version(1) } as never],
  ]
  const screen = await openKnown('/documents/acme/terms', (queryClient: QueryClient) => {
    for (const [selection, more] of answers)
      queryClient.setQueryData(documentQuery('acme', 'terms', selection).queryKey, { ...ANSWER, rows: [], ...more })
  })
  const [, second, first] = ANSWER.versions.map(({ recordedAt }) => `${recordedAt.slice(0, 16).replace('T', ' ')} UTC`)
  const opened: string[] = []
  const look = () => opened.push(screen.address())
  await screen.tick('Compare')
  await screen.press(first!)
  look()
  await screen.tick('with')
  await screen.press(second!)
  look()
  await screen.tick('Text')
  look()
  await screen.tick('What changed')
  look()
  // The first version has none before it.
  await screen.press(first!)
  look()
  screen.close()
  expect(opened).toEqual([
    '/documents/acme/terms?from=v1&to=v3',
    '/documents/acme/terms?from=v1&to=v2',
    '/documents/acme/terms?from=v1&to=v2&view=text',
    '/documents/acme/terms?from=v1&to=v2',
    '/documents/acme/terms?to=v1',
  ])
})

it('versions are chosen one after the other while neither is read', async () => {
  const screen = await open({})()
  const [, second, first] = ANSWER.versions.map(({ recordedAt }) => `${recordedAt.slice(0, 16).replace('T', ' ')} UTC`)
  await screen.tick('Compare')
  await screen.press(first!)
  await screen.tick('with')
  await screen.press(second!)
  expect(screen.address()).toBe('/documents/acme/terms?from=v1&to=v2')
  for (const choice of [`{Compare: ${first}}`, `{with: ${second}}`]) expect(screen.text()).toContain(choice)
  screen.close()
})

const listed = (document: string, more: object = {}) => ({
  ...{ provider: 'acme', document, title: document.toUpperCase(), url: `https://acme.example/${document}` },
  ...{ versions: 1, recordedAt: daysAgo(3), effectiveDate: null, ...more },
})
const documents = (search: string, list: ReturnType<typeof listed>[]) => () =>
  openKnown(`/documents${search}`, (queryClient: QueryClient) => {
    queryClient.setQueryData(documentsQuery(undefined).queryKey, { documents: list } as never)
  })
const ALL = [
  listed('terms', { versions: 2 }),
  listed('privacy'),
  listed('terms', { provider: 'other', recordedAt: null }),
]

it('lists of documents that are narrowed, and empty ones', async () => {
  const shown = await shownOf({
    'none yet': documents('', []),
    all: documents('', ALL),
    'of a provider': documents('?provider=other', ALL),
    'with words': documents('?q=TERMS%20acme', ALL),
    'none with words': documents('?q=nothing', ALL),
  })
  await compareWithGolden('documents', shown)
})
