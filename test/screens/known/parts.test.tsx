import '../light-dom.ts'
import { MantineProvider } from '@mantine/core'
import { notifications, notificationsStore } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { fireEvent } from '@testing-library/dom'
import type { ReactNode } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ApiError, ConnectionError } from '../../../src/web/api/connection/client.ts'
import { createQueryClient } from '../../../src/web/api/connection/query-client.ts'
import type { QueueItem } from '../../../src/web/api/operator.ts'
import { RouteFailure } from '../../../src/web/components/states/route-failure.tsx'
import { Middle } from '../../../src/web/components/values/middle.tsx'
import {
  DecidedHere,
  DecisionProblems,
  PendingDecisions,
} from '../../../src/web/pages/operator/review/decide/decision-log.tsx'
import { sayElsewhere } from '../../../src/web/pages/operator/review/decide/say-elsewhere.ts'
import type { Pending, SentDecision } from '../../../src/web/pages/operator/review/decide/send-decisions.ts'
import { aboutSample, sampleFor, startOf } from '../../../src/web/pages/verify/samples.ts'
import { theme } from '../../../src/web/theme.ts'
import { compareWithGolden } from '../check-screen.ts'
import { rendered, show, useScreens } from '../screen.tsx'
import { shownText } from '../shown-text.ts'
import { hoursAgo } from './known.ts'

useScreens()

