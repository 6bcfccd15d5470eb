import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { aliasMemberAdded, aliasMemberAddedEvent } from '../../src/events/payloads/alias-member-added.ts'
import { aliasMemberRemoved, aliasMemberRemovedEvent } from '../../src/events/payloads/alias-member-removed.ts'
import {
  type PriceAnnouncement,
  priceAnnounced,
  priceAnnouncedEvent,
} from '../../src/events/payloads/price-announced.ts'
import { type PriceChange, priceChanged, priceChangedEvent } from '../../src/events/payloads/price-changed.ts'
import { type PriceCorrection, priceCorrected, priceCorrectedEvent } from '../../src/events/payloads/price-corrected.ts'
import { type PriceRevision, priceRevised, priceRevisedEvent } from '../../src/events/payloads/price-revised.ts'
import { providerAdded, providerAddedEvent } from '../../src/events/payloads/provider-added.ts'
import { resourceAdded, resourceAddedEvent } from '../../src/events/payloads/resource-added.ts'
import { resourceRemoved, resourceRemovedEvent } from '../../src/events/payloads/resource-removed.ts'
import { resourceRenamed, resourceRenamedEvent } from '../../src/events/payloads/resource-renamed.ts'
import { tosChanged, tosChangedEvent } from '../../src/events/payloads/tos-changed.ts'

type Body = Record<string, unknown>
type Step = string | number

const SCHEMAS: Record<string, z.ZodType> = {
  'provider.added': providerAdded,
  'resource.added': resourceAdded,
  'price.announced': priceAnnounced,
  'price.changed': priceChanged,
  'price.revised': priceRevised,
  'price.corrected': priceCorrected,
  'resource.renamed': resourceRenamed,
  'resource.removed': resourceRemoved,
  'alias.member_added': aliasMemberAdded,
  'alias.member_removed': aliasMemberRemoved,
  'tos.changed': tosChanged,
}

const FOLDER = join(import.meta.dirname, '../goldens/events')
/** Every body that was sent to a receiver, with every field it may have. */
const GOLDENS = readdirSync(FOLDER)
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => name !== 'webhook.test')
  .sort()
const UUID = '0b1e9c2e-5f0a-4c55-9d54-5f5f6f0c7a11'
const BODIES = new Map(
  GOLDENS.map((golden) => {
    const text = readFileSync(join(FOLDER, `${golden}.json`), 'utf8')
    return [golden, JSON.parse(text.replaceAll('"GROUP"', `"${UUID}"`)) as Body]
  }),
)
const bodyOf = (golden: string): Body => BODIES.get(golden)!
const schemaOf = (golden: string) => SCHEMAS[golden.split('-')[0]!]!

/** Every field of a body, those of lists by their first entries. */
function fieldsOf(value: unknown, path: Step[] = []): Step[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).filter(([key]) => !Array.isArray(value) || key === '0')
  return [path, ...inner.flatMap(([key, item]) => fieldsOf(item, [...path, Array.isArray(value) ? Number(key) : key]))]
}

/** A body with another value of one field; undefined leaves the field out. */
function withField(body: Body, path: Step[], value: unknown): Body {
  const copy = structuredClone(body)
  const parent = path.slice(0, -1).reduce<Body>((at, step) => at[step] as Body, copy)
  if (value === undefined) delete parent[path.at(-1)!]
  else parent[path.at(-1)!] = value
  return copy
}

const at = (body: Body, path: Step[]): unknown => path.reduce<unknown>((value, step) => (value as Body)[step], body)
/** The fields that may be absent. */
const optional = (golden: string) => allowed(golden, undefined).sort()

/** The fields of a body whose other value is valid all the same. */
function allowed(golden: string, value: unknown): string[] {
  const body = bodyOf(golden)
  const named = fieldsOf(body).filter(
    (path) => path.length > 0 && (value !== undefined || typeof path.at(-1) === 'string'),
  )
  return named
    .filter((path) => schemaOf(golden).safeParse(withField(body, path, value)).success)
    .map((path) => path.join('.'))
}

