import { beforeAll, describe, expect, it } from 'vitest'
import { deleteGroup } from '../../../src/aliases/delete-group.ts'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import type { EventDraft } from '../../../src/events/schema.ts'
import type { WebhookBody } from '../../../src/webhooks/schema.ts'
import { testDatabase } from '../../support/database.ts'
import {
  addProviders,
  addWebhook,
  addWorkspace,
  matchAll,
  receivers,
  record,
} from '../../support/webhooks/subscriptions.ts'

type Case = { webhook: Partial<WebhookBody>; receives: string[]; not: string[]; with?: 'alias' }

const price = (provider: string, resource: string, canonical?: string): EventDraft => ({
  type: 'price.changed',
  provider,
  payload: { resource },
  resources: canonical ? [resource, canonical] : [resource],
  members: [resource],
})
const credit = (draft: EventDraft): EventDraft => ({ ...draft, creditPriced: true })
const about = (type: EventDraft['type'], provider: string): EventDraft => ({ ...price(provider, 'm1'), type })

/** Groups there are: `fast` lists acme/m1 and resale/m1-eu, `other` lists acme/m2, `gone` was deleted. */
const groups = { fast: '', other: '', gone: '' }

/** The events of every test, by name. */
const events: Record<string, () => EventDraft> = {
  'acme m1': () => price('acme', 'm1', 'acme/m1'),
  'acme m2': () => price('acme', 'm2'),
  'acme m1 added': () => about('resource.added', 'acme'),
  'acme m1 revised': () => about('price.revised', 'acme'),
  'acme m1 corrected': () => about('price.corrected', 'acme'),
  'acme m1 removed': () => about('resource.removed', 'acme'),
  'acme m0 → m1': () => ({ ...about('resource.renamed', 'acme'), resources: ['m0', 'm1'], members: ['m0', 'm1'] }),
  'acme terms': () => ({ type: 'tos.changed', provider: 'acme', payload: {}, document: 'terms-of-use' }),
  'acme privacy': () => ({ type: 'tos.changed', provider: 'acme', payload: {}, document: 'privacy-policy' }),
  'acme available': () => ({ type: 'provider.added', provider: 'acme', payload: {} }),
  'resale m1-eu': () => price('resale', 'm1-eu', 'acme/m1'),
  'resale other': () => price('resale', 'zzz'),
  'resale terms': () => ({ type: 'tos.changed', provider: 'resale', payload: {}, document: 'terms-of-use' }),
  'soon available': () => ({ type: 'provider.added', provider: 'soon', payload: {} }),
  'frost m1': () => credit(price('frost', 'm1', 'acme/m1')),
  'frost joins fast': () => credit({ ...about('alias.member_added', 'frost'), groupId: groups.fast }),
  'frost terms': () => credit({ type: 'tos.changed', provider: 'frost', payload: {}, document: 'terms-of-use' }),
  'frost available': () => credit({ type: 'provider.added', provider: 'frost', payload: {} }),
  'acme m1 joins fast': () => ({ ...about('alias.member_added', 'acme'), groupId: groups.fast }),
  'acme m1 leaves other': () => ({ ...about('alias.member_removed', 'acme'), groupId: groups.other }),
}
const all = Object.keys(events)
const but = (...names: string[]) => all.filter((name) => !names.includes(name))
const FROST_PRICES = ['frost m1', 'frost joins fast']
const M1 = ['acme m1', 'acme m1 added', 'acme m1 revised', 'acme m1 corrected', 'acme m1 removed', 'acme m0 → m1']
const NO_GROUPS_OR_FILTER_MATTER = ['acme terms', 'acme privacy', 'acme available', 'resale terms', 'soon available']

