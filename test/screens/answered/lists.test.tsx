import '../light-dom.ts'
import { expect, it } from 'vitest'
import { documentsQuery } from '../../../src/web/api/documents.ts'
import { overviewQuery } from '../../../src/web/api/feed.ts'
import { type PackedPrices, pricesQuery } from '../../../src/web/api/prices.ts'
import { daysAgo, hoursAgo, knownScreens, overview, refused, session } from '../known/known.ts'

const { openAnswered, openKnown } = knownScreens()

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

it('a model is shown where its other sellers and its events cannot be read, which can be tried again', async () => {
  const row = {
    ...{ provider: 'acme', resource: 'gpt', listed: 'gpt', source: 'list', ...million, dimension: 'input_tokens' },
    ...{ price: '0.000001', contentHash: 'r1', recordedAt: daysAgo(20), publishedAt: daysAgo(20) },
    ...{ unpublishedAt: null, status: 'auto_approved', reason: null, effectiveFrom: null, snapshotHash: null },
    ...{ locator: null, contradicted: null, confirmation: null },
  }
  const series = {
    ...{ asOf: hoursAgo(0), newest: hoursAgo(1), first: daysAgo(400), providers: { acme: 'Acme' }, rows: [row] },
    ...{ groups: [{ id: 'g1', name: 'GPT' }], members: [{ provider: 'acme', resource: 'gpt' }], credits: [] },
    ...{ leftOut: 0, renamings: [], upcoming: [], facts: [] },
  }
  const lost = refused(400, 'broken', 'It broke.')
  const page = await openAnswered('/prices/acme/gpt', {
    'GET /v1/app/series': [{ body: series }, lost, { body: series }],
    'GET /v1/app/feed': [lost, { body: { items: [] } }],
  })
  const told = () => [
    page.text().includes('All rows'),
    page.text().match(/Could not load this|\w+ at every seller|No events/g),
  ]
  const failure = 'Could not load this'
  expect(told()).toEqual([true, ['GPT at every seller', failure, failure]])
  await page.press('Try again')
  await page.press('Try again')
  expect(told()).toEqual([true, ['GPT at every seller', 'No events']])
})
