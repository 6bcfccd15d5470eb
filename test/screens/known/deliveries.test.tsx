import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { fireEvent } from '@testing-library/dom'
import { expect, it } from 'vitest'
import { deliveryQuery, type ExplainedDelivery, type Webhook, webhookQuery } from '../../../src/web/api/webhooks.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { rendered } from '../screen.tsx'
import { hoursAgo, knownScreens, session } from './known.ts'
import { webhook } from './webhook.ts'

const { openKnown, shownOf } = knownScreens()

type Delivery = ExplainedDelivery['delivery']
type Attempt = Delivery['attempts'][number]
const attempt = (number: number, outcome: Attempt['outcome'], more: Partial<Attempt> = {}): Attempt => ({
  ...{ cycle: 1, number, at: hoursAgo(10 - number), outcome, durationMs: 85, ...more },
})
const failed = (number: number, more: Partial<Attempt> = {}) => attempt(number, 'failed', more)
const delivery: Delivery = {
  ...{ id: 'd1', eventId: 'evt_1', eventType: 'price.changed', provider: 'acme', subject: 'gpt', status: 'pending' },
  ...{ cycle: 1, notSent: false, createdAt: hoursAgo(5), attempts: [], payloadBytes: 1_234, payload: '{}' },
}
type Fixture = Partial<Delivery> & {
  hook?: Partial<Webhook>
  schedule?: ExplainedDelivery['schedule']
  temporalUrl?: string
}

const open =
  ({ hook, schedule = [], temporalUrl, ...more }: Fixture, path = '', isOperator = true) =>
  () =>
    openKnown(
      `/webhooks/h1/deliveries/d1?workspace=w1${path}`,
      (queryClient: QueryClient) => {
        queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook(hook) })
        const explained = { delivery: { ...delivery, ...more }, schedule, ...(temporalUrl && { temporalUrl }) }
        queryClient.setQueryData(deliveryQuery('h1', 'd1').queryKey, explained)
      },
      isOperator ? session : { ...session, account: { ...session.account, operator: false } },
    )

const step = (number: number, state: ExplainedDelivery['schedule'][number]['state'], more: object = {}) => ({
  number,
  state,
  ...more,
})
const MINUTE = 60_000
/** Due already: the next run makes it. */
const due = { nextTryAt: hoursAgo(1) }
it('what a delivery came to, in each of its states', async () => {
  const shown = await shownOf({
    'of a paused webhook': open({ hook: { state: 'paused' }, ...due }),
    'not sent, and still paused': open({ notSent: true, hook: { state: 'paused' } }),
    'not sent, and active again': open({ notSent: true, attempts: [failed(1, { status: 500 })] }),
    'delivered by a resend': open({
      ...{ status: 'succeeded', cycle: 2, finishedAt: hoursAgo(1), temporalUrl: 'https://temporal.example/' },
      attempts: [
        failed(2, { error: 'HTTP 503', status: 503 }),
        failed(6, { error: 'HTTP 500', status: 500, response: 'Oh no.' }),
        attempt(1, 'succeeded', { cycle: 2, status: 204 }),
      ],
      schedule: [step(1, 'succeeded', { at: hoursAgo(1) }), step(2, 'omitted', { waitMs: 5 * MINUTE })],
      payload: JSON.stringify({ document: 'terms', previous: { versionId: 'a' }, current: { versionId: 'b' } }),
    }),
    'just resent': open({ ...due, cycle: 2, attempts: [failed(6, { error: 'HTTP 500', status: 500 })] }),
    'failed without a reason': open({ status: 'failed', attempts: [failed(6)], subject: undefined } as never),
    'being sent': open({
      attempts: [
        failed(1, { earlierPosts: [{ startedAt: hoursAgo(3), error: 'reset', durationMs: 12 }] }),
        attempt(2, 'started', { durationMs: undefined } as never),
      ],
      schedule: [step(1, 'failed', { at: hoursAgo(3) }), step(2, 'started', { at: hoursAgo(2), waitMs: 5 * MINUTE })],
      olderAttempts: '1.2.3',
    }),
    'of an unknown outcome': open({
      ...{
        attempts: [attempt(1, 'unknown'), attempt(2, 'platform', { error: 'our database' })],
        nextTryAt: hoursAgo(-2),
      },
      schedule: [
        step(1, 'unknown'),
        step(3, 'next', { at: hoursAgo(-2), waitMs: 120 * MINUTE }),
        step(4, 'planned', { at: hoursAgo(-4), waitMs: 30 * MINUTE }),
      ],
      provider: undefined,
    } as never),
    'after an unknown outcome': open({
      ...due,
      attempts: [attempt(1, 'unknown')],
      schedule: [step(2, 'next', { at: hoursAgo(1) })],
    }),
    'of someone who operates nothing': open(due, '', false),
    'as it is sent': open({ payload: '{"a":[1,{"b":null}],"c":{},"d":[]}' }, '&view=sent'),
    folded: open({ payload: '{"a":[1,{"b":null}],"c":{},"d":[]}' }),
    'folded and long': open({ payload: JSON.stringify({ a: [1], list: Array.from({ length: 2_000 }, () => 1) }) }),
  })
  await compareWithGolden('states', shown)
})