const rules: Record<string, Case> = {
  'rule 1: a webhook lists providers by slug': {
    webhook: { providers: ['acme'] },
    receives: all.filter((name) => name.startsWith('acme')),
    not: ['resale m1-eu', 'soon available', 'frost m1', 'frost terms'],
  },
  'rule 1: * is every provider, including ones added later': {
    webhook: {},
    receives: but(...FROST_PRICES),
    not: [],
  },
  'rule 1: a provider still being added can be named and then delivers provider.added': {
    webhook: { providers: ['soon'] },
    receives: ['soon available'],
    not: but('soon available'),
  },
  'a webhook receives only the types it subscribes to': {
    webhook: { eventTypes: ['price.revised'] },
    receives: ['acme m1 revised'],
    not: but('acme m1 revised'),
  },
  'rule 2: under * a credit-priced provider sends no price, resource and alias events, but tos.changed and provider.added':
    {
      webhook: {},
      receives: ['frost terms', 'frost available'],
      not: FROST_PRICES,
    },
  'rule 2: named beside the wildcard, a credit-priced provider sends everything': {
    webhook: { providers: ['*', 'frost'] },
    receives: all,
    not: [],
  },
  'rule 2: a credit-priced provider that is not covered sends nothing': {
    webhook: { providers: ['acme'] },
    receives: [],
    not: ['frost terms', 'frost available', ...FROST_PRICES],
  },
  'rule 2: a filter does not name a credit-priced provider': {
    webhook: { filters: { frost: { resources: ['m1'] } } },
    receives: ['frost terms'],
    not: FROST_PRICES,
  },
  'rule 2: a group does not name a credit-priced provider': {
    webhook: { aliases: ['fast'] },
    receives: ['frost terms'],
    not: FROST_PRICES,
  },
  'rule 3: a provider with no filter sends everything subscribed to, a filter narrows one provider': {
    webhook: { providers: ['acme', 'resale'], filters: { acme: { resources: ['m2'] } } },
    receives: ['acme m2', 'resale m1-eu', 'resale other', 'acme terms', 'acme available'],
    not: [...M1, 'frost m1'],
  },
  'rule 3: with *, a filter may narrow any provider': {
    webhook: { filters: { acme: { resources: ['m2'] } } },
    receives: ['acme m2', 'resale m1-eu', 'resale other', 'frost terms'],
    not: M1,
  },
  "rule 4: an entry matches the provider's name of the resource, for every price event and alias event": {
    webhook: { filters: { acme: { resources: ['m1'] } } },
    receives: [...M1, 'acme m1 joins fast', 'acme m1 leaves other', 'resale other'],
    not: ['acme m2'],
  },
  'rule 4: an entry matches the canonical id': {
    webhook: { providers: ['resale'], filters: { resale: { resources: ['acme/m1'] } } },
    receives: ['resale m1-eu', 'resale terms'],
    not: ['resale other'],
  },
  'rule 4: a rename matches on its old name': {
    webhook: { filters: { acme: { resources: ['m0'] } } },
    receives: ['acme m0 → m1'],
    not: ['acme m1', 'acme m1 added'],
  },
  'rule 4: a resource filter does not narrow tos.changed or provider.added': {
    webhook: { filters: { acme: { resources: ['m2'] } } },
    receives: ['acme terms', 'acme privacy', 'acme available'],
    not: [],
  },
  'rule 5: document filter entries apply to tos.changed alone': {
    webhook: { filters: { acme: { documents: ['terms-of-use'] } } },
    receives: ['acme terms', 'resale terms', 'acme available', ...M1, 'acme m2'],
    not: ['acme privacy'],
  },
  'rule 6: with a group each covered provider sends only its members, for every price event': {
    webhook: { aliases: ['fast'] },
    receives: [...M1, 'resale m1-eu'],
    not: ['acme m2', 'resale other'],
    with: 'alias',
  },
  'rule 6: a resource filter of a provider adds to the groups': {
    webhook: { aliases: ['fast'], filters: { acme: { resources: ['m2'] } } },
    receives: ['acme m2', ...M1, 'resale m1-eu'],
    not: ['resale other'],
  },
  'rule 6: a document filter does not add resources to the groups': {
    webhook: { aliases: ['fast'], filters: { acme: { documents: ['terms-of-use'] } } },
    receives: ['acme m1', 'acme terms'],
    not: ['acme m2', 'acme privacy'],
  },
  'rule 6: groups do not affect tos.changed or provider.added': {
    webhook: { aliases: ['other'] },
    receives: NO_GROUPS_OR_FILTER_MATTER,
    not: ['acme m1'],
  },
  'rule 6: providers decides which providers a group covers': {
    webhook: { providers: ['resale'], aliases: ['fast'] },
    receives: ['resale m1-eu'],
    not: M1,
  },
  'rule 6: a rename matches a group by its old or its new name': {
    webhook: { aliases: ['fast'] },
    receives: ['acme m0 → m1'],
    not: [],
    with: 'alias',
  },
  'rule 8: alias events are received for every group by a webhook with no groups and no resource filter for the provider':
    {
      webhook: { filters: { resale: { resources: ['zzz'] } } },
      receives: ['acme m1 joins fast', 'acme m1 leaves other'],
      not: [],
    },
  'rule 8: with groups, the alias events of those groups are received': {
    webhook: { aliases: ['fast'] },
    receives: ['acme m1 joins fast'],
    not: ['acme m1 leaves other'],
  },
  'rule 8: with a resource filter, alias events of the resources it names are received': {
    webhook: { filters: { acme: { resources: ['m2'] } } },
    receives: [],
    not: ['acme m1 joins fast', 'acme m1 leaves other'],
  },
  'rule 9: a deleted group stays on the webhook and matches nothing': {
    webhook: { aliases: ['gone'] },
    receives: NO_GROUPS_OR_FILTER_MATTER,
    not: [...M1, 'acme m2', 'acme m1 joins fast'],
  },
}

