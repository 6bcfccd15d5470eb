import '../light-dom.ts'
import { expect, it } from 'vitest'
import { auditQuery } from '../../../src/web/api/audit.ts'
import { type FeedItem, feedPagesQuery, recordedPagesQuery } from '../../../src/web/api/feed.ts'
import { deliveryQuery, webhookQuery } from '../../../src/web/api/webhooks.ts'
import { type Answers, hoursAgo, knownScreens, refused } from '../known/known.ts'
import { webhook } from '../known/webhook.ts'

const { openAnswered } = knownScreens()

type Knowledge = NonNullable<Parameters<typeof openAnswered>[2]>
const GONE = 'The database is not there.'
const unreadable = refused(400, 'unavailable', GONE)
const onePage = (page: object) => ({ pages: [page], pageParams: [undefined] }) as never
const added = (resource: string): FeedItem => ({
  ...{ seq: '1', id: resource, type: 'resource.added', provider: 'acme', at: hoursAgo(3), resource, lines: 1 },
})
const entry = (subject: string) => ({
  ...{ entryId: subject, at: hoursAgo(1), action: 'key_created', accountId: 'a1', email: 'olga@example.com' },
  ...{ workspaceId: null, workspace: null, subject, subjectName: subject, address: null, detail: {} },
})
const attempts = (number: number, more: object = {}) => ({
  ...{ id: 'd1', eventId: 'evt_1', eventType: 'price.changed', provider: 'acme', subject: 'gpt', status: 'pending' },
  ...{ cycle: 1, notSent: false, createdAt: hoursAgo(5), payloadBytes: 1_234, payload: '{}' },
  attempts: [{ cycle: 1, number, at: hoursAgo(4), outcome: 'failed', durationMs: 85 }],
  ...more,
})

type List = { path: string; known: Knowledge; answers: Answers; button: string; first: string; next: string }

/** What is shown stays where the page after it cannot be read, with the reason; the same button reads it then. */
async function isReadAgain({ path, known, answers, button, first, next }: List) {
  const page = await openAnswered(path, answers, known)
  expect(page.text()).toContain(first)
  await page.press(button)
  await page.until(GONE)
  expect(page.text()).toContain(first)
  page.reads()
  await page.press(button)
  await page.until(next)
  expect(page.reads()).toEqual([expect.stringMatching(/[?&](after|before|attemptsBefore)=/)])
  expect(page.text()).toContain(first)
  expect(page.text()).not.toContain(GONE)
  page.close()
}

it('older entries of the audit log', () =>
  isReadAgain({
    path: '/operator/audit',
    known: (queryClient) =>
      queryClient.setQueryData(auditQuery({}, true).queryKey, onePage({ entries: [entry('newer')], next: 'n1' })),
    answers: { 'GET /v1/operator/audit': [unreadable, { body: { entries: [entry('older')], next: null } }] },
    ...{ button: 'Older entries', first: 'newer', next: 'older' },
  }))

it('earlier changes', () =>
  isReadAgain({
    path: '/?workspace=w1',
    known: (queryClient) =>
      queryClient.setQueryData(feedPagesQuery({}).queryKey, onePage({ items: [added('newer')], next: 'n1' })),
    answers: { 'GET /v1/app/feed': [unreadable, { body: { items: [added('older')], next: 'n2' } }] },
    ...{ button: 'Show earlier changes', first: 'newer', next: 'older' },
  }))

it('earlier changes of the price history', () =>
  isReadAgain({
    path: '/?workspace=w1',
    known: (queryClient) => {
      queryClient.setQueryData(feedPagesQuery({}).queryKey, onePage({ items: [] }))
      queryClient.setQueryData(recordedPagesQuery({}).queryKey, onePage({ items: [added('newer')], next: 'n1' }))
    },
    answers: { 'GET /v1/app/feed/recorded': [unreadable, { body: { items: [added('older')] } }] },
    ...{ button: 'Show earlier changes', first: 'newer', next: 'older' },
  }))

const DELIVERY = '/webhooks/h1/deliveries/d1?workspace=w1'
const delivered =
  (more: object): Knowledge =>
  (queryClient) => {
    queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook() })
    const delivery = attempts(5, more)
    queryClient.setQueryData(deliveryQuery('h1', 'd1').queryKey, { delivery, schedule: [] } as never)
  }

it('earlier attempts of a delivery', () =>
  isReadAgain({
    ...{ path: DELIVERY, known: delivered({ olderAttempts: '1.5.0' }) },
    answers: { 'GET /v1/webhooks/h1/deliveries/d1': [unreadable, { body: { delivery: attempts(4), schedule: [] } }] },
    ...{ button: 'Show earlier attempts', first: 'Attempt 5', next: 'Attempt 4' },
  }))

it('earlier attempts before those that were read', async () => {
  const page = await openAnswered(
    DELIVERY,
    {
      'GET /v1/webhooks/h1/deliveries/d1': [
        { body: { delivery: attempts(4, { olderAttempts: '1.4.0' }), schedule: [] } },
        { body: { delivery: attempts(3), schedule: [] } },
      ],
    },
    delivered({ olderAttempts: '1.5.0' }),
  )
  for (const [cursor, next] of [
    ['1.5.0', 'Attempt 4'],
    ['1.4.0', 'Attempt 3'],
  ] as const) {
    page.reads()
    await page.press('Show earlier attempts')
    await page.until(next)
    expect(page.reads()).toEqual([expect.stringContaining(`attemptsBefore=${cursor}`)])
  }
})

it('a delivery run that is refused is said', async () => {
  const page = await openAnswered(DELIVERY, {}, delivered({ nextTryAt: hoursAgo(1) }))
  await page.press('Start a delivery run now')
  expect(await page.effects()).toEqual(['says Delivery run not started: No answer.'])
})
