import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deleteGroup } from '../../src/aliases/delete-group.ts'
import { findGroup, findGroupsOf, listAliases } from '../../src/aliases/list-groups.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { databaseNow } from '../../src/catalog/clock/clock-store.ts'
import { type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { continued } from '../../src/prices/history/cursor-rules.ts'
import type { HistoryRequest } from '../../src/prices/history/history-rules.ts'
import { observed } from '../prices/observed.ts'
import { ownList, snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'
import { CURSOR_KEY, readPage } from '../support/definitions/history.ts'
import * as model from './group-model.ts'
import { checkAgainstModel, command } from './run-model.ts'

const PROVIDERS = ['dollar', 'euro', 'solo']
const RESOURCES = ['birch', 'opal', 'quartz', 'Opal']
/** `quartz` has a canonical id. */
const canonicalOf = (resource: string) => (resource === 'quartz' ? 'maker/quartz' : undefined)
const NAMES = ['Birch', 'BIRCH', ' birch ', 'Opal 2', 'opal  2', 'Quartz', 'Ωmega']
const ALL = PROVIDERS.flatMap((provider) => RESOURCES.map((resource) => ({ provider, resource })))

type Page = {
  nextCursor: string | null
  alias: { id: string; name: string; revision: number }
  members: model.Member[]
  prices: { provider: string; resource: string; contentHash: string }[]
}
/** A page that was read, and what its walk goes on with. */
type Walk = { group: model.ModelGroup; revision: number; seen: string[]; next: HistoryRequest }
type World = model.GroupWorld & { walks: Walk[]; lastSeq: string }

describe('alias groups', () => {
  const db = testDatabase()
  let seededAt: Instant | undefined

  async function begin() {
    if (!seededAt) {
      const lines = ALL.flatMap(({ provider, resource }) =>
        (['input_tokens', 'output_tokens'] as const).map((dimension, n) =>
          observed(resource, dimension, `0.00000${n + 1}`, { provider, canonicalResource: canonicalOf(resource) }),
        ),
      )
      seededAt = plus(await databaseNow(db.sql), -20 * MINUTE)
      await snapshot(db.sql, 'market', lines, { at: seededAt, source: ownList('market') })
    }
    await db.sql`truncate alias_group cascade`
    const [catalog] = await db.sql<{ version: number }[]>`select version::int as version from alias_catalog`
    const [clock] = await db.sql<{ last: string }[]>`select last_seq as last from publication_clock`
    const world: World = { groups: [], version: catalog!.version, walks: [], lastSeq: clock!.last }
    return { model: world, real: db }
  }

  async function checkEvents(world: World, expected: model.GroupEvent[]) {
    const rows = await db.sql<{ seq: string; type: string; body: string }[]>`
      select seq, type, body from event where seq > ${world.lastSeq} order by seq`
    world.lastSeq = rows.at(-1)?.seq ?? world.lastSeq
    const seen = rows.map(({ type, body }) => {
      const { provider, resource, group } = JSON.parse(body)
      return `${type} ${group.id} ${model.keyOf({ provider, resource })}`
    })
    expect(seen.sort()).toEqual(expected.map(({ type, group, member }) => `${type} ${group} ${member}`).sort())
  }

  /** The listing, each group by id and by name, and the groups of each resource. */
  async function compare(world: World) {
    const living = model.livingGroups(world)
    const listing = await listAliases(db.sql)
    expect(listing.version).toBe(world.version)
    expect(listing.unpriced).toEqual([])
    expect(
      listing.groups.map(({ id, resource, revision, members, retired }) => ({
        ...{ id, resource, revision, retired },
        members: members.map(model.keyOf),
      })),
    ).toEqual(
      expect.arrayContaining(
        living.map(({ id, name, revision, members }) => ({
          ...{ id, resource: name, revision, retired: false },
          members: [...members].sort(),
        })),
      ),
    )
    expect(listing.groups).toHaveLength(living.length)
    for (const { provider, resource, comparisonResource } of listing.resources) {
      const member = model.keyOf({ provider, resource })
      expect(comparisonResource, member).toBe(model.comparisonOf(world, member, canonicalOf(resource)))
    }
    expect(listing.resources).toHaveLength(ALL.length)
    const one = living[0]
    for (const reference of one ? [one.id, one.name, one.name.toUpperCase()] : [])
      expect((await findGroup(db.sql, reference))?.id).toBe(one!.id)
    const gone = world.groups.find(({ isDeleted }) => isDeleted)
    if (gone) expect(await findGroup(db.sql, gone.id)).toBeUndefined()
    const of = (await findGroupsOf(db.sql, ALL[0]!)).map(({ id }) => id)
    const wanted = living.filter(({ members }) => members.includes(model.keyOf(ALL[0]!))).map(({ id }) => id)
    expect(of.sort()).toEqual(wanted.sort())
  }

  const members = fc.subarray(ALL, { minLength: 1, maxLength: 5 })
  const name = fc.constantFrom(...NAMES)
  const pick = fc.nat(100)
  const step = <T>(label: string, drawn: fc.Arbitrary<T>, run: (world: World, drawn: T) => Promise<void>) =>
    drawn.map((value) =>
      command<World, typeof db>(`${label} ${JSON.stringify(value)}`, async (world) => {
        await run(world, value)
        await compare(world)
      }),
    )
  const groupAt = (world: World, which: number) => world.groups[which % Math.max(1, world.groups.length)]
  const stored = (text: string) => text.trim().replace(/\s+/g, ' ')

  async function readOn(walk: Walk, request: HistoryRequest, isOver: () => void) {
    const page = JSON.parse(await readPage(db.sql, { ...request, asOf: seededAt! })) as Page
    expect(page.alias).toEqual({ id: walk.group.id, name: walk.group.name, revision: walk.revision })
    expect(page.members.map(model.keyOf)).toEqual([...walk.group.members].sort())
    walk.seen.push(...page.prices.map(({ contentHash, ...row }) => `${contentHash} ${model.keyOf(row)}`))
    if (page.nextCursor !== null) {
      walk.next = continued(CURSOR_KEY, page.nextCursor, request.limit)!
      return
    }
    isOver()
    expect(walk.seen).toEqual([...new Set(walk.seen)].sort())
    const rows = walk.seen.map((text) => text.slice(text.indexOf(' ') + 1)).sort()
    // Two prices of each member, and of nothing else.
    expect(rows).toEqual(walk.group.members.flatMap((member) => [member, member]).sort())
  }

  const commands = [
    step('create', fc.record({ name, members }), async (world, drawn) => {
      const made = saveGroup(db.sql, { ...drawn, actor: 'test' })
      if (model.find(world, drawn.name)) {
        await expect(made).rejects.toMatchObject({ code: 'invalid_body', field: 'name' })
        return checkEvents(world, [])
      }
      const { id, revision, version } = await made
      const events = model.create(world, id, stored(drawn.name), drawn.members.map(model.keyOf))
      expect({ revision, version }).toEqual({ revision: 1, version: world.version })
      await checkEvents(world, events)
    }),
    step('save', fc.record({ pick, name, members, stale: fc.nat(4), byName: fc.boolean() }), async (world, drawn) => {
      const group = groupAt(world, drawn.pick)
      if (!group) return
      const id = drawn.byName ? group.name : group.id
      const found = model.find(world, id)
      const ifRevision = drawn.stale === 0 ? group.revision - 1 : undefined
      const input = { id, name: drawn.name, members: drawn.members, ifRevision, actor: 'test' }
      const saved = saveGroup(db.sql, input)
      const holder = model.find(world, drawn.name)
      const refusal = !found
        ? { code: 'alias_not_found' }
        : ifRevision !== undefined && ifRevision !== found.revision
          ? { code: 'alias_changed' }
          : holder && holder !== found
            ? { code: 'invalid_body', field: 'name' }
            : undefined
      if (refusal) {
        await expect(saved).rejects.toMatchObject(refusal)
        return checkEvents(world, [])
      }
      const { revision, version } = await saved
      const events = model.save(world, found!, stored(drawn.name), drawn.members.map(model.keyOf))
      expect({ revision, version }).toEqual({ revision: found!.revision, version: world.version })
      await checkEvents(world, events)
    }),
    step('save a member no one knows', pick, async (world, which) => {
      const group = groupAt(world, which)
      const input = { id: group?.id, name: 'Any', members: [{ provider: 'nobody', resource: 'opal' }], actor: 'test' }
      await expect(saveGroup(db.sql, input)).rejects.toMatchObject(
        group?.isDeleted ? { code: 'alias_not_found' } : { code: 'invalid_body', field: 'members' },
      )
      await checkEvents(world, [])
    }),
    step('delete', pick, async (world, which) => {
      const group = groupAt(world, which)
      if (!group) return
      const deleted = deleteGroup(db.sql, { id: group.id, actor: 'test' })
      if (group.isDeleted) {
        await expect(deleted).rejects.toMatchObject({ code: 'alias_not_found' })
        return
      }
      await deleted
      await checkEvents(world, model.remove(world, group))
    }),
    step('read a group', fc.record({ pick, limit: fc.integer({ min: 1, max: 4 }) }), async (world, drawn) => {
      const group = groupAt(world, drawn.pick)
      if (!group) return
      const request = { asOf: seededAt!, alias: { reference: group.id }, limit: drawn.limit, after: '' }
      if (group.isDeleted) {
        await expect(readPage(db.sql, request)).rejects.toMatchObject({ code: 'alias_not_found', status: 404 })
        return
      }
      const walk: Walk = { group, revision: group.revision, seen: [], next: request }
      world.walks.push(walk)
      await readOn(walk, request, () => world.walks.pop())
    }),
    step('read the next pages', fc.constant(undefined), async (world) => {
      for (const walk of [...world.walks]) {
        const isOver = () => world.walks.splice(world.walks.indexOf(walk), 1)
        if (!walk.group.isDeleted && walk.group.revision === walk.revision) {
          await readOn(walk, walk.next, isOver)
          continue
        }
        // "A cursor created with alias stops working once the group changes."
        const next = readPage(db.sql, { ...walk.next, asOf: seededAt! })
        await expect(next).rejects.toMatchObject({ code: 'alias_changed', status: 409 })
      }
    }),
  ]

  it('agree with the model: listing, names, revisions, events, and the cursors of their histories', async () => {
    const tried = await checkAgainstModel({ name: 'groups', histories: 1, steps: 60, commands, begin })
    expect(tried.steps).toBeGreaterThan(0)
  })
})
