import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/lib/errors.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { pauseMailOf } from '../../src/webhooks/attempts/pause-mail-rules.ts'
import {
  ALIAS_EVENTS,
  eventsPerMatch,
  PRICE_EVENTS,
  PROVIDER_EVENTS,
  pairsAfter,
} from '../../src/webhooks/matching/match-rules.ts'
import {
  checkFiltersAreCovered,
  checkProvidersAreKnown,
  differs,
  editedSubscription,
  narrowing,
  subscriptionOf,
} from '../../src/webhooks/subscriptions/subscription-rules.ts'

const resources = { resources: ['gpt-5'], documents: [] }
const documents = { resources: [], documents: ['terms'] }
const nothing = { resources: [], documents: [] }

const refusal = (action: () => void): [code: string, message: string, field: unknown] | undefined => {
  try {
    action()
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [error.code, error.message, error.field]
  }
}

describe('the filters of a subscription', () => {
  it('are kept where they narrow something: resources, documents or both', () => {
    const both = { resources: ['gpt-5'], documents: ['terms'] }
    expect(narrowing({ openai: resources, aws: documents, azure: both, gcp: nothing })).toEqual({
      openai: resources,
      aws: documents,
      azure: both,
    })
  })

  it('narrow providers that the webhook lists, or any under *', () => {
    const filters = { openai: resources, aws: resources }
    const message = 'filters.aws: add aws to providers, or remove its filter.'
    expect(refusal(() => checkFiltersAreCovered({ providers: ['openai'], filters }))).toEqual([
      'invalid_body',
      message,
      'filters.aws',
    ])
    expect(refusal(() => checkFiltersAreCovered({ providers: ['aws', 'openai'], filters }))).toBeUndefined()
    expect(refusal(() => checkFiltersAreCovered({ providers: ['*'], filters }))).toBeUndefined()
  })

  it('name providers that exist, and so do the providers of the webhook', () => {
    const known = new Set(['openai', 'aws'])
    const check = (providers: string[], filters = {}) =>
      refusal(() => checkProvidersAreKnown({ providers, filters }, known))
    expect(check(['*', 'openai'], { aws: resources })).toBeUndefined()
    expect(check(['openai', 'opnai'])).toEqual(['invalid_body', 'providers: opnai is not a provider.', 'providers'])
    expect(check(['*'], { aws: resources, awz: resources })).toEqual([
      'invalid_body',
      'filters: awz is not a provider.',
      'filters.awz',
    ])
  })
})

describe('a subscription', () => {
  const current = {
    eventTypes: ['price.changed' as const],
    providers: ['openai'],
    filters: {},
    aliases: ['g1'],
    minSignificance: 'medium' as const,
    minChange: 5,
  }

  it('is what a saved webhook receives: its types, providers, filters and the ids of its groups', () => {
    const group = { id: 'g1', name: 'GPT-5' }
    const webhook = { ...current, id: 'w1', name: 'Orders', filters: { openai: resources }, aliases: [group] }
    expect(subscriptionOf(webhook as unknown as Parameters<typeof subscriptionOf>[0])).toEqual({
      ...current,
      filters: { openai: resources },
      aliases: ['g1'],
    })
  })

  it('keeps what an edit does not name, and takes what it names, also when that is empty', () => {
    expect(editedSubscription(current, {})).toEqual(current)
    const all = {
      eventTypes: ['tos.changed' as const],
      providers: ['*'],
      filters: { aws: resources },
      aliases: [],
      minSignificance: 'low' as const,
      minChange: 0,
    }
    expect(editedSubscription(current, all)).toEqual(all)
  })

  it('differs by its content, not by the order of its keys', () => {
    const { providers, ...others } = current
    expect(differs(current, { providers, ...others })).toBe(false)
    expect(differs(current, { ...current, providers: ['aws'] })).toBe(true)
    expect(differs(current, { ...current, minSignificance: 'high' })).toBe(true)
    expect(differs(current, { ...current, minChange: 6 })).toBe(true)
  })
})

describe('event types', () => {
  it('are about a group, about a provider, or about a price', () => {
    expect(ALIAS_EVENTS).toEqual(['alias.member_added', 'alias.member_removed'])
    expect(PROVIDER_EVENTS).toEqual(['tos.changed', 'provider.added'])
    expect(PRICE_EVENTS).toEqual([
      'price.changed',
      'resource.added',
      'price.revised',
      'price.corrected',
      'resource.removed',
      'resource.renamed',
      'price.announced',
    ])
  })

  it('are matched by the thousand, and fewer at once the more webhooks there are', () => {
    const PAIRS = 25_000
    expect([0, 1, 25, 26, 12_500, 25_000, 200_000].map((webhooks) => eventsPerMatch(webhooks, PAIRS))).toEqual([
      1_000, 1_000, 1_000, 961, 2, 1, 1,
    ])
    expect(eventsPerMatch(1, PAIRS, 10)).toBe(10)
  })

  it('takes more at once after what was quick, and less after what took longer than a second', () => {
    expect([499, 500, 1_000, 1_001].map((ms) => pairsAfter(25_000, ms))).toEqual([50_000, 25_000, 25_000, 12_500])
    expect([pairsAfter(100_000, 1), pairsAfter(5_000, 9_000)]).toEqual([100_000, 5_000])
  })
})

describe('the mail about a paused webhook', () => {
  it('says which webhook, why and what to do', () => {
    const mail = {
      email: 'ada@example.com',
      webhook: 'Orders',
      workspace: 'Acme',
      workspaceId: 's1',
      webhookId: 'w1',
      pausedAt: '2026-11-21T10:00:00.000Z' as Instant,
      reason: 'The last attempts all failed.',
    }
    const { to, text } = pauseMailOf(mail as Parameters<typeof pauseMailOf>[0], 'https://tape.example')
    expect(to).toBe('ada@example.com')
    expect(text).toMatch(/^The webhook "Orders" of the workspace "Acme" was paused at 2026-11-21T10:00:00\.000Z\./)
    expect(text).toContain('paused at 2026-11-21T10:00:00.000Z. The last attempts all failed.')
    expect(text).toContain('https://tape.example/webhooks/w1?workspace=s1')
  })
})
