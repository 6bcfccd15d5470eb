import '../light-dom.ts'
import { waitFor } from '@testing-library/dom'
import { afterEach, expect, it } from 'vitest'
import { keyOf } from '../../../src/web/api/connection/drafts.ts'
import { sessionEnded } from '../../../src/web/api/connection/session-ended.ts'
import {
  choicesQuery,
  deliveriesQuery,
  eventExamplesQuery,
  resourcesQuery,
  secretQuery,
  statisticsQuery,
  type Webhook,
  webhookQuery,
  webhooksQuery,
} from '../../../src/web/api/webhooks.ts'
import { NEW_WEBHOOK } from '../../../src/web/pages/webhooks/form/form-values.ts'
import { type Answers, failed, hoursAgo, knownScreens, refused } from '../known/known.ts'
import { webhook } from '../known/webhook.ts'
import type { Knowledge } from '../screen.tsx'

const { openAnswered, openKnown } = knownScreens()
afterEach(() => {
  sessionStorage.clear()
  // One of the refusals is that of a session that has ended.
  sessionEnded.signedIn()
})

const choices = {
  ...{ providers: [{ provider: 'acme', name: 'Acme', creditPriced: false, documents: [] }], groups: [] },
  privateEndpoints: false,
}
const known =
  (own: Webhook, others: Webhook[] = []): Knowledge =>
  (queryClient) => {
    queryClient.setQueryData(choicesQuery.queryKey, choices)
    queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: own })
    queryClient.setQueryData(webhooksQuery('w1').queryKey, { webhooks: [own, ...others], most: 10 })
    queryClient.setQueryData(deliveriesQuery('h1').queryKey, { deliveries: [], matching: 0, more: false })
    queryClient.setQueryData(statisticsQuery('w1').queryKey, { webhooks: [] })
  }
const settings = (answers: Answers) => openAnswered('/webhooks/h1?workspace=w1&tab=settings', answers, known(webhook()))
const [READ, SAVE] = ['GET /v1/webhooks/h1', 'PATCH /v1/webhooks/h1']
const theirs = webhook({ name: 'Theirs', url: 'https://theirs.example/', updatedAt: hoursAgo(1) })
const saved = webhook({ ...theirs, name: 'Mine', updatedAt: hoursAgo(0) })

/** What was sent: the request, and its body. */
const bodyOf = (request: string | undefined, of: string) => JSON.parse(request!.replace(`${of} `, ''))

it.each([
  ['name', 'Name'],
  ['url', 'URL'],
  ['minChange', 'Smallest price change'],
  ['providers', 'These providers'],
  ['filters.acme.resources', 'Only these models and machines'],
  ['filters.acme.documents', 'Only these documents'],
])('what the service says of %s stands beside the field of that, where it can be corrected', async (field, label) => {
  const body = { error: { code: 'invalid_body', message: `${field}: Not this one.`, field } }
  const own = webhook({ eventTypes: ['price.changed', 'tos.changed'], providers: ['acme'] })
  const page = await openAnswered(
    '/webhooks/h1?workspace=w1&tab=settings',
    { [SAVE]: [{ status: 400, body }] },
    known(own),
  )
  await page.type(/^Name/, 'Mine')
  await page.press('Save')
  const [input, ...others] = document.querySelectorAll('main [aria-invalid="true"]')
  expect([others, page.focused()]).toEqual([[], expect.stringContaining(label)])
  const said = input!
    .getAttribute('aria-describedby')!
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(said).toContain('Not this one.')
  page.close()
})

