import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/dom'
import { expect, it } from 'vitest'
import {
  type Delivery,
  type DeliveryFilter,
  deliveriesQuery,
  secretQuery,
  statisticsQuery,
  type Webhook,
  type WebhookStatistics,
  webhookQuery,
  webhooksQuery,
} from '../../../src/web/api/webhooks.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { dayIn, hoursAgo, knownScreens } from './known.ts'
import { webhook } from './webhook.ts'

const { openAnswered, openKnown, shownOf } = knownScreens()

const counts = (succeeded: number, failed = 0, retrying = 0, notSent = 0) => ({ succeeded, failed, retrying, notSent })
const period = (own: ReturnType<typeof counts>, more: object = {}) => ({ ...own, steps: [], ...more })
const statistics = (webhookId: string, more: Partial<WebhookStatistics> = {}): WebhookStatistics => ({
  webhookId,
  day: period(counts(1_999, 1, 2), { medianMs: 85, p95Ms: 1_200 }),
  month: period(counts(1)),
  lastAttempt: { deliveryId: 'd1', at: hoursAgo(2), succeeded: true },
  ...more,
})
const none = period(counts(0))

it('webhooks and how their endpoints answered', async () => {
  const webhooks = [
    webhook({ eventTypes: ['price.changed', 'tos.changed'], providers: ['acme', 'other', 'third'] }),
    webhook({
      id: 'h2',
      name: 'Many',
      eventTypes: ['price.changed', 'price.revised', 'resource.added', 'tos.changed'],
    }),
    webhook({ id: 'h3', name: 'All', providers: ['*', 'acme'], state: 'paused' }),
    webhook({ id: 'h4', name: 'Four', providers: ['acme', 'b', 'c', 'd'], failuresInRow: 1 }),
    webhook({ id: 'h5', name: 'Unknown' }),
  ]
  const of = [
    statistics('h1'),
    statistics('h2', { day: none, lastAttempt: { deliveryId: 'd2', at: hoursAgo(48), succeeded: false } }),
    { webhookId: 'h3', day: none, month: none },
    statistics('h4', { day: period(counts(1, 1)) }),
  ]
  const list = (owned: Webhook[], most: number) => () =>
    openKnown('/webhooks', (queryClient: QueryClient) => {
      queryClient.setQueryData(webhooksQuery('w1').queryKey, { webhooks: owned, most })
      queryClient.setQueryData(statisticsQuery('w1').queryKey, { webhooks: of })
    })
  const shown = await shownOf({
    'none yet': list([], 10),
    all: list(webhooks, 6),
    'as many as there may be': list(webhooks, 5),
  })
  await compareWithGolden('list', shown)
})

const delivery = (id: string, more: Partial<Delivery> = {}): Delivery => ({
  ...{ id, eventId: `evt_${id}`, eventType: 'price.changed', status: 'succeeded', cycle: 1, notSent: false },
  ...{ createdAt: hoursAgo(2), attempts: [], payloadBytes: 2, provider: 'acme', subject: 'gpt', ...more },
})
const attempt = (more: object = {}) => ({
  cycle: 1,
  number: 1,
  at: hoursAgo(1),
  outcome: 'failed' as const,
  status: 500,
  ...more,
})
const DELIVERIES = [
  delivery('1', { status: 'pending', nextTryAt: hoursAgo(-3) }),
  delivery('2', { status: 'pending', nextTryAt: hoursAgo(1), attempts: [attempt({ error: 'HTTP 500' })] }),
  delivery('3', { cycle: 2, status: 'pending', attempts: [attempt()] }),
  delivery('4', { notSent: true, status: 'failed', attempts: [attempt()] }),
  delivery('5', {
    createdAt: hoursAgo(72),
    attempts: [attempt(), attempt({ number: 2, outcome: 'succeeded', status: 200 })],
  }),
  delivery('0123456789abcdefghijkl', { createdAt: hoursAgo(72), provider: undefined, subject: undefined } as never),
]

type Fixture = {
  hook?: Partial<Webhook>
  search?: string
  filter?: DeliveryFilter
  found?: Delivery[]
  matching?: number
  more?: boolean
  of?: WebhookStatistics
  failed?: number
}
const log =
  ({
    hook,
    search = '',
    filter = {},
    found = [],
    matching = found.length,
    more = false,
    of = statistics('h1'),
    failed = 0,
  }: Fixture) =>
  () =>
    openKnown(`/webhooks/h1?workspace=w1${search}`, (queryClient: QueryClient) => {
      queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook(hook) })
      queryClient.setQueryData(deliveriesQuery('h1', { status: 'failed', ...filter }).queryKey, {
        deliveries: [],
        matching: failed,
        more,
      })
      queryClient.setQueryData(deliveriesQuery('h1', filter).queryKey, { deliveries: found, matching, more })
      queryClient.setQueryData(statisticsQuery('w1').queryKey, { webhooks: [of] })
    })
const many = { found: DELIVERIES, matching: 1_000, more: true, failed: 1_000 }
const willPause = (failuresLeft: number, hours: number) => ({ failuresLeft, notBefore: hoursAgo(-hours) })