/** Renders a part of a page by itself. */
async function partText(part: ReactNode, search = ''): Promise<string> {
  globalThis.fetch = () => new Promise(() => {})
  const root = createRootRoute({ component: () => <main>{part}</main> })
  const any = createRoute({ getParentRoute: () => root, path: '$' })
  const history = createMemoryHistory({ initialEntries: [`/page${search}`] })
  const router = createRouter({ routeTree: root.addChildren([any]), history })
  show(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await router.load()
  await rendered()
  return shownText(document.querySelector('main')!)
}

const item = (kind: QueueItem['kind'], more: Partial<QueueItem> = {}): QueueItem => ({
  ...{ id: kind, revision: 'r1', kind, provider: 'acme', source: 'list', reasons: [], openedAt: hoursAgo(3) },
  ...{ question: `About ${kind}?`, endsBy: [], resources: ['gpt'], texts: [], rows: 1, ...more },
})
const sent = (of: QueueItem, more: Partial<SentDecision> = {}): SentDecision => ({
  ...{ item: of, decision: { decision: 'approve', reason: 'reviewed' }, events: {}, ...more },
})
const closed = { decision: 'rejected' as const, decidedAt: hoursAgo(2), decidedBy: 'ada', reason: null }
const [PRICE, GONE] = [item('price'), item('removal')]
const kept = (count: number): Pending[] =>
  Array.from({ length: count }, () => ({
    ...{ item: PRICE, revision: 'r1', batch: 1, sendAt: 0, by: 'a1' },
    decision: { decision: 'approve', reason: 'r' },
  }))

type Log = Parameters<typeof DecisionProblems>[0]
const log = (more: Partial<Log>): Log => {
  const nothing = () => {}
  const none = { waiting: [], sending: [], sent: [], failed: undefined, gone: new Set<string>() }
  return {
    ...none,
    ...{
      decide: nothing,
      undo: () => [],
      retry: nothing,
      sendNow: nothing,
      putBack: nothing,
      dismiss: nothing,
      onShow: nothing,
    },
    ...more,
  }
}

it('what became of decisions', async () => {
  const problem = 'It was decided before.'
  const refused = [
    sent(PRICE, { problem, closed }),
    sent(GONE, { problem, closed: { ...closed, decision: 'superseded' } }),
    sent(item('terms'), { problem, closed: { ...closed, decidedBy: null } }),
    sent(item('rename'), { problem: 'It changed.', code: 'review_changed' }),
  ]
  const done = [
    sent(PRICE, { events: { 'price.changed': 2, 'resource.added': 1 } }),
    sent(item('mass_change', { resources: ['a', 'b'], rows: 12 }), { decision: { decision: 'edit', reason: 'r' } }),
    sent(item('price', { id: 'p2', provider: '*' }), { decision: { decision: 'reject', reason: 'r' } }),
    sent(item('removal', { question: 'Delist gpt.' })),
    sent(item('price', { id: 'p3', resources: [] }), {}),
    ...Array.from({ length: 5 }, (_, n) => sent(item('terms', { id: `t${n}` }))),
  ]
  const parts: Record<string, ReactNode> = {
    'one is sent soon': <PendingDecisions {...log({ waiting: kept(1) })} onUndo={() => {}} />,
    'two are sent soon': <PendingDecisions {...log({ waiting: kept(2) })} onUndo={() => {}} />,
    'none is': <PendingDecisions {...log({})} onUndo={() => {}} />,
    'one was not decided': <DecisionProblems {...log({ sent: [...refused.slice(3), ...done] })} />,
    'several were not decided': <DecisionProblems {...log({ sent: refused })} />,
    'one was not sent': (
      <DecisionProblems
        {...log({
          failed: { error: new ApiError(401, { code: 'unauthorized', message: 'Ended.' }), waiting: kept(1) },
        })}
      />
    ),
    'two were not sent': (
      <DecisionProblems {...log({ failed: { error: new ConnectionError({ cause: undefined }), waiting: kept(2) } })} />
    ),
    'what was decided': <DecidedHere {...log({ sent: [...done, ...refused] })} />,
    'what is on the way': <DecidedHere {...log({ sending: kept(2) })} />,
    'nothing was decided': <DecidedHere {...log({ sent: refused })} />,
  }
  const shown: string[] = []
  for (const [name, part] of Object.entries(parts)) {
    shown.push(`== ${name}\n${await partText(part)}`)
  }
  const pressed: string[] = []
  const press = (name: string) => () => void pressed.push(name)
  await partText(
    <DecisionProblems
      {...log({
        sent: refused,
        onShow: ({ id }) => pressed.push(id),
        failed: { error: new Error('It broke.'), waiting: kept(1) },
        retry: press('retry'),
        putBack: press('put back'),
      })}
    />,
  )
  for (const button of document.querySelectorAll('main button')) fireEvent.click(button)
  expect(pressed).toEqual(['retry', 'put back', 'rename'])
  await compareWithGolden('decisions', shown)
})

it('says on the next page what became of decisions that a page sent when it was left', () => {
  const saidOf = (act: () => void): string[] => {
    notifications.clean()
    act()
    const said = notificationsStore.getState().notifications.map(({ title, message }) => `${title} ${message}`)
    notifications.clean()
    return said
  }
  const unsent = ['a', 'b', 'c', 'd', 'e'].map((name) => item('price', { resources: [name], question: name }))
  const problem = 'It was decided before.'
  const refused = unsent.map((one) => sent(one, { problem }))
  const where = 'Open Review: what still waits is listed there.'
  expect(saidOf(() => sayElsewhere(unsent.slice(0, 1), new Error('Lost.'), []))).toEqual([
    `1 decision was not sent Lost. About: a. ${where}`,
  ])
  expect(saidOf(() => sayElsewhere(unsent, new Error('Lost.'), []))).toEqual([
    `5 decisions were not sent Lost. About: a, b, c and 2 more. ${where}`,
  ])
  expect(saidOf(() => sayElsewhere([], undefined, [sent(PRICE), ...refused.slice(0, 1)]))).toEqual([
    'Not decided: a It was decided before.',
  ])
  expect(saidOf(() => sayElsewhere([], undefined, refused.slice(0, 3)))).toEqual([
    `3 items were not decided They changed, or were decided, before your decision arrived. About: a, b, c. ${where}`,
  ])
  expect(saidOf(() => sayElsewhere(unsent, undefined, [sent(PRICE)]))).toEqual([])
})

it('a long name is cut in its middle, its last ten characters never', async () => {
  const cutOf = async (name: string) => {
    const whole = await partText(<Middle>{name}</Middle>)
    return { whole, parts: [...document.querySelectorAll('.middle > span')].map(({ textContent }) => textContent) }
  }
  const short = '12345678901234567890abcd'
  expect(await cutOf(short)).toEqual({ whole: short, parts: [] })
  // A character of two units is one.
  const long = '123456789012345😀bcdefghij'
  expect(await cutOf(long)).toEqual({ whole: long, parts: ['123456789012345', '😀bcdefghij'] })
})

it('a part of the app that is missing is loaded again with the page, once the service answers', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  onTestFinished(() => reload.mockRestore())
  const asked: unknown[][] = []
  let answers = true
  const shownWith = async (error: Error) => {
    await partText(<RouteFailure error={error} />)
    globalThis.fetch = (async (...given: unknown[]) => {
      asked.push(given)
      if (!answers) throw new TypeError('no network')
      return new Response()
    }) as typeof fetch
  }
  const after = async (act: () => void) => {
    asked.length = 0
    reload.mockClear()
    act()
    await new Promise((resolve) => setTimeout(resolve))
    return { asked: asked.length, reloads: reload.mock.calls.length }
  }
  const press = () => fireEvent.click(document.querySelector('[role="alert"] button')!)
  const online = () => window.dispatchEvent(new Event('online'))
  await shownWith(new TypeError('It is gone.'))
  expect(await after(online)).toEqual({ asked: 0, reloads: 0 })
  expect(await after(press)).toEqual({ asked: 1, reloads: 1 })
  expect(asked[0]).toEqual(['/icon.svg', { method: 'HEAD', cache: 'no-store' }])
  await shownWith(new ConnectionError({ cause: undefined }))
  expect(await after(online)).toEqual({ asked: 1, reloads: 1 })
  answers = false
  expect(await after(online)).toEqual({ asked: 1, reloads: 0 })
  expect(await after(press)).toEqual({ asked: 1, reloads: 0 })
  // What the service refused is asked again by the page itself.
  answers = true
  await shownWith(new ApiError(500, { code: 'internal', message: 'It broke.' } as never))
  expect(await after(press)).toEqual({ asked: 0, reloads: 0 })
  expect(await after(online)).toEqual({ asked: 0, reloads: 0 })
})

