import { describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import { continued, historyCursor } from '../../../src/prices/history/cursor-rules.ts'
import {
  type HistoryRequest,
  type PublishedRow,
  pageOf,
  publicationBody,
} from '../../../src/prices/history/history-rules.ts'
import {
  assertReadable,
  type HistoryScope,
  rowScope,
  scopeDifference,
} from '../../../src/prices/history/scope-rules.ts'

const KEY = Buffer.alloc(32, 7)
const TIMELINE = '019aa000-0000-7000-8000-000000000001'
const GROUP = '019aa000-0000-7000-8000-000000000002'
const asOf = '2026-11-22T10:00:00.000Z' as Instant
const since = '2026-11-20T10:00:00.000Z' as Instant
const later = '2026-11-22T10:00:00.001Z' as Instant
const after = 'a'.repeat(64)

describe('a cursor', () => {
  const plain = { timeline: TIMELINE, asOf, after }
  const all = {
    ...plain,
    since,
    providers: ['acme', 'resale'],
    alias: { id: GROUP, revision: 3 },
    filters: {
      resources: ['m1'],
      canonicalResources: ['x/m1'],
      dimensions: ['input_tokens' as const],
      current: true as const,
    },
  }

  it('pins everything but the limit', () => {
    expect(continued(KEY, historyCursor(KEY, plain), 10)).toEqual({ limit: 10, ...plain })
    const { alias, ...rest } = all
    expect(continued(KEY, historyCursor(KEY, all), 20)).toEqual({
      limit: 20,
      ...rest,
      alias: { reference: GROUP, revision: 3 },
    })
  })

  it('is none of ours with another key, with other content, or when it is damaged', () => {
    expect(continued(Buffer.alloc(32, 8), historyCursor(KEY, plain), 10)).toBeUndefined()
    expect(continued(KEY, `${historyCursor(KEY, plain)}A`, 10)).toBeUndefined()
    const wrong = [
      { timeline: 'x' },
      { asOf: '2026-11-22T10:00:00Z' as Instant },
      { asOf: 'today' as Instant },
      { after: 'a'.repeat(63) },
      { providers: ['acme', 'acme'] },
      { providers: [] },
      { providers: Array.from({ length: 201 }, (_, n) => `p${n}`) },
      { alias: { id: GROUP, revision: -1 } },
      { alias: { id: 'x', revision: 1 } },
      { filters: { resources: [''] } },
      { filters: { resources: Array.from({ length: 51 }, (_, n) => `m${n}`) } },
      { filters: { dimensions: ['input_tokens', 'input_tokens'] as never } },
      { filters: { current: false as never } },
      { filters: { other: 1 } as never },
      { since: '2026-11-20' as Instant },
    ]
    for (const more of wrong)
      expect([more, continued(KEY, historyCursor(KEY, { ...all, ...more }), 10)]).toEqual([more, undefined])
    const most = { providers: Array.from({ length: 200 }, (_, n) => `p${n}`) }
    expect(continued(KEY, historyCursor(KEY, { ...all, ...most }), 10)?.providers).toHaveLength(200)
  })
})

describe('a published row', () => {
  const row: PublishedRow = {
    provider: 'acme',
    source: 'list',
    resource: 'say "m1"',
    dimension: 'input_tokens',
    unit: 'usd_per_token',
    currency: 'USD',
    pricingTier: '{}',
    price: '0.000001',
    recordedAt: asOf,
    contentHash: after,
    approvalStatus: 'approved',
  }

  it('is served as JSON whose fields are in their order, with the tier as an object', () => {
    const tier = { timeOfDay: 'night', context: 'gt_200k' }
    const text = publicationBody({ ...row, pricingTier: tier })
    expect(JSON.parse(text)).toEqual({ ...row, pricingTier: tier })
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(row))
    expect(text).toContain('"pricingTier":{"context":"gt_200k","timeOfDay":"night"}')
    expect(publicationBody(row)).toContain('"pricingTier":{},"price":"0.000001"')
  })

  it('ends a page when one more was found, and the next page begins after its hash', () => {
    const texts = ['a', 'b', 'c'].map((letter) => publicationBody({ ...row, contentHash: letter.repeat(64) }))
    const joined = Buffer.from(texts.join(','))
    expect(pageOf(joined, 3, 3)).toEqual({ prices: joined })
    const { prices, next } = pageOf(joined, 3, 2)
    expect(prices.toString()).toBe(texts.slice(0, 2).join(','))
    expect(next).toBe('b'.repeat(64))
  })
})

