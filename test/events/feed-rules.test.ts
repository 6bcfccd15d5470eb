import { describe, expect, it } from 'vitest'
import { feedItemOf } from '../../src/events/feed-rules.ts'
import type { FeedEvent } from '../../src/events/feed-schema.ts'

const common = { seq: '7', id: 'evt_1', provider: 'acme', at: '2026-11-22T10:00:00.000Z' }
const item = (type: FeedEvent['type'], body: FeedEvent['body'], more: Partial<FeedEvent> = {}) => {
  const shown = feedItemOf({ ...common, type, body, ...more })
  return JSON.parse(JSON.stringify(shown))
}

describe('an event in the feed', () => {
  it('is a change of price, by the million where people read it so', () => {
    const body = {
      resource: 'm1',
      dimension: 'input_tokens',
      unit: 'usd_per_token',
      currency: 'USD',
      pricingTier: { context: 'gt_200k' },
      previous: { price: '0.000002' },
      current: { price: '0.0000025' },
      tier: 'introduced',
      reason: 'because',
      read: { address: 'https://acme.example/pricing', at: common.at, rank: 'provider' },
      revised: ['category'],
    }
    expect(item('price.changed', body, { direction: 'up', lines: 2 })).toEqual({
      ...common,
      type: 'price.changed',
      resource: 'm1',
      lines: 2,
      dimension: 'input_tokens',
      tier: { context: 'gt_200k' },
      currency: 'USD',
      per: 'million tokens',
      before: '2',
      after: '2.5',
      percent: '+25%',
      action: 'introduced',
      reason: 'because',
      read: { address: 'https://acme.example/pricing', at: common.at, rank: 'provider' },
      revised: ['category'],
      direction: 'up',
    })
    expect(item('price.corrected', { unit: 'usd_per_gpu_hour', current: { price: '3' }, action: 'restored' })).toEqual({
      ...common,
      type: 'price.corrected',
      per: 'GPU hour',
      after: '3',
      action: 'restored',
    })
    expect(item('price.corrected', { previous: { price: '3' } })).toMatchObject({ before: '3' })
  })

  it('is a price that is announced, beside the one in force, and what was announced before', () => {
    const body = {
      ...{ resource: 'm1', dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD', pricingTier: {} },
      action: 'changed',
      current: { price: '0.000002' },
      announced: { price: '0.000003', effectiveFrom: '2027-01-01' },
      replaces: { price: '0.0000025', effectiveFrom: '2026-12-01' },
    }
    const shown = {
      ...{ ...common, type: 'price.announced', resource: 'm1', dimension: 'input_tokens', tier: {}, currency: 'USD' },
      ...{ per: 'million tokens', before: '2', action: 'changed' },
    }
    const replaces = { price: '2.5', effectiveFrom: '2026-12-01' }
    const after = { after: '3', percent: '+50%', effectiveFrom: '2027-01-01' }
    expect(item('price.announced', body)).toEqual({ ...shown, ...after, replaces })
    const { announced: _, ...withdrawn } = { ...body, action: 'withdrawn' }
    expect(item('price.announced', withdrawn)).toEqual({ ...shown, action: 'withdrawn', replaces })
    const { current: __, replaces: ___, ...first } = { ...body, action: 'announced' }
    const { before: ____, ...withoutPrice } = { ...shown, action: 'announced' }
    expect(item('price.announced', first)).toEqual({ ...withoutPrice, after: '3', effectiveFrom: '2027-01-01' })
  })

  it('is a resource, or a member of a group, without a price', () => {
    expect(item('resource.renamed', { resource: 'm2', previousResource: 'm1', unit: 'usd_per_token' })).toEqual({
      ...common,
      type: 'resource.renamed',
      resource: 'm2',
      previousResource: 'm1',
    })
    expect(
      item('alias.member_removed', { resource: 'm1', group: { id: 'g1', name: 'GPT-5' }, groupDeleted: true }),
    ).toEqual({
      ...common,
      type: 'alias.member_removed',
      resource: 'm1',
      name: 'GPT-5',
      groupId: 'g1',
      groupDeleted: true,
    })
  })

  it('is a new provider, by its name', () => {
    expect(item('provider.added', { name: 'Acme', resource: 'm1' })).toEqual({
      ...common,
      type: 'provider.added',
      name: 'Acme',
    })
  })

  it('is a document, with each topic once and the versions on both sides', () => {
    const versionOf = (versionId: string) => ({ versionId, recordedAt: common.at, text: 'long' })
    const summary = { wordsRemoved: 3, wordsAdded: 5, changes: [{ topics: ['fees', 'law'] }, { topics: ['fees'] }] }
    const body = {
      document: 'terms',
      title: 'Terms',
      classification: 'material',
      significance: 'medium',
      effectiveDate: '2026-12-01',
      summary,
      previous: versionOf('v1'),
      current: versionOf('v2'),
    }
    const { summary: _, previous: __, current: ___, ...named } = body
    expect(item('tos.changed', body)).toEqual({
      ...common,
      type: 'tos.changed',
      ...named,
      topics: ['fees', 'law'],
      wordsRemoved: 3,
      wordsAdded: 5,
      from: { versionId: 'v1', recordedAt: common.at },
      to: { versionId: 'v2', recordedAt: common.at },
    })
    expect(item('tos.changed', { document: 'terms' })).toEqual({
      ...common,
      type: 'tos.changed',
      document: 'terms',
      topics: [],
    })
    expect(item('tos.changed', { summary: { wordsRemoved: 1, wordsAdded: 0 } }).topics).toEqual([])
  })
})