it('what someone else saved meanwhile is shown beside what is typed, and can then be replaced', async () => {
  const page = await settings({
    [READ]: [{ body: { webhook: theirs } }, refused(400, 'unknown', 'Not read.')],
    [SAVE]: [refused(409, 'webhook_changed', 'It changed.'), { body: { webhook: saved } }],
  })
  await page.type(/^Name/, 'Mine')
  await page.press('Save')
  expect(page.changes().map((request) => bodyOf(request, SAVE).name)).toEqual(['Mine'])
  const notice = 'Someone else changed this webhook: name and URL'
  await page.until(notice)
  for (const text of ['Webhook not saved', '{URL *: https://theirs.example/}', '{Name *: Mine}'])
    expect(page.text()).toContain(text)
  // It changed once more, in nothing that the form has: what was said stays.
  const again = { ...theirs, updatedAt: hoursAgo(0.5) }
  page.queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: again })
  await page.until('Someone else')
  await page.press('Save')
  expect(page.changes().map((request) => bodyOf(request, SAVE).ifUpdatedAt)).toEqual([again.updatedAt])
  expect(await page.effects()).toEqual(['says Saved. It applies to everything published from now on.'])
  expect(page.text()).not.toContain('Someone else')
  // It could not be read again, which is not to say that it is gone.
  expect(page.text()).not.toContain('no longer exists')
  expect(page.queryClient.getQueryData(webhookQuery('h1').queryKey)).toEqual({ webhook: saved })
  expect(page.queryClient.getQueryState(webhooksQuery('w1').queryKey)?.isInvalidated).toBe(true)
})

it('what someone else saved is said until it is saved again, and not where it is what was typed', async () => {
  const page = await settings({})
  const save = (own: Partial<Webhook>) =>
    page.queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook(own) })
  await page.type(/^Name/, 'Theirs')
  save({ name: 'Theirs', updatedAt: hoursAgo(3) })
  await waitFor(() => expect(page.buttons()).not.toContain('Discard changes'))
  expect(page.text()).not.toContain('Someone else')
  save({ name: 'Newer', updatedAt: hoursAgo(2) })
  await page.until('Someone else changed this webhook: name')
  expect(page.text()).toContain('{Name *: Newer}')
  save({ name: 'Newer', state: 'paused', pausedAt: hoursAgo(1), updatedAt: hoursAgo(1) })
  await page.until('Paused')
  expect(page.text()).toContain('Someone else changed this webhook: name')
})

it('the tab has the name of its webhook, also when that changes', async () => {
  const page = await settings({})
  expect(document.title).toBe('Orders · Pricetape')
  page.queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook({ name: 'Newer' }) })
  await waitFor(() => expect(document.title).toBe('Newer · Pricetape'))
})

it('a draft is kept of what is typed, and not of what is undone by hand', async () => {
  const page = await settings({})
  const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith(keyOf('')))
  await page.type(/^Name/, 'Mine')
  await waitFor(() => expect(drafts()).toHaveLength(1))
  await page.type(/^Name/, webhook().name)
  await waitFor(() => expect(drafts()).toEqual([]))
})

it('a webhook that someone deleted meanwhile is said to be gone', async () => {
  const gone = refused(404, 'not_found', 'There is none.')
  const page = await settings({ [READ]: [gone], [SAVE]: [gone] })
  await page.type(/^Name/, 'Mine')
  await page.press('Save')
  await page.until('This webhook no longer exists')
  expect(page.text()).toContain('{Name *: Mine}')
})

const created = webhook({ id: 'h7', name: 'New one', eventTypes: NEW_WEBHOOK.eventTypes, providers: ['*'] })
const CREATE = 'POST /v1/webhooks'
const ofNew: Knowledge = (queryClient) => {
  known(webhook())(queryClient)
  queryClient.setQueryData(webhookQuery('h7').queryKey, { webhook: created })
}
const isKept = () => Object.keys(sessionStorage).some((key) => key.startsWith(keyOf('new-webhook')))

it('a webhook that is created opens with its secret, and nothing of what was typed is kept', async () => {
  const page = await openAnswered(
    '/webhooks/new?workspace=w1',
    {
      [CREATE]: [refused(409, 'webhook_limit', 'There are too many.'), { status: 201, body: { webhook: created } }],
      'POST /v1/webhook-preview': [{ body: { since: hoursAgo(9), events: 0, byType: {} } }],
      'GET /v1/webhooks': [{ body: { webhooks: [webhook(), created], most: 10 } }],
    },
    ofNew,
  )
  await page.type(/^Name/, 'New  one')
  await page.type(/^URL/, ' https://hooks.example.com/ ')
  await page.press('Create the webhook')
  expect(page.text()).toContain('Webhook not created')
  expect(page.text()).toContain('There are too many.')
  expect(isKept()).toBe(true)
  page.changes()
  page.reads()
  await page.press('Create the webhook')
  expect(page.changes()).toHaveLength(1)
  expect(page.address()).toBe('/webhooks/h7?workspace=w1&tab=secret')
  expect(page.reads()).toContain('/v1/webhooks?workspace=w1')
  expect(isKept()).toBe(false)
})

