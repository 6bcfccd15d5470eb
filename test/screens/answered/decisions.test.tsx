import '../light-dom.ts'
import { fireEvent, waitFor } from '@testing-library/dom'
import { flushSync } from 'react-dom'
import { afterEach, expect, it } from 'vitest'
import { ApiError } from '../../../src/web/api/connection/client.ts'
import { sessionEnded } from '../../../src/web/api/connection/session-ended.ts'
import {
  accountsQuery,
  type DecideAnswer,
  type ItemDetails,
  type ItemLine,
  type QueueItem,
  reviewItemQuery,
  reviewQuery,
} from '../../../src/web/api/operator.ts'
import { type Answers, daysAgo, knownScreens, refused } from '../known/known.ts'
import { rendered } from '../screen.tsx'

const { openAnswered } = knownScreens()
afterEach(() => void sessionEnded.signedIn())

const item = (id: string, more: Partial<QueueItem> = {}): QueueItem => ({
  ...{ id, revision: `${id}1`, kind: 'price', provider: 'acme', source: 'list', reasons: [], openedAt: daysAgo(3) },
  ...{ question: `About ${id}?`, endsBy: [], resources: [id], texts: [], rows: 1, ...more },
})
const LINE: ItemLine = {
  ...{ contentHash: 'l1', resource: 'a', name: 'input tokens', unit: 'usd_per_token', price: '0.000002' },
  ...{ perUnit: 'USD per million tokens', reasons: [], facts: [], witnesses: [] },
}
const details = (of: QueueItem): ItemDetails => ({ item: of, lines: [LINE], known: [], beside: [] })
const listed = (items: QueueItem[]) => {
  const all = { waiting: items.length, kinds: [], providers: [], sources: [], reasons: [] }
  return { items, matching: items.length, all }
}
type DecisionResult = DecideAnswer['decided'][number]
const decided = (...results: DecisionResult[]) => ({ body: { decided: results, events: {} } satisfies DecideAnswer })
const done = (id: string): DecisionResult => ({ id, revision: `${id}1`, events: {} })
const changed = (id: string): DecisionResult => ({ ...done(id), problem: `${id} changed.`, code: 'review_changed' })

const DECIDE = 'POST /v1/operator/review/decisions'
const [A, B, C] = [item('a'), item('b'), item('c')]
const AGAIN = { code: 'again', name: 'Again', meaning: 'The source said it again.' }
const newer = (of: QueueItem): QueueItem => ({ ...of, revision: `${of.id}2`, reasons: [AGAIN] })

/** The page, which knows these items, and is told these when it reads again. */
async function review(items: QueueItem[], answers: Answers = {}, now = items) {
  const read = now.map((one) => [`GET /v1/operator/review/${one.id}`, [{ body: details(one) }]])
  const page = await openAnswered(
    '/operator/review',
    { 'GET /v1/operator/review': [{ body: listed(now) }], ...Object.fromEntries(read), ...answers },
    (queryClient) => {
      queryClient.setQueryData(reviewQuery({}).queryKey, listed(items))
      queryClient.setQueryData(accountsQuery.queryKey, { accounts: [] })
      for (const one of items) queryClient.setQueryData(reviewItemQuery(one.id).queryKey, details(one))
    },
  )
  const list = async (then: QueueItem[]) => {
    page.queryClient.setQueryData(reviewQuery({}).queryKey, listed(then))
  }
  /** What was decided since this was asked last: decision and revisions. */
  const decisions = () =>
    page.changes().map((request) => {
      const { decision, revisions, edits } = JSON.parse(request.replace(`${DECIDE} `, ''))
      return [decision, revisions, edits].filter(Boolean)
    })
  return { ...page, list, decisions }
}
const CHANGED = 'This item changed while you were looking at it'

it('items that changed before a decision about them are read again, each when it is asked for', async () => {
  const answers = { [DECIDE]: [decided(changed('a'), changed('c')), decided({ ...done('c'), events: {} })] }
  const page = await review([A, B, C], answers, [newer(A), B, newer(C)])
  await page.press('Approvea')
  await page.key('j')
  await page.press('Approvea')
  expect(page.text()).toContain('2 decisions are sent in a few seconds.')
  page.reads()
  await page.press('Send now')
  expect(page.decisions()).toEqual([['approve', { a: 'a1', c: 'c1' }]])
  await page.until('2 items were not decided')
  expect(page.reads()).toContain('/v1/operator/review/c')
  expect(await page.effects(), 'the page itself says it').toEqual([])
  await page.press('Look at it again')
  expect(page.text()).toContain('Not decided: c')
  expect(page.text()).not.toContain('a changed.')
  await page.press('Rejectr')
  await page.key('j')
  await page.press('Approvea')
  await page.press('Send now')
  expect(page.decisions()).toEqual([
    ['reject', { a: 'a2' }],
    ['approve', { c: 'c2' }],
  ])
  await waitFor(() => expect(page.text()).not.toContain('Not decided'))
})

