import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { deliveriesQuery } from '../../src/web/api/webhooks.ts'
import { detailsOf, pageOf } from '../../src/web/pages/delivery/subject.ts'
import { filterOf, readWebhookSearch } from '../../src/web/pages/webhooks/delivery-search.ts'
import { attempted, durationText, successRate, unsuccessful } from '../../src/web/pages/webhooks/statistics-texts.ts'

describe('what narrows the log of a webhook', () => {
  it('is read of the address, without what the log does not know', () => {
    const search = { tab: 'log', q: 'gpt', status: 'failed', type: 'price.changed', since: '2026-11-27T10:00' }
    expect(readWebhookSearch(search)).toEqual(search)
    expect(readWebhookSearch({ status: 'lost', since: '2026-02-30T10:00', q: '' })).toEqual({})
    expect(readWebhookSearch({ since: '1y' })).toEqual({})
    expect(readWebhookSearch({ since: '24h' })).toEqual({ since: '24h' })
  })

  it('is a filter of full minutes', () => {
    const now = Date.parse('2026-11-27T10:00:31.500Z')
    expect(filterOf({}, now)).toEqual({})
    expect(filterOf({ tab: 'log', q: ' ' }, now)).toEqual({})
    expect(filterOf({ q: ' gpt ', status: 'notSent', type: 'tos.changed', since: '1h' }, now)).toEqual({
      search: 'gpt',
      status: 'notSent',
      type: 'tos.changed',
      since: '2026-11-27T09:00:00.000Z',
    })
    expect(filterOf({ since: '7d' }, now)).toEqual({ since: '2026-11-20T10:00:00.000Z' })
    expect(filterOf({ since: '2026-11-27T09:30' }, now)).toEqual({ since: '2026-11-27T09:30:00Z' })
  })
})

describe('while the log of a webhook is read', () => {
  it('what was shown of the same webhook stays, and nothing of another one', () => {
    const queryClient = new QueryClient()
    const log = { deliveries: [], matching: 0, more: false }
    queryClient.setQueryData(deliveriesQuery('h1').queryKey, log)
    const observer = new QueryObserver(queryClient, { ...deliveriesQuery('h1'), enabled: false })
    const shown = (webhookId: string) => {
      observer.setOptions({ ...deliveriesQuery(webhookId, { status: 'failed' }), enabled: false })
      return observer.getCurrentResult().data
    }
    expect(shown('h1')).toEqual(log)
    expect(shown('h2')).toBeUndefined()
  })
})

describe('how the deliveries of a webhook went', () => {
  const counts = (succeeded: number, failed = 0, retrying = 0) => ({ succeeded, failed, retrying })
  it.each([
    [counts(3), '100%'],
    [counts(0, 2), '0%'],
    [counts(1_999, 1), '99.9%'],
    [counts(99_999, 0, 1), '99.9%'],
    [counts(1, 2_000), '< 0.1%'],
    [counts(2, 1), '66.6%'],
  ])('of %j is %s', (given, rate) => {
    expect(successRate(given)).toBe(rate)
  })
  it('says what did not arrive, and how long answers took', () => {
    expect(attempted(counts(1, 2, 3))).toBe(6)
    expect(unsuccessful(counts(1))).toBe('')
    expect(unsuccessful(counts(1, 1_200, 3))).toBe('1,200 failed, 3 retrying')
    expect(unsuccessful(counts(1, 0, 3))).toBe('3 retrying')
    expect([85, 999, 1_000, 4_960].map(durationText)).toEqual(['85 ms', '999 ms', '1.0 s', '5.0 s'])
  })
})

describe('what a delivery is about', () => {
  const price = { dimension: 'output_tokens', pricingTier: { service: 'batch' }, currency: 'USD' }
  const shown = { previous: '2.00', current: '1.50', per: 'million tokens' }
  const detailsOfBody = (body: object) => detailsOf({ payload: JSON.stringify(body) })
  it('names the price, its tier and its change', () => {
    expect(detailsOfBody({ ...price, shown })).toBe('Output · batch: 2.00 → 1.50 USD / million tokens')
    expect(detailsOfBody({ ...price, pricingTier: {}, shown: { ...shown, previous: undefined } })).toBe(
      'Output: new → 1.50 USD / million tokens',
    )
    expect(detailsOfBody({ ...price, shown: { ...shown, current: undefined } })).toBe(
      'Output · batch: 2.00 → ended USD / million tokens',
    )
    expect(detailsOfBody(price)).toBe('Output · batch')
    expect(detailsOfBody({ group: { name: 'GPT-5' } })).toBe('group GPT-5')
    expect(detailsOfBody({ previousResource: 'm-1' })).toBe('was m-1')
    expect(detailsOfBody({})).toBeUndefined()
    expect(detailsOf({ payload: '{"shown":' })).toBeUndefined()
    expect(detailsOf({})).toBeUndefined()
  })
  it('leads to the model, to both versions of the document, and nowhere from a test', () => {
    expect(pageOf({ provider: 'openai', subject: 'gpt-5', payload: '{}' })).toEqual({
      to: '/prices/$provider/$resource',
      params: { provider: 'openai', resource: 'gpt-5' },
      label: 'See its prices',
    })
    const payload = JSON.stringify({ document: 'terms', previous: { versionId: 'a' }, current: { versionId: 'b' } })
    expect(pageOf({ provider: 'openai', subject: 'terms', payload })).toEqual({
      to: '/documents/$provider/$document',
      params: { provider: 'openai', document: 'terms' },
      search: { from: 'a', to: 'b' },
      label: 'See the change',
    })
    expect(pageOf({ provider: 'openai', payload: '{}' })).toBeUndefined()
    expect(pageOf({ payload: '{}' })).toBeUndefined()
  })
})

it('is read again every five seconds while it is open, and a search in it every half minute', () => {
  expect(deliveriesQuery('w').refetchInterval).toBe(5_000)
  expect(deliveriesQuery('w', { status: 'failed' } as never).refetchInterval).toBe(5_000)
  expect(deliveriesQuery('w', { search: 'gpt' } as never).refetchInterval).toBe(30_000)
})