describe('subscription rules', () => {
  const db = testDatabase()
  const hooks = new Map<string, string>()
  const got = new Map<string, Map<string, string | undefined>>()

  beforeAll(async () => {
    await addProviders(db.sql, ['acme', 'resale', 'soon', 'frost'], ['frost'])
    const save = (name: string, members: { provider: string; resource: string }[]) =>
      saveGroup(db.sql, { name, members, actor: 'test' })
    const m1 = { provider: 'acme', resource: 'm1' }
    const m2 = { provider: 'acme', resource: 'm2' }
    const frost = { provider: 'frost', resource: 'm1' }
    groups.fast = (await save('fast', [m1, { provider: 'resale', resource: 'm1-eu' }, frost])).id
    groups.other = (await save('other', [m2])).id
    groups.gone = (await save('gone', [m1, m2])).id
    // One webhook per workspace: a workspace holds twenty.
    for (const [name, { webhook }] of Object.entries(rules)) {
      hooks.set(name, await addWebhook(db.sql, await addWorkspace(db.sql), webhook))
    }
    await deleteGroup(db.sql, { id: groups.gone, actor: 'test' })
    const ids = await record(db.sql, ...all.map((name) => events[name]!()))
    await matchAll(db.sql)
    for (const [index, name] of all.entries()) got.set(name, await receivers(db.sql, ids[index]!))
  })

  for (const [name, expected] of Object.entries(rules)) {
    it(name, () => {
      const received = all.filter((event) => got.get(event)!.has(hooks.get(name)!))
      expect(received).toEqual(expect.arrayContaining(expected.receives))
      expect(received.filter((event) => expected.not.includes(event))).toEqual([])
      if (expected.with !== 'alias') return
      for (const event of expected.receives) {
        expect(JSON.parse(got.get(event)!.get(hooks.get(name)!)!)).toEqual({ id: groups.fast, name: 'fast' })
      }
    })
  }

  it('rule 7: alias events, tos.changed and provider.added never carry the alias field', () => {
    const hook = hooks.get('rule 8: with groups, the alias events of those groups are received')!
    for (const event of ['acme m1 joins fast', ...NO_GROUPS_OR_FILTER_MATTER]) {
      expect(got.get(event)!.has(hook)).toBe(true)
      expect(got.get(event)!.get(hook)).toBeUndefined()
    }
  })

  it('rule 7: what a resource filter adds to the groups carries no alias field', () => {
    const hook = hooks.get('rule 6: a resource filter of a provider adds to the groups')!
    expect(got.get('acme m2')!.get(hook)).toBeUndefined()
    expect(got.get('acme m1')!.get(hook)).toBeDefined()
  })

  it('rule 7: a webhook without groups never receives the alias field', () => {
    const without = Object.entries(rules).filter(([, rule]) => !rule.webhook.aliases)
    const carried = without.flatMap(([name]) => all.flatMap((event) => got.get(event)!.get(hooks.get(name)!) ?? []))
    expect(carried).toEqual([])
  })
})
