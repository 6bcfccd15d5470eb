import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteGroup } from '../../../src/aliases/delete-group.ts'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import type { EventDraft, EventType } from '../../../src/events/schema.ts'
import { editWebhook } from '../../../src/webhooks/manage/edit-webhook.ts'
import { previewSubscription } from '../../../src/webhooks/matching/preview-subscription.ts'
import type { WebhookBody } from '../../../src/webhooks/schema.ts'
import { testDatabase } from '../../support/database.ts'
import {
  addProviders, addWebhook, addWorkspace, everyType, matchAll, operator, receivers, record, tools,
} from '../../support/webhooks/subscriptions.ts' // biome-ignore format: one import

/**
 * The statement that matches, against the rules of the specification written down again as plainly as possible, over
 * random histories of webhooks, groups and events.
 */
const PROVIDERS = ['p1', 'p2', 'credit']
const RESOURCES = ['r1', 'r2', 'r3']
const DOCUMENTS = ['terms', 'privacy']
const GROUPS = ['g1', 'g2', 'g3']
const LEVELS = ['low', 'medium', 'high'] as const

type HookSettings = Required<
  Pick<WebhookBody, 'eventTypes' | 'providers' | 'filters' | 'aliases' | 'minSignificance' | 'minChange'>
>
type Members = { provider: string; resource: string }[]
type Model = { hooks: Map<string, HookSettings>; groups: Map<string, Members> }

/** Whether a webhook receives an event, and the group because of which it does. */
function expected(hook: HookSettings, event: EventDraft, groups: Model['groups']): { sent: boolean; because?: string } {
  const { type, provider } = event
  const aliasEvent = type === 'alias.member_added' || type === 'alias.member_removed'
  const plain = type === 'tos.changed' || type === 'provider.added'
  const named = hook.providers.includes(provider)
  const byWildcard = hook.providers.includes('*') && (provider !== 'credit' || plain)
  if (!hook.eventTypes.includes(type) || !(named || byWildcard)) return { sent: false }
  const filter = { resources: [], documents: [], ...hook.filters[provider] }
  if (type === 'provider.added') return { sent: true }
  if (type === 'tos.changed') {
    const { significance = 'high' } = event
    if (LEVELS.indexOf(significance) < LEVELS.indexOf(hook.minSignificance)) return { sent: false }
    return { sent: filter.documents.length === 0 || filter.documents.includes(event.document!) }
  }
  const holds = (group: string) =>
    aliasEvent
      ? event.groupId === group
      : (groups.get(group) ?? []).some((m) => m.provider === provider && event.members!.includes(m.resource))
  const because = hook.aliases.find(holds)
  if (because) return aliasEvent ? { sent: true } : { sent: true, because }
  if (filter.resources.some((entry) => event.resources!.includes(entry))) return { sent: true }
  return { sent: hook.aliases.length === 0 && filter.resources.length === 0 }
}

const some = <T>(from: readonly T[], min = 0) => fc.subarray([...from], { minLength: min })
const names = [...RESOURCES, 'maker/r1']
const filter = fc.record({ resources: some(names), documents: some(DOCUMENTS) })
const providers = fc.oneof(
  some(PROVIDERS, 1),
  some(PROVIDERS).map((named) => ['*', ...named]),
)
const hook = fc
  .record({
    eventTypes: some<EventType>(everyType, 4),
    providers,
    filters: fc.dictionary(fc.constantFrom(...PROVIDERS), filter),
    aliases: fc.shuffledSubarray(GROUPS),
    minSignificance: fc.constantFrom(...LEVELS),
    minChange: fc.constantFrom(0, 5, 10),
  })
  .map((wanted): HookSettings => {
    if (wanted.providers.includes('*')) return wanted
    const covered = Object.entries(wanted.filters).filter(([provider]) => wanted.providers.includes(provider))
    return { ...wanted, filters: Object.fromEntries(covered) }
  })
const members = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...PROVIDERS), fc.constantFrom(...RESOURCES)), {
    selector: String,
    minLength: 1,
  })
  .map((pairs): Members => pairs.map(([provider, resource]) => ({ provider, resource })))

const event = fc
  .record({
    type: fc.constantFrom(...everyType),
    provider: fc.constantFrom(...PROVIDERS),
    resource: fc.constantFrom(...RESOURCES),
    old: fc.option(fc.constantFrom(...RESOURCES), { nil: undefined }),
    canonical: fc.boolean(),
    document: fc.constantFrom(...DOCUMENTS),
    group: fc.constantFrom(...GROUPS),
    level: fc.option(fc.constantFrom(...LEVELS), { nil: undefined }),
  })
  .map(({ type, provider, resource, old, canonical, document, group, level }) => {
    const exact = [resource, ...(type === 'resource.renamed' && old ? [old] : [])]
    return { type, provider, exact, canonical, document, group, level }
  })