it('a page that could not be loaded', async () => {
  const errors: [Error | string, string?][] = [
    [new ApiError(404, { code: 'not_found', message: 'There is nothing.' })],
    [new ApiError(404, { code: 'not_found', message: 'It was deleted.' })],
    [new ApiError(400, { code: 'as_of_too_recent', message: 'Too soon.' }), '?asOf=2026-01-01T00:00:00Z&q=gpt'],
    [new ApiError(400, { code: 'history_lost', message: 'Too old.' })],
    [new ApiError(404, { code: 'history_lost', message: 'Too old, and missing.' })],
    [new ConnectionError({ cause: undefined })],
    ['a text'],
  ]
  const shown: string[] = []
  for (const [error, search] of errors) {
    shown.push(`== ${error}\n${await partText(<RouteFailure error={error} />, search)}`)
  }
  await compareWithGolden('route-failures', shown)
})

it('a sample listens where the webhook sends to, by path and host with its port', () => {
  const sample = (value: string) => ({ value }) as Parameters<typeof aboutSample>[0]
  const url = 'https://hooks.example.com:8443/orders/new?from=us'
  expect(aboutSample(sample('node'), url)).toBe(
    'It listens on port 3000, or on what PORT says, at /orders/new: send what comes to hooks.example.com:8443 there. No dependencies.',
  )
  expect(aboutSample(sample('shell'), url)).toContain('one request whose body you saved')
  expect(sampleFor('serve(PATH, PATHS)', url)).toBe('serve("/orders/new", PATHS)')
  expect(startOf({ start: 'node receiver.mjs' })).toBe('WEBHOOK_SECRET=whsec_… node receiver.mjs')
  expect(startOf({ start: 'node receiver.mjs' }, 'whsec_abc')).toBe('WEBHOOK_SECRET=whsec_abc node receiver.mjs')
})
