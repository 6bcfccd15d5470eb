import { EVENT_VERSIONS, type EventType } from '../schema.ts'

const AT = '2026-09-23T14:05:00.000Z'
const BEFORE = '2026-06-02T09:15:00.000Z'

const envelopeOf = (type: EventType) => ({
  version: EVENT_VERSIONS[type],
  type: `${type}.acme`,
  id: 'evt_01997694-3f60-7c31-9d2e-5b1f6c0a7e42',
  createdAt: AT,
  eligibleAt: AT,
  provider: 'acme',
})

const model = { source: 'acme-api', resource: 'model-1', canonicalResource: 'acme/model-1' }
const line = { dimension: 'output_tokens', unit: 'usd_per_token', currency: 'USD', pricingTier: {} }
const previous = { price: '0.000002', recordedAt: BEFORE, contentHash: '6631e7cc'.repeat(8) }
const current = { price: '0.0000015', recordedAt: AT, contentHash: '7771a08b'.repeat(8) }
const read = { address: 'https://acme.example/pricing', at: AT, rank: 'provider' }
const shown = { previous: '2.00', current: '1.50', per: 'million tokens', change: '−25%' }
const affected = { from: BEFORE, to: AT }
const group = { id: '6f0c3a52-1f0b-4b52-8f5e-0d8f6d1f2b10', revision: 4, name: 'Model 1' }
const lines = [{ ...line, ...current }]
const groupLines = [{ source: model.source, ...line, ...current }]
const summary = {
  wordsRemoved: 3,
  wordsAdded: 5,
  sections: [
    {
      section: 'Payment terms',
      wordsRemoved: 3,
      wordsAdded: 5,
      removed: ['Invoices are due within 45 days.'],
      added: ['Invoices are due within 30 days of receipt.'],
    },
  ],
  changes: [{ section: 'Payment terms', clause: '4.2', topics: ['price'], wordsRemoved: 3, wordsAdded: 5 }],
  truncated: false,
}

const PAYLOADS: Record<EventType, object> = {
  'price.changed': { ...model, ...line, previous, current, effectiveFrom: '2026-09-23', read, shown },
  'price.revised': {
    ...model,
    ...line,
    previous: { ...previous, category: 'chat' },
    current: { ...previous, category: 'reasoning' },
    revised: ['category'],
    affected,
  },
  'price.corrected': {
    ...model,
    ...line,
    action: 'withdrawn',
    corrected: previous,
    previous,
    current,
    affected,
    reason: 'The page shows another price.',
    read,
    shown,
  },
  'price.announced': {
    ...model,
    ...line,
    action: 'announced',
    current: previous,
    announced: { price: '0.0000015', effectiveFrom: '2026-10-01' },
  },
  'resource.added': { ...model, lines },
  'resource.removed': { ...model, lines, missingSince: '2026-09-20T14:05:00.000Z' },
  'resource.renamed': { ...model, previousResource: 'model-1-preview', lines },
  'provider.added': { name: 'Acme AI' },
  'tos.changed': {
    document: 'terms-of-service',
    title: 'Terms of Service',
    url: 'https://acme.example/terms',
    classification: 'substantive',
    significance: 'high',
    effectiveDate: '2026-10-01',
    previous: { versionId: '4b1f6c0a', recordedAt: BEFORE },
    current: { versionId: '9d2e5b1f', recordedAt: AT, effectiveDate: '2026-10-01' },
    summary,
    diff: '-Invoices are due within 45 days.\n+Invoices are due within 30 days of receipt.',
  },
  'alias.member_added': {
    group,
    resource: model.resource,
    canonicalResource: model.canonicalResource,
    lines: groupLines,
  },
  'alias.member_removed': {
    group,
    resource: model.resource,
    canonicalResource: model.canonicalResource,
    groupDeleted: false,
  },
}

/** A body of each type as it may be sent, for people to look at. The provider is invented. */
export const exampleEvent = (type: EventType): object => ({ ...envelopeOf(type), ...PAYLOADS[type] })