const step = fc.oneof(
  { weight: 5, arbitrary: event.map((drawn) => ({ do: 'event' as const, drawn })) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), index: fc.nat(2), wanted: hook }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('save' as const), group: fc.constantFrom(...GROUPS), members }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), group: fc.constantFrom(...GROUPS) }) },
)

describe('the matching statement', () => {
  const db = testDatabase()
  beforeAll(() => addProviders(db.sql, PROVIDERS, ['credit']))

  it('does what the rules say, over random histories, and so does the count of a preview', async () => {
    let sent = 0
    let because = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(hook, { minLength: 3, maxLength: 3 }),
        fc.tuple(members, members, members),
        fc.array(step, { minLength: 8, maxLength: 25 }),
        async (hooks, first, steps) => {
          await db.sql`truncate alias_group, workspace, event cascade`
          const workspaceId = await addWorkspace(db.sql)
          const model: Model = { hooks: new Map(), groups: new Map(GROUPS.map((group, i) => [group, first[i]!])) }
          const groupIds = new Map<string, string>()
          for (const [name, list] of model.groups) {
            groupIds.set(name, (await saveGroup(db.sql, { name, members: list, actor: 'test' })).id)
          }
          const nameOf = new Map([...groupIds].map(([name, id]) => [id, name]))
          const held = (wanted: HookSettings) => ({
            ...wanted,
            aliases: wanted.aliases.map((name) => groupIds.get(name)!),
          })
          for (const wanted of hooks) model.hooks.set(await addWebhook(db.sql, workspaceId, held(wanted)), wanted)
          const ids = [...model.hooks.keys()]
          const expectations: {
            id: string
            draft: EventDraft
            named: EventDraft
            groups: Model['groups']
            sends: Map<string, string | undefined>
          }[] = []

          for (const next of steps) {
            if (next.do === 'event') {
              const { drawn } = next
              const draft: EventDraft = {
                type: drawn.type,
                provider: drawn.provider,
                payload: {},
                resources: [...drawn.exact, ...(drawn.canonical ? ['maker/r1'] : [])],
                members: drawn.exact,
                document: drawn.document,
                ...(drawn.type === 'tos.changed' && { significance: drawn.level }),
                groupId: groupIds.get(drawn.group),
                creditPriced: drawn.provider === 'credit',
              }
              const named = { ...draft, groupId: drawn.group }
              const sends = new Map<string, string | undefined>()
              for (const [id, wanted] of model.hooks) {
                const outcome = expected(wanted, named, model.groups)
                if (outcome.sent) sends.set(id, outcome.because)
              }
              const [id] = await record(db.sql, draft)
              expectations.push({ id: id!, draft, named, groups: new Map(model.groups), sends })
            } else if (next.do === 'edit') {
              const id = ids[next.index]!
              // A group that was deleted can stay on a webhook, but not be added to it.
              const before = model.hooks.get(id)!.aliases
              const aliases = next.wanted.aliases.filter((name) => model.groups.has(name) || before.includes(name))
              const wanted = { ...next.wanted, aliases }
              await editWebhook(operator(db.sql), tools, { workspaceId, id }, held(wanted))
              model.hooks.set(id, wanted)
            } else if (next.do === 'save' && model.groups.has(next.group)) {
              await saveGroup(db.sql, { id: next.group, name: next.group, members: next.members, actor: 'test' })
              model.groups.set(next.group, next.members)
            } else if (next.do === 'delete' && model.groups.delete(next.group)) {
              await deleteGroup(db.sql, { id: next.group, actor: 'test' })
            }
          }

          await matchAll(db.sql)
          for (const { id, draft, sends } of expectations) {
            const got = [...(await receivers(db.sql, id))].map(([webhook, alias]) => {
              const group = alias === undefined ? undefined : nameOf.get(JSON.parse(alias).id)
              return [webhook, group] as const
            })
            expect(new Map(got), JSON.stringify(draft)).toEqual(sends)
            sent += sends.size
            because += [...sends.values()].filter(Boolean).length
          }
          // Saving groups records events too, which the model does not hold.
          const drawnIds = expectations.map(({ id }) => id)
          await db.sql`delete from delivery where event_id <> all (${drawnIds}::text[])`
          await db.sql`delete from event where event_id <> all (${drawnIds}::text[])`
          // A preview of what a webhook wants now counts the same events, with the groups as they were at each.
          for (const wanted of model.hooks.values()) {
            const counts = expectations.filter(({ named, groups }) => expected(wanted, named, groups).sent).length
            expect((await previewSubscription(db.sql, held(wanted))).events, JSON.stringify(wanted)).toBe(counts)
          }
        },
      ),
      { numRuns: 20, endOnFailure: true },
    )
    // The histories drawn have to reach what they are about.
    expect(sent).toBeGreaterThan(100)
    expect(because).toBeGreaterThan(10)
  })
})