it('the log of a webhook, in each of its states', async () => {
  const shown = await shownOf({
    'nothing sent': log({}),
    'nothing found': log({ search: '&q=gpt', filter: { search: 'gpt' } }),
    'one found': log({
      search: '&q=gpt&type=webhook.test',
      filter: { search: 'gpt', type: 'webhook.test' },
      found: DELIVERIES.slice(0, 1),
      of: { ...statistics('h1'), day: none },
    }),
    'many found': log({ ...many, search: '&status=notSent', filter: { status: 'notSent' } }),
    'since a time': log({
      found: DELIVERIES,
      search: `&since=${dayIn(-332)}T03:04`,
      filter: { since: `${dayIn(-332)}T03:04:00Z` },
      of: { webhookId: 'h1', day: none, month: none },
    }),
    'those that succeeded': log({
      found: DELIVERIES.slice(4),
      search: '&status=succeeded',
      filter: { status: 'succeeded' },
    }),
    many: log(many),
    paused: log({ ...many, failed: 1, hook: { state: 'paused', pausedAt: hoursAgo(3), pausedReason: 'It failed.' } }),
    'failing once': log({ found: DELIVERIES, hook: { failuresInRow: 1, willPause: willPause(2, 5) } }),
    'failing often': log({ found: DELIVERIES, hook: { failuresInRow: 9, willPause: willPause(1, -5) } }),
    'on a day without an attempt': log({
      found: DELIVERIES,
      of: statistics('h1', { day: period(counts(0, 0, 0, 3)) }),
    }),
    'on a day when all failed': log({ found: DELIVERIES, of: statistics('h1', { day: period(counts(0, 2)) }) }),
    'failing without an end': log({ found: DELIVERIES, hook: { failuresInRow: 2 } }),
  })
  await compareWithGolden('log', shown)
})

it('what the buttons of a log and of a secret do', async () => {
  const chosen = ['Status', 'Failed', 'Event type', 'tos.changed', 'Created', 'Last 24 hours']
  const steps = chosen.map((name, n) => (n % 2 === 0 ? { tick: name } : name))
  const narrowed = (await walk(await log(many)(), steps)).slice(1)
  const parts = await walk(await log(many)(), ['Resend the newest 1,000 failed deliveries', 'Resend'])
  const narrow = { search: 'gpt', type: 'price.changed', since: `${dayIn(-332)}T03:04:00Z` }
  const few = log({
    search: `&q=gpt&type=price.changed&since=${dayIn(-332)}T03:04`,
    ...{ filter: narrow, found: DELIVERIES, failed: 2 },
  })
  parts.push(...(await walk(await few(), ['Resend 2 failed deliveries', 'Resend'])))
  const ofSecret = (own: Partial<Webhook>, secret?: { secret: string; previousValidUntil?: string }) =>
    openKnown('/webhooks/h1?workspace=w1&tab=secret', (queryClient: QueryClient) => {
      queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook(own) })
      if (secret) queryClient.setQueryData(secretQuery('h1', 'card').queryKey, secret)
    })
  const [secret, soon] = ['whsec_abc', hoursAgo(-10)]
  const rotating = ['Rotate the secret', 'Cancel']
  parts.push(...(await walk(await ofSecret({ previousSecretUntil: soon }), rotating)))
  const revealed = await ofSecret({}, { secret, previousValidUntil: soon })
  parts.push(...(await walk(revealed, [...rotating, 'Hide the secret', 'Reveal the secret'])))
  parts.push(...(await walk(await ofSecret({}, { secret }), ['Rotate the secret', 'Rotate'])))
  parts.push(...(await walk(await ofSecret({}, { secret }), ['Copy the secret'])).slice(1))
  parts.push(...(await walk(await ofSecret({}), ['Send a test', 'More actions', 'Pause', 'Pause'])).slice(1))
  const paused = await ofSecret({ state: 'paused' })
  parts.push(...(await walk(paused, ['Resume', 'Resume and resend', 'More actions', 'Delete'])).slice(1))
  await compareWithGolden('buttons', [...parts, ...narrowed])
})

it('a time that is not typed to its end changes nothing', async () => {
  const answers = {
    'GET /v1/webhooks/h1': [{ body: { webhook: webhook() } }],
    'GET /v1/webhooks/h1/deliveries': [{ body: { deliveries: DELIVERIES, matching: 6, more: false } }],
    'GET /v1/webhook-statistics': [{ body: { webhooks: [] } }],
  }
  const screen = await openAnswered('/webhooks/h1?since=2026-01-02T03:04', answers)
  // What is searched for next is in the address after what was typed before.
  for (const [sought, typed, since] of [
    ['one', '', '2026-01-02T03:04'],
    ['two', '2026-03-04T05:06', '2026-03-04T05:06'],
    ['three', '', '2026-03-04T05:06'],
  ] as const) {
    await screen.type('Created since, in UTC', typed)
    await screen.type('Search deliveries', sought)
    await waitFor(() => expect(screen.address()).toContain(`q=${sought}`))
    expect(screen.address()).toContain(`since=${encodeURIComponent(since)}`)
    expect(/{Created since.*/.exec(screen.text())?.[0]).toBe(`{Created since, in UTC: ${typed}}`)
  }
  screen.close()
})
