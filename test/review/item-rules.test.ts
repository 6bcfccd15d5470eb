import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { packPrices } from '../../src/prices/explore/pack-rules.ts'
import { itemOfDocument, itemOfPrices } from '../../src/review/item-rules.ts'
import { mailOf, noticeOf } from '../../src/review/notice-rules.ts'
import type { QueueItem } from '../../src/review/schema.ts'

const openedAt = '2026-11-22T10:00:00.000Z' as Instant
type Review = Parameters<typeof itemOfPrices>[0]
type Row = Parameters<typeof itemOfPrices>[1][number]

const review = (more: Partial<Review> = {}): Review =>
  ({
    reviewId: 'r1',
    kind: 'price',
    provider: 'acme',
    source: 'list',
    reasons: ['large_change'],
    openedAt,
    rows: ['h1'],
    missing: [],
    detail: {},
    ...more,
  }) as Review
const row = (resource: string, price: string, publishedPrice?: string, fetches?: number): Row =>
  ({
    row: { resource, dimension: 'input_tokens', pricingTier: '{}', unit: 'usd_per_token', price },
    publishedPrice,
    verdict: fetches === undefined ? undefined : { wait: { since: openedAt, fetches } },
  }) as unknown as Row
const question = (more: Partial<Review>, rows: Row[] = []) => itemOfPrices(review(more), rows).question

describe('an item to review', () => {
  it('asks about the prices that change most, and names the resources of all', () => {
    const rows = [row('m1', '0.000002', '0.000001'), row('m2', '0.00001', '0.000001', 2), row('m3', '0.000003')]
    expect(itemOfPrices(review({ rows: ['h1', 'h2', 'h3'] }), rows)).toEqual({
      id: 'r1',
      revision: expect.stringMatching(/^[0-9a-f]{16}$/),
      kind: 'price',
      provider: 'acme',
      source: 'list',
      reasons: ['large_change'],
      openedAt,
      rows: ['h1', 'h2', 'h3'],
      question:
        'm2: input tokens 1 → 10 (+900%); m1: input tokens 1 → 2 (+100%) USD per million tokens and 1 more: large change',
      resources: ['m1', 'm2', 'm3'],
      texts: [],
      endsBy: [expect.stringContaining('in 3 good fetches: 2 so far')],
    })
    expect(question({ rows: ['h1'] }, [rows[0]!])).toBe(
      'm1: input tokens 1 → 2 (+100%) USD per million tokens: large change',
    )
    expect(itemOfPrices(review(), [row('m1', '1', '2')]).endsBy).toEqual([
      'Published when the source has listed it for a day, in 3 good fetches.',
    ])
  })

  it('asks about a provider that is repriced as a whole by examples', () => {
    const text = question({ kind: 'mass_change', rows: ['a', 'b', 'c'] }, [row('m1', '0.000002', '0.000001')])
    expect(text).toBe('3 prices at once, such as m1: input tokens 1 → 2 (+100%) USD per million tokens: large change')
    expect(question({ kind: 'mass_change', rows: ['a'] }, [row('m1', '0.000002')])).toMatch(/^1 price at once/)
  })

  it('asks about absences by their names, the first two of many', () => {
    const resources = ['m1', 'm2', 'm3', 'm4']
    expect(question({ kind: 'rename', detail: { resources: ['m1'], to: 'm2' } })).toBe('Was m1 renamed to m2?')
    expect(question({ kind: 'removal', detail: { resources } })).toBe('Gone for good? 4 resources: m1, m2 and 2 more')
    expect(question({ kind: 'removal', detail: { resources: ['m1'] } })).toBe('Gone for good? 1 resource: m1')
    expect(question({ kind: 'removal', detail: { resources: ['m1', 'm2'] } })).toBe(
      'Gone for good? 2 resources: m1, m2',
    )
    const texts = ['input_tokens {}']
    expect(question({ kind: 'line_removal', detail: { resources: ['m1'], texts } })).toBe(
      'Gone for good? input tokens of 1 resource: m1',
    )
    const unreadable = ['m1 input_tokens {} = N/A']
    expect(question({ kind: 'unreadable', detail: { texts: unreadable } })).toBe(
      '1 price could not be read: m1: input tokens, listed as N/A',
    )
    const item = itemOfPrices(review({ kind: 'unreadable', detail: { resources: ['m1'], texts: unreadable } }), [])
    expect([item.resources, item.texts]).toEqual([['m1'], ['m1: input tokens, listed as N/A']])
  })

  it('asks about a whole list by its message, and otherwise by its reasons', () => {
    expect(question({ kind: 'snapshot', detail: { message: 'It has 3 prices.' } })).toBe('It has 3 prices.')
    expect(question({ kind: 'snapshot' })).toBe('large change')
    expect(itemOfPrices(review({ kind: 'snapshot', detail: { snapshotHash: 'f0' } }), [])).toMatchObject({
      snapshot: 'f0',
    })
    expect(itemOfPrices(review(), [])).not.toHaveProperty('snapshot')
    expect(question({ rows: ['a', 'b'] })).toBe('2 prices: large change')
  })

  it('asks about a document by its address', () => {
    const held = {
      versionId: 'v1',
      provider: 'acme',
      document: 'terms',
      reasons: ['language'],
      heldAt: openedAt,
      url: 'https://acme.example/terms',
      source: 'acme-terms',
    }
    expect(itemOfDocument(held as Parameters<typeof itemOfDocument>[0])).toEqual({
      id: 'v1',
      revision: expect.stringMatching(/^[0-9a-f]{16}$/),
      kind: 'terms',
      provider: 'acme',
      source: 'acme-terms',
      reasons: ['language'],
      openedAt,
      question: 'Is this the text of terms at https://acme.example/terms?',
      endsBy: ['Published when it has stayed for 3 days. Ends when the page shows another text.'],
      resources: [],
      texts: [],
      rows: [],
    })
    const login = { ...held, reasons: ['looks like: login page'] }
    expect(itemOfDocument(login as Parameters<typeof itemOfDocument>[0]).endsBy).toEqual([
      'Ends when the page shows another text. Only a person can accept this one.',
    ])
  })
})