const scope = (more: Partial<HistoryScope> = {}): HistoryScope => ({
  newest: asOf,
  asOf,
  closed: true,
  timeline: TIMELINE,
  knownTimeline: true,
  sameDatabase: true,
  lost: { asOf: false, since: false },
  unknownProviders: [],
  creditProviders: ['frost'],
  usualProviders: ['acme', 'resale'],
  ...more,
})
const request = (more: Partial<HistoryRequest> = {}): HistoryRequest => ({ limit: 10, after: '', ...more })
const group = { id: GROUP, name: 'G', revision: 3, members: [] }

describe('a page of history', () => {
  const refusal = (given: Partial<HistoryRequest>, around: Partial<HistoryScope> = {}) => {
    try {
      assertReadable(request(given), scope(around))
      return undefined
    } catch (error) {
      const { code, field } = error as { code: string; field?: string }
      return field === undefined ? code : `${code}: ${field}`
    }
  }
  const next = { after, timeline: TIMELINE }

  it('is read at the newest instant that is closed, and at no later one', () => {
    expect(refusal({})).toBeUndefined()
    expect(refusal({}, { asOf: later })).toBe('as_of_too_recent: asOf')
    expect(refusal(next, { asOf: later })).toBe('invalid_query: cursor')
  })

  it('has a since that is not after asOf', () => {
    expect(refusal({ since: asOf })).toBeUndefined()
    expect(refusal({ since: later })).toBe('invalid_query: since')
  })

  it('names providers that exist; a cursor that does not is none of ours', () => {
    expect(refusal({}, { unknownProviders: ['acne'] })).toBe('invalid_query: providers')
    expect(refusal(next, { unknownProviders: ['acne'] })).toBe('invalid_query: cursor')
  })

  it('is of a group that exists, at the revision of the first page', () => {
    const alias = { reference: GROUP, revision: 3 }
    expect(refusal({ alias })).toBe('alias_not_found: alias')
    expect(refusal({ alias }, { group })).toBeUndefined()
    expect(refusal({ ...next, alias }, { group })).toBeUndefined()
    expect(refusal({ ...next, alias }, { group: { ...group, revision: 4 } })).toBe('alias_changed')
    expect(refusal({ ...next, alias })).toBe('alias_changed')
    expect(refusal({ alias: { ...alias, revision: 9 } }, { group })).toBeUndefined()
  })

  it('is not of history that a restore has lost', () => {
    expect(refusal({}, { lost: { asOf: true, since: false } })).toBe('history_lost: asOf')
    expect(refusal({ since }, { lost: { asOf: false, since: true } })).toBe('history_lost: since')
    expect(refusal(next, { lost: { asOf: true, since: false } })).toBe('history_lost: cursor')
    expect(refusal(next, { lost: { asOf: false, since: true } })).toBe('history_lost: cursor')
    expect(refusal(next, { knownTimeline: false })).toBe('history_lost: cursor')
    expect(refusal({}, { knownTimeline: false })).toBeUndefined()
    const alias = { reference: GROUP, revision: 3 }
    expect(refusal({ ...next, alias }, { group, timeline: GROUP })).toBe('history_lost: cursor')
    expect(refusal(next, { timeline: GROUP })).toBeUndefined()
  })
})

describe('the rows of a request', () => {
  const members = [
    { provider: 'acme', resource: 'm1' },
    { provider: 'frost', resource: 'm1' },
  ]
  const around = { creditProviders: ['frost'], usualProviders: ['acme', 'resale'] }

  it('are those of the named providers, otherwise of all that do not price in credits', () => {
    expect(rowScope(request({ providers: ['frost'] }), around)).toEqual({ providers: ['frost'], filters: {} })
    expect(rowScope(request({ filters: { current: true } }), around)).toEqual({
      exceptProviders: ['frost'],
      filters: { current: true },
    })
  })

  it('are with a group those of its members, at the named or the usual providers', () => {
    const with_ = { ...around, group: { ...group, members } }
    expect(rowScope(request(), with_)).toEqual({ members: [members[0]], filters: {} })
    expect(rowScope(request({ providers: ['frost'] }), with_)).toEqual({ members: [members[1]], filters: {} })
  })

  it('differ between two instants by the providers that entered and departed, each once', () => {
    const of = (...providers: string[]) => ({
      members: providers.map((provider) => ({ provider, resource: 'm' })),
      filters: {},
    })
    expect(scopeDifference(of('a', 'b', 'b'), of('a', 'c'))).toEqual({ entered: ['b'], departed: ['c'] })
    const except = (...exceptProviders: string[]) => ({ exceptProviders, filters: {} })
    expect(scopeDifference(except('a', 'b'), except('a', 'c'))).toEqual({ entered: ['c'], departed: ['b'] })
    expect(scopeDifference({ filters: {} }, { filters: {} })).toEqual({ entered: [], departed: [] })
    expect(scopeDifference({ providers: ['a'], filters: {} }, except('a'))).toEqual({ entered: ['a'], departed: [] })
  })
})