it('decisions that were refused for want of a session are sent again after the next sign-in', async () => {
  const page = await review([A, B], { [DECIDE]: [refused(401, 'unauthorized', 'Sign in.'), decided(done('a'))] }, [B])
  await page.press('Approvea')
  await page.press('Send now')
  await page.until('Your session has ended. They are sent when you have signed in again.')
  expect(page.decisions()).toEqual([['approve', { a: 'a1' }]])
  sessionEnded.signedIn()
  await page.until('1 decided here')
  expect(page.decisions()).toEqual([['approve', { a: 'a1' }]])
  expect(page.text()).not.toContain('not sent')
})

it('decisions that were refused for another reason wait for their operator, whoever signs in', async () => {
  const page = await review([A, B], { [DECIDE]: [refused(400, 'invalid_body', 'It broke.')] })
  await page.press('Approvea')
  await page.press('Send now')
  await page.until('It broke.')
  sessionEnded.notice(new ApiError(401, { code: 'unauthorized', message: 'Ended.' }))
  await page.until('Your session has ended')
  sessionEnded.signedIn()
  await waitFor(() => expect(page.text()).not.toContain('Your session has ended'))
  expect(page.decisions()).toHaveLength(1)
  await page.press('Send again')
  expect(page.decisions()).toHaveLength(1)
})

it('the next page says what became of the decisions of an operator who left', async () => {
  const page = await review([A, B], { [DECIDE]: [decided(changed('a'))] })
  await page.press('Approvea')
  await page.go('/operator/users', () => {})
  expect(page.decisions()).toEqual([['approve', { a: 'a1' }]])
  await waitFor(async () =>
    expect(await page.effects()).toEqual(['says until it is closed Not decided: a: a changed.']),
  )
})

it('an item that changes while it is open is decided after it was read again', async () => {
  const page = await review([A, B], {}, [newer(A), B])
  expect(page.reads()).toEqual([])
  await page.list([newer(A), B])
  await page.until(CHANGED)
  expect(page.reads()).toEqual(['/v1/operator/review/a'])
  await page.key('a')
  expect(page.text(), 'nothing is decided yet').not.toContain('in a few seconds')
  await page.tick('Select all')
  expect(page.buttons(), 'of those that are selected it is one').toContain('Approve 2 selecteda')
  await page.tick('2 selected')
  await page.press('I have read it')
  expect(page.text()).not.toContain(CHANGED)
  await page.press('Approvea')
  await page.press('Send now')
  expect(page.decisions()).toEqual([['approve', { a: 'a2' }]])
})

it('a decision is about what is on the screen, also where the list knows something newer that cannot be read', async () => {
  const page = await review([A, B], { 'GET /v1/operator/review/a': [refused(400, 'unknown', 'Not now.')] })
  page.reads()
  await page.list([newer(A), B])
  await waitFor(() => expect(page.reads()).toContain('/v1/operator/review/a'))
  await page.press('Approvea')
  await page.press('Send now')
  expect(page.decisions()).toEqual([['approve', { a: 'a1' }]])
})

it('a key that is held down moves on, and decides once', async () => {
  const page = await review([A, B, C])
  const hold = async (key: string) => {
    for (const repeat of [false, true, true]) {
      fireEvent.keyDown(document.body, { key, code: key, repeat })
      await rendered()
    }
  }
  await hold('a')
  await page.press('Send now')
  expect(page.decisions()).toEqual([['approve', { a: 'a1' }]])
  await hold('j')
  await page.press('Approvea')
  await page.press('Send now')
  expect(page.decisions()).toEqual([['approve', { c: 'c1' }]])
})

it('a key that is held down reads what it stops at, and not what it passes', async () => {
  const items = Array.from({ length: 30 }, (_, n) => item(`m${n}`))
  const read = items.map((one) => [`GET /v1/operator/review/${one.id}`, [{ body: details(one) }]])
  const page = await openAnswered('/operator/review', {
    'GET /v1/operator/review': [{ body: listed(items) }],
    ...Object.fromEntries(read),
  })
  const itemsRead = () => page.reads().filter((address) => address.startsWith('/v1/operator/review/'))
  expect(itemsRead()).toEqual(['m0', 'm1', 'm2'].map((id) => `/v1/operator/review/${id}`))
  // No timer ends between two keys: each is pressed as soon as the page has the one before.
  for (let n = 1; n < items.length; n++)
    flushSync(() => void fireEvent.keyDown(document.body, { key: 'j', code: 'KeyJ', repeat: n > 1 }))
  expect(page.text()).toMatch(/^m29$/m)
  await page.until('Input tokens')
  // Where the page was open for a while, the first step is read too.
  expect(itemsRead().filter((address) => !address.endsWith('/m3'))).toEqual(['/v1/operator/review/m29'])
})