describe('a notice about items that wait', () => {
  const item = (id: string, provider: string): QueueItem => ({
    id,
    revision: 'a1',
    kind: 'price',
    provider,
    source: 'list',
    reasons: ['large_change'],
    openedAt,
    question: `Is ${id} right?`,
    endsBy: ['Time.', 'A person.'],
    resources: ['m1'],
    texts: ['x'],
    rows: ['h1'],
  })

  it('has the items without their rows and revisions, and the command that shows them', () => {
    const { id, revision, resources, texts, rows, snapshot, ...kept } = { ...item('r1', 'acme'), snapshot: 'f0' }
    expect(noticeOf([{ ...item('r1', 'acme'), snapshot: 'f0' }], { waiting: 3, notified: 1 })).toEqual({
      type: 'review.waiting',
      waiting: 3,
      notified: 1,
      items: [{ reviewId: id, ...kept }],
      command: 'npx pricetape review list --older-than 1d',
    })
    expect([resources, texts, rows]).toEqual([['m1'], ['x'], ['h1']])
  })

  it('is a mail that names each item, what ends it, and how many more there are', () => {
    const one = mailOf(noticeOf([item('r1', 'acme')], { waiting: 3, notified: 1 }))
    expect(one.split('\n\n').slice(0, 2)).toEqual([
      '1 item has waited for a decision for a day. 3 in all.',
      'acme: Is r1 right?\n  price, since 2026-11-22T10:00:00.000Z\n  Time.\n  A person.\n  r1',
    ])
    expect(one).not.toContain('more.')
    const items = [item('r1', 'acme'), item('r2', 'acme'), item('r3', 'resale'), item('r4', 'other')]
    const many = mailOf(noticeOf(items, { waiting: 9, notified: 6 }))
    expect(many).toMatch(/^6 items have waited for a decision for a day\. 9 in all\./)
    expect(many).toContain('\n\n… and 2 more.\n\nSee them with their evidence:\n  npx pricetape review list')
  })
})

