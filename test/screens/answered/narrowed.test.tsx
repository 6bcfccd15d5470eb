import '../light-dom.ts'
import { waitFor } from '@testing-library/dom'
import { afterEach, expect, it } from 'vitest'
import { sessionEnded } from '../../../src/web/api/connection/session-ended.ts'
import { documentsQuery } from '../../../src/web/api/documents.ts'
import { overviewQuery } from '../../../src/web/api/feed.ts'
import { accountsQuery } from '../../../src/web/api/operator.ts'
import { type PackedPrices, pricesQuery } from '../../../src/web/api/prices.ts'
import { watchesQuery } from '../../../src/web/api/watches.ts'
import {
  choicesQuery,
  deliveriesQuery,
  deliveryQuery,
  webhookQuery,
  webhooksQuery,
} from '../../../src/web/api/webhooks.ts'
import { daysAgo, hoursAgo, knownScreens, overview, refused, session } from '../known/known.ts'
import { webhook } from '../known/webhook.ts'

const { openAnswered, openKnown } = knownScreens()
// One of the refusals is that of a session that has ended.
afterEach(() => void sessionEnded.signedIn())

const million = { unit: 'usd_per_token', currency: 'USD', tier: {}, places: 6, per: 'million tokens' }
/** As many models as are named, all of one seller. */
const packed = (names: string[]) =>
  ({
    ...{ asOf: hoursAgo(0), newest: hoursAgo(1), first: daysAgo(400), rows: names.length },
    ...{ providers: { acme: 'Acme' }, creditProviders: [], kinds: [{ ...million, dimension: 'input_tokens' }] },
    ...{ instants: [daysAgo(9)], facts: [], models: names.map((name) => ({ name })) },
    resources: names.map((resource, model) => ({
      ...{ provider: 'acme', resource, source: 'list', model, prices: [0, '0.000001', 0] },
    })),
  }) as never as PackedPrices

it('prices that are confirmed by something are read for themselves', async () => {
  const page = await openAnswered(
    '/prices',
    { 'GET /v1/app/prices': [{ body: packed(['confirmed']) }] },
    (queryClient) =>
      queryClient.setQueryData(pricesQuery(undefined, undefined).queryKey, packed(['unlisted', 'confirmed'])),
  )
  expect(page.text()).toContain('unlisted')
  page.reads()
  await page.go('/prices?confirmed=provider', () => {})
  expect(page.reads()).toContain('/v1/app/prices?confirmed=provider')
  expect(page.text()).not.toContain('unlisted')
})

it('six rows can be chosen, each of which can be taken out again', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const page = await openKnown('/prices', (queryClient) =>
    queryClient.setQueryData(pricesQuery(undefined, undefined).queryKey, packed(names)),
  )
  for (const name of names.slice(0, 6)) await page.tick(`Compare ${name} at Acme`)
  const boxes = () =>
    [...document.querySelectorAll<HTMLInputElement>('td input[type="checkbox"]')].map(({ checked, disabled }) =>
      [checked && 'chosen', disabled && 'disabled'].filter(Boolean).join(' '),
    )
  expect(boxes()).toEqual([...Array(6).fill('chosen'), 'disabled'])
  await page.tick('Machines')
  expect(page.address()).toBe('/prices?tab=machines')
})

it('documents that are narrowed are requested as they are narrowed', async () => {
  const document = (provider: string) => ({
    ...{ provider, document: 'terms', title: `Terms of ${provider}`, url: 'https://example.com/' },
    ...{ lastCheckedAt: hoursAgo(1), changedAt: daysAgo(3), changes: 1 },
  })
  const page = await openKnown('/documents?provider=acme', (queryClient) =>
    queryClient.setQueryData(documentsQuery(undefined).queryKey, {
      documents: [document('acme'), document('other')],
    } as never),
  )
  await page.press('Export')
  await page.press('Show the request')
  const [, request = ''] = page.text().split('Documents for a program')
  expect(request).toContain('acme')
  expect(request).not.toContain('other')
})

it('a page of the newest instant that can be read is shown', async () => {
  const newest = hoursAgo(1)
  const open = (asOf: string) =>
    openKnown(`/documents?asOf=${asOf}`, (queryClient) => {
      queryClient.setQueryData(overviewQuery.queryKey, { ...overview(), newest })
      queryClient.setQueryData(documentsQuery(asOf).queryKey, { documents: [] })
    })
  const refusal = 'This instant cannot be shown yet'
  expect((await open(newest)).text()).not.toContain(refusal)
  expect((await open(hoursAgo(0.9))).text()).toContain(refusal)
})