it('a webhook whose name was saved without its second space has no changes left to save', async () => {
  const now = webhook({ name: 'Mine now', updatedAt: hoursAgo(1) })
  const page = await settings({ [READ]: [{ body: { webhook: now } }], [SAVE]: [{ body: { webhook: now } }] })
  await page.type(/^Name/, 'Mine  now')
  await page.press('Save')
  expect(document.querySelector<HTMLInputElement>('input[value="Mine now"]')).not.toBeNull()
  expect(page.buttons()).not.toContain('Discard changes')
})

it('a webhook is resumed without what was not sent, and the list is without one that was deleted', async () => {
  const paused = webhook({ state: 'paused', pausedAt: hoursAgo(1) })
  const page = await openAnswered(
    '/webhooks/h1?workspace=w1',
    { 'POST /v1/webhooks/h1/resume': [{ body: { webhook: webhook() } }], 'DELETE /v1/webhooks/h1': [{}] },
    known(paused, [webhook({ id: 'h2', name: 'Other' })]),
  )
  await page.press('Resume')
  expect(page.changes()).toEqual(['POST /v1/webhooks/h1/resume?'])
  expect(await page.effects()).toEqual(['says Resumed. What was not sent while it was paused stays unsent.'])
  await page.press('More actions')
  await page.press('Delete')
  await page.press('Delete the webhook')
  expect(page.changes()).toEqual(['DELETE /v1/webhooks/h1'])
  expect(page.address()).toBe('/webhooks?workspace=w1')
  expect(page.text()).toContain('Other')
  expect(page.text()).not.toContain('Orders')
})

/** A log that has deliveries, none of which meets the search. */
const log = () => openAnswered('/webhooks/h1?workspace=w1&status=failed', NONE, known(webhook()))
const NONE = { 'GET /v1/webhooks/h1/deliveries': [{ body: { deliveries: [], matching: 0, more: false } }] }
const NARROWED = '/webhooks/h1?workspace=w1&status=failed'

it('a log keeps its filters where nothing meets them, while it is read without them and where it is refused', async () => {
  const none = { deliveries: [], matching: 0, more: false }
  const page = await openKnown('/webhooks/h1?workspace=w1&q=zzz', (queryClient) => {
    queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook() })
    queryClient.setQueryData(statisticsQuery('w1').queryKey, { webhooks: [] })
    for (const filter of [{ search: 'zzz' }, { search: 'zzz', status: 'failed' as const }])
      queryClient.setQueryData(deliveriesQuery('h1', filter).queryKey, none)
  })
  await page.type('Search deliveries', '')
  await waitFor(() => expect(page.address()).toBe('/webhooks/h1?workspace=w1'))
  expect(page.text()).toContain('{Search deliveries: }')
  expect(page.text()).not.toContain('Nothing sent yet')
  page.close()
  const tooLong = refused(400, 'invalid_query', 'search: must have at most 200 characters')
  const other = await openAnswered(
    '/webhooks/h1?workspace=w1&q=long',
    { 'GET /v1/webhooks/h1/deliveries': [tooLong] },
    known(webhook()),
  )
  expect(other.text()).toContain('must have at most 200 characters')
  expect(other.text()).toContain('{Search deliveries: long}')
})