describe('the schema of an event', () => {
  it.each(GOLDENS)('has every field that is sent, and no more: %s', (golden) => {
    expect(schemaOf(golden).parse(bodyOf(golden))).toEqual(bodyOf(golden))
  })

  it('says which fields may be absent', () => {
    const ofPrice = ['canonicalResource', 'alias']
    const shown = (...names: string[]) => ['shown', ...names.map((name) => `shown.${name}`)]
    const change = [...ofPrice, 'read', ...shown('previous', 'current', 'change')]
    const money = ['effectiveFrom', 'canonicalResource', 'category', 'billingCondition']
    const expected: Record<string, string[]> = {
      'provider.added': [],
      'resource.added': ofPrice,
      'resource.removed': [...ofPrice, 'missingSince'],
      'resource.removed-source-ended': [...ofPrice, 'reason'],
      'resource.renamed': [...ofPrice, 'previousCanonicalResource'],
      'price.changed': [...change, 'previous', 'current', 'effectiveFrom'],
      'price.changed-line-began': [...ofPrice, 'read', ...shown('current'), 'current', 'effectiveFrom'],
      'price.changed-line-ended': [...ofPrice, ...shown('previous'), 'previous', 'effectiveFrom'],
      'price.changed-tier-introduced': [
        ...change,
        'previous',
        'current',
        'effectiveFrom',
        'tier',
        'pricingTier.context',
      ],
      'price.changed-tier-withdrawn': [
        ...change,
        'previous',
        'current',
        'effectiveFrom',
        'tier',
        'pricingTier.context',
      ],
      'price.announced': [...ofPrice, 'current', 'announced'],
      'price.announced-changed': [...ofPrice, 'current', 'announced', 'replaces'],
      'price.announced-withdrawn': [...ofPrice, 'current', 'replaces'],
      'price.corrected': [...change, 'previous', 'current', 'reason'],
      'price.corrected-restored': [...change, 'previous', 'current', 'reason'],
      'price.revised': [
        ...ofPrice,
        ...money.map((name) => `previous.${name}`),
        ...money.map((name) => `current.${name}`),
      ],
      'alias.member_added': ['canonicalResource'],
      'alias.member_removed': ['canonicalResource'],
      'tos.changed': [
        'effectiveDate',
        'previous.effectiveDate',
        'previous.updatedDate',
        'current.effectiveDate',
        'current.updatedDate',
        'returnsTo',
        'significance',
        'summary.changes',
        'summary.rows',
        'summary.rows.0.changed',
        'doubt',
        'differenceUrl',
      ],
    }
    expect(GOLDENS).toEqual(Object.keys(expected).sort())
    for (const golden of GOLDENS) expect([golden, ...optional(golden)]).toEqual([golden, ...expected[golden]!.sort()])
  })

  it('refuses another text for a price, an instant, a hash, an id, a slug, a currency, a version or a choice', () => {
    const bound = (golden: string) => {
      const [body, free] = [bodyOf(golden), new Set(allowed(golden, 'some words'))]
      const texts = fieldsOf(body).filter((path) => typeof at(body, path) === 'string')
      return texts.map((path) => path.join('.')).filter((path) => !free.has(path)).sort() // biome-ignore format: one step after another
    }
    const envelope = ['version', 'createdAt', 'eligibleAt', 'provider']
    const line = [...envelope, 'source', 'currency', 'alias.id']
    const point = (name: string) => [`${name}.price`, `${name}.recordedAt`, `${name}.contentHash`]
    const read = ['read.at', 'read.rank']
    const revision = [...line, ...point('previous'), ...point('current')]
    const change = [...revision, ...read]
    const affected = ['affected.from', 'affected.to']
    const listed = [...envelope, 'source', 'alias.id', 'lines.0.currency', ...point('lines.0')]
    const expected: Record<string, string[]> = {
      'provider.added': envelope,
      'resource.added': listed,
      'resource.removed': [...listed, 'missingSince'],
      'resource.removed-source-ended': [...listed, 'reason'],
      'resource.renamed': listed,
      'price.changed': change,
      'price.changed-line-began': [...line, ...point('current'), ...read],
      'price.changed-line-ended': [...line, ...point('previous')],
      'price.changed-tier-introduced': [...change, 'tier'],
      'price.changed-tier-withdrawn': [...change, 'tier'],
      'price.announced': [...line, ...point('current'), 'announced.price', 'action'],
      'price.announced-changed': [...line, ...point('current'), 'announced.price', 'replaces.price', 'action'],
      'price.announced-withdrawn': [...line, ...point('current'), 'replaces.price', 'action'],
      'price.corrected': [...change, ...point('corrected'), ...affected, 'action'],
      'price.corrected-restored': [...change, ...point('corrected'), ...affected, 'action'],
      'price.revised': [...revision, ...affected, 'revised.0'],
      'alias.member_added': [...envelope, 'group.id', 'lines.0.source', 'lines.0.currency', ...point('lines.0')],
      'alias.member_removed': [...envelope, 'group.id'],
      'tos.changed': [
        ...envelope,
        'classification',
        'current.recordedAt',
        'previous.recordedAt',
        'significance',
        'summary.changes.0.topics.0',
      ],
    }
    for (const golden of GOLDENS) expect([golden, ...bound(golden)]).toEqual([golden, ...expected[golden]!.sort()])
  })

  it('takes a number for no text and no part of a word, and a list for no other field', () => {
    for (const golden of GOLDENS) {
      expect([golden, ...allowed(golden, 1.5)]).toEqual([golden])
      const lists = fieldsOf(bodyOf(golden)).filter((path) => Array.isArray(at(bodyOf(golden), path)))
      // What was revised is never nothing.
      const empty = lists.map((path) => path.join('.')).filter((path) => path !== 'revised')
      expect([golden, ...allowed(golden, [])]).toEqual([golden, ...empty])
    }
  })

  it('takes each choice of a field', () => {
    const takes = (golden: string, path: Step[], choices: string[]) =>
      choices.filter((choice) => schemaOf(golden).safeParse(withField(bodyOf(golden), path, choice)).success)
    const choices: [string, Step[], string[]][] = [
      ['price.changed', ['tier'], ['introduced', 'withdrawn']],
      ['price.announced', ['action'], ['announced', 'changed', 'withdrawn']],
      ['price.corrected', ['action'], ['withdrawn', 'restored']],
      ['price.revised', ['revised', 0], ['effectiveFrom', 'canonicalResource', 'category', 'billingCondition']],
      ['tos.changed', ['classification'], ['dates', 'minor', 'substantive']],
      ['tos.changed', ['significance'], ['low', 'medium', 'high']],
      [
        'tos.changed',
        ['summary', 'changes', 0, 'topics', 0],
        ['liability', 'price', 'data', 'dates', 'parties', 'termination', 'disputes'],
      ],
    ]
    for (const [golden, path, all] of choices) {
      expect(takes(golden, path, all)).toEqual(all)
      expect(takes(golden, path, ['', 'Data'])).toEqual([])
    }
  })

  it('counts the revisions of a group from 1', () => {
    const withRevision = (revision: number) =>
      ['alias.member_added', 'alias.member_removed'].map(
        (golden) => schemaOf(golden).safeParse(withField(bodyOf(golden), ['group', 'revision'], revision)).success,
      )
    expect([withRevision(1), withRevision(0), withRevision(-1)]).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ])
  })

  it('has instants in UTC with exactly three digits after the second, and nothing around them', () => {
    const takes = (createdAt: string) => providerAdded.safeParse({ ...bodyOf('provider.added'), createdAt }).success
    expect(takes('2026-11-22T10:00:00.000Z')).toBe(true)
    const others = [
      '2026-11-22T10:00:00Z',
      '2026-11-22T10:00:00.00Z',
      '2026-11-22T10:00:00.0000Z',
      '2026-11-22T10:00:00.000+00:00',
      '2026-11-22 10:00:00.000Z',
      'x2026-11-22T10:00:00.000Z',
      '2026-11-22T10:00:00.000Zx',
      '2026-11-22T10:00:0x.000Z',
      '2026-11-22T10:00:00x000Z',
    ]
    expect(others.map(takes)).not.toContain(true)
  })
})