it('the headers of each attempt, and what its buttons send', async () => {
  const headers = (n: number) => ({ 'webhook-id': 'evt_1', 'webhook-timestamp': `${n}` })
  // Those of the second sending were not kept.
  const resent = [failed(1, { cycle: 2 }), failed(1, { cycle: 3, headers: headers(3) })]
  const attempts = [failed(1, { headers: headers(1) }), failed(2), ...resent]
  const pressed = [
    { tick: 'Attempt whose headers are shown' },
    'Attempt 1',
    'Start a delivery run now',
    'Resend',
    'Resend',
    'Copy as curl',
  ]
  const walked = await walk(await open({ ...due, cycle: 3, attempts })(), pressed)
  await compareWithGolden('request', walked)
})

it('how a payload is shown, which is in the address', async () => {
  const payload = '{"a":{"b":1}}'
  const screen = await open({ payload })()
  expect(screen.text()).not.toContain(payload)
  await screen.tick('As sent')
  expect(screen.address()).toBe('/webhooks/h1/deliveries/d1?workspace=w1&view=sent')
  expect(screen.text()).toContain(payload)
  await screen.tick('Folded')
  expect(screen.address()).toBe('/webhooks/h1/deliveries/d1?workspace=w1')
  expect(screen.text()).not.toContain(payload)
  screen.close()
})

it('parts of a payload unfold one by one, also where they have the same name', async () => {
  const prices = { before: { price: { usd: 1 } }, after: { price: { usd: 2 } } }
  const screen = await open({ payload: JSON.stringify({ ...prices, long: 'x'.repeat(4_000) }) })()
  const shown = () => screen.text().match(/^(before|after|price|usd): .*/gm)
  async function unfold(label: string): Promise<void> {
    fireEvent.click([...document.querySelectorAll('[role="treeitem"] p')].find((one) => one.textContent === label)!)
    await rendered()
  }
  expect(shown()).toEqual(['before: { 1 }', 'after: { 1 }'])
  for (const label of ['after: { 1 }', 'before: { 1 }', 'price: { 1 }']) await unfold(label)
  expect(shown()).toEqual(['before: { 1 }', 'price: { 1 }', 'usd: 1', 'after: { 1 }', 'price: { 1 }'])
  screen.close()
})

it('earlier attempts, a page after the other, the newest first', async () => {
  const page = (from: number, more: object = {}) => ({ attempts: [failed(from), failed(from + 1)], ...more })
  async function shownWith(...pages: object[]) {
    const screen = await openKnown('/webhooks/h1/deliveries/d1?workspace=w1', (queryClient: QueryClient) => {
      queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook() })
      const shown = { ...delivery, attempts: [failed(5)], olderAttempts: '1.5.0' }
      queryClient.setQueryData(deliveryQuery('h1', 'd1').queryKey, { delivery: shown, schedule: [] })
      const key = [...deliveryQuery('h1', 'd1').queryKey, 'attempts before', '1.5.0']
      if (pages.length > 0) queryClient.setQueryData(key, { pages, pageParams: pages.map(() => '') })
    })
    const shown = screen.text().match(/Earlier attempts|Attempt \d|\[Show earlier attempts\]/g)
    screen.close()
    return shown
  }
  const next = { olderAttempts: '1.3.0' }
  const button = '[Show earlier attempts]'
  expect(await shownWith()).toEqual(['Attempt 5', button])
  expect(await shownWith(page(3, next))).toEqual(['Attempt 5', 'Earlier attempts', 'Attempt 3', 'Attempt 4', button])
  expect(await shownWith(page(3, next), page(1))).toEqual([
    ...['Attempt 5', 'Earlier attempts', 'Attempt 3', 'Attempt 4', 'Earlier attempts', 'Attempt 1', 'Attempt 2'],
  ])
})