it('operators alone are led to the sources', async () => {
  const open = (operator: boolean) =>
    openKnown(
      '/documents',
      (queryClient) => queryClient.setQueryData(documentsQuery(undefined).queryKey, { documents: [] }),
      { ...session, account: { ...session.account, operator } },
    )
  expect((await open(true)).text()).toContain('See the sources')
  expect((await open(false)).text()).not.toContain('See the sources')
})

it('the form of another watch begins anew', async () => {
  const known = (queryClient: import('@tanstack/react-query').QueryClient) => {
    const own = { watchId: 'w1', provider: 'acme', providerName: 'Acme', resource: 'gpt', document: null, title: null }
    const watch = { ...own, group: null, frequency: 'daily', minChange: 5, pausedAt: null, createdAt: daysAgo(1) }
    queryClient.setQueryData(watchesQuery.queryKey, { mails: 'yes', watches: [watch] } as never)
    const provider = { provider: 'acme', name: 'Acme', creditPriced: false, documents: [] }
    const choices = { providers: [provider], groups: [], privateEndpoints: false }
    queryClient.setQueryData(choicesQuery.queryKey, choices as never)
  }
  const fresh = await openKnown('/account/watch?provider=acme&resource=other', known)
  const begins = fresh.text()
  fresh.close()
  const page = await openKnown('/account/watch?provider=acme&resource=gpt', known)
  expect(page.text()).not.toBe(begins)
  await page.go('/account/watch?provider=acme&resource=other', () => {})
  expect(page.text()).toBe(begins)
})

const own = (client: Parameters<NonNullable<Parameters<typeof openAnswered>[2]>>[0]) => {
  client.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook() })
  client.setQueryData(webhooksQuery('w1').queryKey, { webhooks: [webhook()], most: 10 })
  client.setQueryData(deliveriesQuery('h1').queryKey, { deliveries: [], matching: 0, more: false })
}

it('what was confirmed and is refused is said, and not where the session has ended', async () => {
  const said = async (status: number, code: string) => {
    const answers = { 'DELETE /v1/webhooks/h1': [refused(status, code, 'Not yours.')] }
    const page = await openAnswered('/webhooks/h1?workspace=w1', answers, own)
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

it('a delivery run that is refused is said', async () => {
  const delivery = {
    ...{ id: 'd1', eventId: 'evt_1', eventType: 'price.changed', provider: 'acme', subject: 'gpt', status: 'pending' },
    ...{ cycle: 1, notSent: false, createdAt: hoursAgo(5), payloadBytes: 2, payload: '{}', attempts: [] },
    nextTryAt: hoursAgo(1),
  }
  const page = await openAnswered('/webhooks/h1/deliveries/d1?workspace=w1', {}, (client) => {
    own(client)
    client.setQueryData(deliveryQuery('h1', 'd1').queryKey, { delivery, schedule: [] } as never)
  })
  await page.press('Start a delivery run now')
  expect(await page.effects()).toEqual(['says Delivery run not started: No answer.'])
})

it('operators who change themselves read their own rights again', async () => {
  const account = (accountId: string) => ({
    ...{ accountId, name: accountId, email: `${accountId}@example.com`, operator: true, emailVerifiedAt: hoursAgo(9) },
    ...{ createdAt: daysAgo(2), disabledAt: null, lastSeenAt: null, sessions: 0, totp: false, passkeys: 0 },
    ...{ linked: false, workspaces: [] },
  })
  const readsOwn = async (accountId: string) => {
    const accounts = [account('a1'), account('cy')]
    const answers = {
      [`PATCH /v1/operator/accounts/${accountId}`]: [{}],
      'GET /v1/operator/accounts': [{ body: { accounts } }],
    }
    const page = await openAnswered('/operator/users', answers, (client) =>
      client.setQueryData(accountsQuery.queryKey, { accounts }),
    )
    await page.press(`Actions for ${accountId}`)
    await page.press('Take operator rights away')
    page.reads()
    await page.press('Take them away')
    const reads = page.reads()
    page.close()
    return reads.some((path) => path.startsWith('/v1/account') || path.startsWith('/v1/session'))
  }
  expect([await readsOwn('a1'), await readsOwn('cy')]).toEqual([true, false])
})