describe('the draft of an event says what is sent, and who may want it', () => {
  const line = { dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD', pricingTier: {} }
  const point = { price: '0.000002', recordedAt: '2026-11-22T10:00:00.000Z', contentHash: 'a'.repeat(64) }
  const named = { source: 'list', resource: 'm1', canonicalResource: 'maker/m1' }
  const change = { ...named, ...line, previous: point, current: { ...point, price: '0.000003' } } satisfies PriceChange
  const span = { from: '2026-11-21T10:00:00.000Z', to: '2026-11-22T10:00:00.000Z' }
  const audience = { resources: ['m1', 'maker/m1'], members: ['m1'] }

  it('of a price: those that name its resource, by its own name or its canonical id', () => {
    expect(priceChangedEvent('acme', false, change)).toEqual({
      type: 'price.changed',
      provider: 'acme',
      payload: change,
      ...audience,
      creditPriced: false,
    })
    const { canonicalResource: _, ...plain } = change
    expect(priceChangedEvent('acme', true, plain)).toEqual({
      type: 'price.changed',
      provider: 'acme',
      payload: plain,
      resources: ['m1'],
      members: ['m1'],
      creditPriced: true,
    })
  })

  it('of a price that is announced: the same', () => {
    const announced: PriceAnnouncement = {
      ...named,
      ...line,
      action: 'announced',
      current: point,
      announced: { price: '0.000003', effectiveFrom: '2027-01-01' },
    }
    expect(priceAnnouncedEvent('acme', true, announced)).toEqual({
      type: 'price.announced',
      provider: 'acme',
      payload: announced,
      ...audience,
      creditPriced: true,
    })
  })

  it('of a price that was wrong: the same', () => {
    const corrected: PriceCorrection = { ...change, action: 'withdrawn', corrected: point, affected: span }
    expect(priceCorrectedEvent('acme', true, corrected)).toEqual({
      type: 'price.corrected',
      provider: 'acme',
      payload: corrected,
      ...audience,
      creditPriced: true,
    })
  })

  it('of a price whose canonical id was revised: those that name the id before or after', () => {
    const revised: PriceRevision = {
      ...change,
      previous: { ...point, canonicalResource: 'maker/m0' },
      revised: ['canonicalResource'],
      affected: span,
    }
    expect(priceRevisedEvent('acme', false, revised)).toEqual({
      type: 'price.revised',
      provider: 'acme',
      payload: revised,
      resources: ['m1', 'maker/m1', 'maker/m0'],
      members: ['m1'],
      creditPriced: false,
    })
  })

  it('of a resource that is new or no longer listed: those that name it', () => {
    const listed = { ...named, lines: [{ ...line, ...point }] }
    expect(resourceAddedEvent('acme', true, listed)).toEqual({
      type: 'resource.added',
      provider: 'acme',
      payload: listed,
      ...audience,
      creditPriced: true,
    })
    const removed = { ...listed, missingSince: span.from }
    expect(resourceRemovedEvent('acme', false, removed)).toEqual({
      type: 'resource.removed',
      provider: 'acme',
      payload: removed,
      ...audience,
      creditPriced: false,
    })
  })

  it('of a resource that was renamed: those that name it by any of its names', () => {
    const renamed = {
      ...named,
      previousResource: 'm0',
      previousCanonicalResource: 'maker/m0',
      lines: [{ ...line, ...point }],
    }
    expect(resourceRenamedEvent('acme', true, renamed)).toEqual({
      type: 'resource.renamed',
      provider: 'acme',
      payload: renamed,
      resources: ['m0', 'm1', 'maker/m0', 'maker/m1'],
      members: ['m0', 'm1'],
      creditPriced: true,
    })
  })

  it('of a member of a group: the group, and those that name the member by any canonical id, of which the first is sent', () => {
    const group = { id: UUID, name: 'GPT', revision: 3 }
    const member = {
      provider: 'acme',
      resource: 'm1',
      canonicalResources: ['maker/m1', 'other/m1'],
      creditPriced: true,
    }
    const lines = [{ source: 'list', ...line, ...point }]
    const wanted = {
      provider: 'acme',
      groupId: group.id,
      resources: ['m1', 'maker/m1', 'other/m1'],
      members: ['m1'],
      creditPriced: true,
    }
    const about = { group, resource: 'm1', canonicalResource: 'maker/m1' }
    expect(aliasMemberAddedEvent(group, member, lines)).toEqual({
      type: 'alias.member_added',
      payload: { ...about, lines },
      ...wanted,
    })
    expect(aliasMemberRemovedEvent(group, member, true)).toEqual({
      type: 'alias.member_removed',
      payload: { ...about, groupDeleted: true },
      ...wanted,
    })
    const unknown = { ...member, canonicalResources: [] }
    expect(aliasMemberAddedEvent(group, unknown, [])).toMatchObject({ resources: ['m1'], members: ['m1'] })
    expect(aliasMemberRemovedEvent(group, unknown, false)).toMatchObject({ resources: ['m1'], members: ['m1'] })
  })

  it('of a provider, and of a document by its slug: everyone who wants the provider, priced in credits or not', () => {
    expect(providerAddedEvent('acme', 'Acme Inc')).toEqual({
      type: 'provider.added',
      provider: 'acme',
      payload: { name: 'Acme Inc' },
    })
    const change = tosChanged.parse(bodyOf('tos.changed'))
    expect(tosChangedEvent('acme', change)).toEqual({
      type: 'tos.changed',
      provider: 'acme',
      payload: change,
      document: 'dpa',
      significance: 'high',
    })
    const { significance: _, ...earlier } = change
    expect(tosChanged.parse(earlier).significance).toBeUndefined()
  })
})