it('a question stays where its button is gone from the page meanwhile', async () => {
  const failures = { deliveries: [], matching: 3, more: false }
  const page = await openAnswered(
    '/webhooks/h1?workspace=w1&status=failed',
    { 'GET /v1/webhooks/h1/deliveries': [{ body: failures }] },
    known(webhook()),
  )
  await page.press('Resend 3 failed deliveries')
  page.queryClient.setQueryData(deliveriesQuery('h1', { status: 'failed' }).queryKey, { ...failures, matching: 0 })
  await waitFor(() => expect(page.buttons()).not.toContain('Resend 3 failed deliveries'))
  // As long as a dialog takes to close.
  await page.key('Shift')
  expect(page.offered()).toContain('Resend')
  await page.press('Resend')
  expect(page.changes()).toEqual([expect.stringContaining('"status":"failed"')])
})

it('a log is narrowed to what was created since a minute', async () => {
  const page = await log()
  await page.tick('Created')
  await page.press('Since a time …')
  const { since } = Object.fromEntries(new URL(page.address(), location.href).searchParams)
  expect(since).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  expect(Math.abs(Date.parse(`${since}Z`) - Date.now())).toBeLessThan(10 * 60_000)
  expect(page.text()).toContain(`{Created since, in UTC: ${since}}`)
  await page.type('Created since, in UTC', '2026-01-02T03:04')
  await waitFor(() => expect(page.address()).toBe(`${NARROWED}&since=2026-01-02T03%3A04`))
})

it('a log is searched for what is typed, once typing pauses', async () => {
  const page = await log()
  await page.type('Search deliveries', 'gpt')
  expect(page.text()).toContain('{Search deliveries: gpt}')
  await waitFor(() => expect(page.address()).toBe(`${NARROWED}&q=gpt`))
  await page.type('Search deliveries', '')
  await waitFor(() => expect(page.address()).toBe(NARROWED))
})

it('a rotated secret is shown, and its webhook is read again', async () => {
  const rotated = { secret: 'whsec_new', previousValidUntil: hoursAgo(-24) }
  const page = await openAnswered(
    '/webhooks/h1?workspace=w1&tab=secret',
    { 'POST /v1/webhooks/h1/secret/rotate': [{ body: rotated }], [READ]: [{ body: { webhook: webhook() } }] },
    known(webhook()),
  )
  await page.press('Rotate the secret')
  await page.press('Rotate')
  await page.until('Two secrets are valid')
  const reads = page.reads()
  expect(reads).toContain('/v1/webhooks/h1')
  expect(reads.filter((path) => path.includes('secret'))).toEqual([])
  expect(page.queryClient.getQueryData(secretQuery('h1', 'card').queryKey)).toEqual(rotated)
})

it('what is not there yet, or could not be read, is said where a form looks for it', async () => {
  const samples = async (more: Knowledge) => {
    const page = await openKnown('/webhooks/new?workspace=w1', (queryClient) => {
      known(webhook())(queryClient)
      more(queryClient)
    })
    await page.press('Sample payload of price.changed')
    return page
  }
  expect((await samples(() => {})).text()).toContain('Loading …')
  const unread = await samples((queryClient) =>
    failed(queryClient, eventExamplesQuery.queryKey, new Error('It broke.')),
  )
  expect(unread.text()).toContain('It broke.')
  expect(unread.text()).not.toContain('Loading …')
  const sought = await openKnown('/webhooks/new?workspace=w1', (queryClient) => {
    known(webhook())(queryClient)
    queryClient.setQueryData(resourcesQuery('none').queryKey, { resources: [] })
  })
  await sought.tick(/^Only these models/)
  await sought.type(/^Only these models/, 'slow')
  await sought.until('Searching …')
  await sought.type(/^Only these models/, 'none')
  await sought.until('No matching models or machines')
})

it('what was confirmed and is refused is said, and not where the session has ended', async () => {
  const said = async (status: number, code: string) => {
    const answers = { 'DELETE /v1/webhooks/h1': [refused(status, code, 'Not yours.')] }
    const page = await openAnswered('/webhooks/h1?workspace=w1', answers, known(webhook()))
    await page.press('More actions')
    await page.press('Delete')
    await page.press('Delete the webhook')
    await waitFor(() => expect(page.changes()).toHaveLength(1))
    const effects = await page.effects()
    page.close()
    return effects
  }
  expect(await said(403, 'forbidden')).toEqual(['says Could not delete Orders: Not yours.'])
  expect(await said(401, 'unauthorized')).toEqual([])
})