it('each price that was typed is published', async () => {
  const lines = [LINE, { ...LINE, contentHash: 'l2', name: 'output tokens', price: '0.000008' }]
  const page = await review([A], { 'GET /v1/operator/review/a': [{ body: { ...details(A), lines } }] })
  page.queryClient.setQueryData(reviewItemQuery('a').queryKey, { ...details(A), lines })
  await page.until('Output tokens')
  await page.press('Edite')
  await page.type(/input tokens/, '3')
  await page.type(/output tokens/, '9')
  await page.press('Publish these prices')
  await page.press('Send now')
  const typed = ['0.000003', '0.000009'].map((price, n) => ({ contentHash: `l${n + 1}`, price }))
  expect(page.decisions()).toEqual([['edit', { a: 'a1' }, typed]])
})

it('prices that were typed for an item are not published once it has changed', async () => {
  const page = await review([A, B], {}, [newer(A), B])
  await page.press('Edite')
  await page.list([newer(A), B])
  await page.until(AGAIN.meaning)
  await page.press('Publish these prices')
  expect(page.text()).toContain('The prices of this item changed while you typed. Cancel, and look at them again.')
  expect(page.text()).not.toContain('in a few seconds')
})

it('an item that leaves the list while it is open is read again, for how it was decided', async () => {
  const page = await review([A, B])
  await page.list([B])
  await page.until('This item left the list while you were looking at it.')
  expect(page.reads()).toEqual(['/v1/operator/review/a'])
})

it('the preview of a decision about many items names those it leaves out', async () => {
  const items = Array.from({ length: 14 }, (_, n) => item(`m${n}`))
  const { revision: _, ...second } = { ...done('m1'), problem: 'It was decided before.' }
  const preview = decided(...items.map(({ id }) => (id === 'm1' ? second : done(id))))
  const page = await review(items, { [DECIDE]: [preview] })
  await page.tick('Select all')
  await page.key('a')
  await page.until('Left out')
  const [, dialog = ''] = page.text().split('Approve 14 items?')
  expect(dialog).toMatch(/ACME: About m1\? Left out: It was decided before\./)
  expect(dialog.match(/Left out/g)).toHaveLength(1)
  expect(dialog).toContain('and 2 more')
  expect(page.offered()).toContain('Approve 13')
})

it('a decision that leaves out every item cannot be sent', async () => {
  const { revision: _, ...decidedBefore } = { ...done('a'), problem: 'It was decided before.' }
  const page = await review([A, B], { [DECIDE]: [decided(decidedBefore, { ...decidedBefore, id: 'b' })] })
  await page.tick('Select all')
  await page.key('a')
  await page.until('Left out')
  expect(page.text()).toContain('[Approve 0, disabled]')
})

it('what is selected with a key is taken out again with it, and nothing else', async () => {
  const page = await review([A, B, C], { [DECIDE]: [decided(done('a'), done('b'))] })
  for (const key of [' ', 'j', ' ', 'j', ' ', ' ']) await page.key(key)
  expect(page.text()).toContain('2 selected')
  await page.key('r')
  const [request] = page.changes()
  expect(JSON.parse(request!.replace(`${DECIDE} `, ''))).toMatchObject({ ids: ['a', 'b'], dryRun: true })
})

it('the queue is narrowed to a resource that is typed, and whole again without', async () => {
  const page = await review([A])
  const label = 'Resource, its exact name'
  await page.type(label, ' a/b ')
  await waitFor(() => expect(page.address()).toBe('/operator/review?resource=a%2Fb'))
  await page.until('About a')
  expect(page.reads()).toContain('/v1/operator/review?resource=a%2Fb')
  await page.type(label, '  ')
  await waitFor(() => expect(page.address()).toBe('/operator/review'))
  await page.type(label, 'a/b')
  await waitFor(() => expect(page.address()).toBe('/operator/review?resource=a%2Fb'))
  await page.press('Clear')
  expect(page.address()).toBe('/operator/review')
  expect(page.text()).toContain(`{${label}: }`)
})