describe('the prices of many resources', () => {
  it('have one model where their group, or their maker’s name of it, is the same', () => {
    const row = (provider: string, resource: string) => ({
      ...{ provider, resource, source: 's', dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD' },
      ...{ pricingTier: {}, price: '1', recordedAt: openedAt, contentHash: provider + resource },
    })
    const rows = [row('a', 'm'), row('b', 'lab/m'), row('c', 'other'), row('d', 'x'), row('e', 'x'), row('e', 'y')]
    const known = [
      { provider: 'a', resource: 'm', name: 'M', group: 'g1', canonical: 'lab/m' },
      { provider: 'b', resource: 'lab/m', name: 'M', group: 'g1' },
      { provider: 'c', resource: 'other', name: 'y', canonical: 'lab/y' },
      { provider: 'e', resource: 'y', name: 'y', canonical: 'lab/y' },
    ]
    const { models, resources } = packPrices(rows as never, { known })
    expect(resources.map(({ provider, resource, model }) => [provider, resource, model])).toEqual([
      ['a', 'm', 0],
      ['b', 'lab/m', 0],
      ['c', 'other', 1],
      // An own name says nothing of another seller's.
      ['d', 'x', 2],
      ['e', 'x', 3],
      ['e', 'y', 1],
    ])
    expect(models).toEqual([
      { name: 'M', group: 'g1', maker: 'lab' },
      { name: 'y', maker: 'lab' },
      { name: 'x' },
      { name: 'x' },
    ])
  })

  it('are packed: what repeats is listed once, and named by its index', () => {
    const base = {
      provider: 'acme',
      source: 'list',
      resource: 'm1',
      unit: 'usd_per_token',
      currency: 'USD',
      pricingTier: {},
    }
    const priced = (dimension: string, price: string, more: object = {}) => ({
      ...base,
      dimension,
      price,
      recordedAt: openedAt,
      contentHash: `${dimension}${price}`,
      ...more,
    })
    const rows = [
      priced('input_tokens', '1'),
      priced('output_tokens', '2'),
      priced('input_tokens', '3', { resource: 'm2', recordedAt: 'later' }),
      priced('gpu_time', '4', { unit: 'usd_per_gpu_hour' }),
      priced('gpu_time', '5', { unit: 'usd_per_gpu_hour' }),
    ] as unknown as Parameters<typeof packPrices>[0]
    const kind = { unit: 'usd_per_token', currency: 'USD', tier: {}, places: 6, per: 'million tokens' }
    const gpu = {
      dimension: 'gpu_time',
      unit: 'usd_per_gpu_hour',
      currency: 'USD',
      tier: {},
      places: 0,
      per: 'GPU hour',
    }
    expect(packPrices(rows, { conditions: new Map([['gpu_time5', '8 × H100']]) })).toEqual({
      kinds: [
        { dimension: 'input_tokens', ...kind },
        { dimension: 'output_tokens', ...kind },
        gpu,
        { ...gpu, gpus: 8, gpu: 'H100' },
      ],
      instants: [openedAt, 'later'],
      models: [{ name: 'm1' }, { name: 'm2' }],
      facts: [],
      resources: [
        {
          provider: 'acme',
          resource: 'm1',
          source: 'list',
          model: 0,
          prices: [0, '1', 0, 1, '2', 0, 2, '4', 0, 3, '5', 0],
        },
        { provider: 'acme', resource: 'm2', source: 'list', model: 1, prices: [0, '3', 1] },
      ],
    })
  })
})
