import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteGroup } from '../../src/aliases/delete-group.ts'
import { followRenames } from '../../src/aliases/follow-renames.ts'
import { findGroups, membersOf } from '../../src/aliases/group-store.ts'
import { findGroup, findGroupsOf, listGroups } from '../../src/aliases/list-groups.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { aliasMemberAdded } from '../../src/events/payloads/alias-member-added.ts'
import { aliasMemberRemoved } from '../../src/events/payloads/alias-member-removed.ts'
import { AppError } from '../../src/lib/errors.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import { testDatabase } from '../support/database.ts'
import { addProviders } from '../support/webhooks/subscriptions.ts'

const acme = (resource: string) => ({ provider: 'acme', resource })
const resale = (resource: string) => ({ provider: 'resale', resource })

describe('alias groups', () => {
  const db = testDatabase()
  beforeAll(() => addProviders(db.sql, ['acme', 'resale', 'frost'], ['frost']))

  const save = (name: string, members = [acme('m1')], id?: string) =>
    saveGroup(db.sql, { id, name, members, actor: 'ada' })
  const version = async () => Number((await db.sql`select version from alias_catalog`)[0]!.version)
  const eventsAbout = async (id: string) => {
    const rows = await db.sql<{ type: string; body: string; eligible_at: string }[]>`
      select type, body, eligible_at from event where group_id = ${id} order by seq`
    return rows.map((row) => ({ ...row, body: JSON.parse(row.body) }))
  }
  const refusal = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => undefined,
      (reason) => reason,
    )
    if (!(error instanceof AppError)) throw error ?? new Error('was not refused')
    return { code: error.code, field: error.field }
  }

  it('have an id that stays, and a revision that changes whenever the group is saved again', async () => {
    const first = await save('stable')
    expect(first).toMatchObject({ revision: 1, joined: [acme('m1')], left: [] })
    const renamed = await save('stable, renamed', [acme('m1')], first.id)
    expect(renamed).toMatchObject({ id: first.id, revision: 2, joined: [], left: [] })
    const same = await save('stable, renamed', [acme('m1')], first.id)
    expect(same).toMatchObject({ id: first.id, revision: 3, joined: [], left: [] })
    const moved = await save('stable, renamed', [acme('m2')], first.id)
    expect(moved).toMatchObject({ revision: 4, joined: [acme('m2')], left: [acme('m1')] })
    expect((await findGroup(db.sql, first.id))?.revision).toBe(4)
  })

  it('keep the instant at which a member left, though it came back and left again', async () => {
    const { id } = await save('coming and going', [acme('m1'), acme('m2')])
    const leftAt = async () => {
      const rows = await db.sql<{ at: string }[]>`
        select left_at as at from alias_member where group_id = ${id} and resource = 'm2' and left_at is not null
        order by left_at`
      return rows.map(({ at }) => at)
    }
    await save('coming and going', [acme('m1')], id)
    const [first] = await leftAt()
    await save('coming and going', [acme('m1'), acme('m2')], id)
    await save('coming and going', [acme('m1')], id)
    const both = await leftAt()
    expect(both).toHaveLength(2)
    expect(both[0]).toBe(first)
    expect(both[1]! > first!).toBe(true)
  })

  it('raise the version of the whole catalogue with every change, deletions included', async () => {
    const before = await version()
    const { id } = await save('versions')
    await save('versions 2', [acme('m1')], id)
    await deleteGroup(db.sql, { id, actor: 'ada' })
    expect(await version()).toBe(before + 3)
    const highest = Math.max(...(await listGroups(db.sql)).map((group) => group.revision))
    expect(await version()).toBeGreaterThan(highest)
  })

  it('raise revision and version in the publication that records the events, or not at all', async () => {
    const { id } = await save('atomic')
    const before = [await version(), await findGroup(db.sql, id), (await eventsAbout(id)).length]
    await expect(save('atomic', [acme('m1'), { provider: 'nobody', resource: 'x' }], id)).rejects.toThrow(AppError)
    expect([await version(), await findGroup(db.sql, id), (await eventsAbout(id)).length]).toEqual(before)
    await save('atomic', [acme('m2')], id)
    const [group] = await db.sql`select updated_at from alias_group where group_id = ${id}`
    const [, left, joined] = await eventsAbout(id)
    expect([left!.eligible_at, joined!.eligible_at]).toEqual([group!.updated_at, group!.updated_at])
  })

  it('record alias.member_added and alias.member_removed for what joined and left', async () => {
    const { id } = await save('events', [acme('m1'), resale('m1')])
    await save('events', [acme('m1'), { provider: 'frost', resource: 'm1' }], id)
    const events = await eventsAbout(id)
    expect(events.map((event) => event.body.type)).toEqual([
      'alias.member_added.acme',
      'alias.member_added.resale',
      'alias.member_removed.resale',
      'alias.member_added.frost',
    ])
    const group = { id, name: 'events', revision: 2 }
    expect(aliasMemberRemoved.parse(events[2]!.body)).toMatchObject({ group, resource: 'm1', groupDeleted: false })
    expect(aliasMemberAdded.parse(events[3]!.body)).toMatchObject({ group, resource: 'm1', lines: [] })
    // Only price events sent because of a group carry `alias`; alias events name the group otherwise.
    expect(events.filter((event) => 'alias' in event.body)).toEqual([])
    const marks = await db.sql`select provider, credit_priced from event where group_id = ${id} and credit_priced`
    expect([...marks]).toEqual([{ provider: 'frost', credit_priced: true }])
  })

  it('tell every member that the group was deleted, and are then not found', async () => {
    const { id } = await save('doomed', [acme('m1'), resale('m1')])
    const gone = await deleteGroup(db.sql, { id: 'doomed', actor: 'ada' })
    expect(gone).toMatchObject({ id, revision: 2 })
    const removed = (await eventsAbout(id)).slice(2).map((event) => aliasMemberRemoved.parse(event.body))
    expect(removed.map((body) => [body.provider, body.groupDeleted, body.group.revision])).toEqual([
      ['acme', true, 2],
      ['resale', true, 2],
    ])
    expect(await findGroup(db.sql, id)).toBeUndefined()
    expect(await findGroup(db.sql, 'doomed')).toBeUndefined()
    expect(await refusal(deleteGroup(db.sql, { id, actor: 'ada' }))).toEqual({ code: 'alias_not_found' })
    expect((await save('doomed')).id).not.toBe(id)
  })

  it('list in alias.member_added the price lines the member brings', async () => {
    const price = { resource: 'priced', unit: 'usd_per_token', currency: 'USD', locator: '/0', provider: 'acme' }
    const canonicalResource = 'maker/priced'
    const snapshotHash = 'a'.repeat(64)
    await db.sql`
      insert into snapshot (hash, size, bytes, created_at) values (${snapshotHash}, 0, '', clock_timestamp())`
    await ingestPrices(db.sql, {
      source: { source: 'list', format: 'curated', intervalSeconds: 3600, primary: true, options: {} },
      snapshotHash,
      parserVersion: 1,
      quiet: true,
      parsed: {
        providers: [{ provider: 'acme', name: 'Acme' }],
        observations: [
          {
            ...price,
            dimension: 'input_tokens',
            pricingTier: {},
            price: '0.000001',
            canonicalResource,
          },
          {
            ...price,
            dimension: 'output_tokens',
            pricingTier: { service: 'batch' },
            price: '0.000002',
            canonicalResource,
          },
        ],
        ignored: [],
      },
    })
    const { id } = await save('with lines', [acme('priced')])
    const [event] = await eventsAbout(id)
    const body = aliasMemberAdded.parse(event!.body)
    expect(body.canonicalResource).toBe('maker/priced')
    expect(body.lines.map((line) => [line.source, line.dimension, line.pricingTier, line.unit, line.price])).toEqual([
      ['list', 'input_tokens', {}, 'usd_per_token', '0.000001'],
      ['list', 'output_tokens', { service: 'batch' }, 'usd_per_token', '0.000002'],
    ])
    const [names] = await db.sql`select resources, members from event where group_id = ${id}`
    expect(names).toEqual({ resources: ['priced', 'maker/priced'], members: ['priced'] })
  })

  it('are found by id or by name, whatever its capitals; deleted and unknown ones are not', async () => {
    const { id } = await save('Claude Sonnet 4.5')
    for (const reference of [id, id.toUpperCase(), 'Claude Sonnet 4.5', 'claude sonnet 4.5']) {
      expect((await findGroup(db.sql, reference))?.id, reference).toBe(id)
    }
    const found = await findGroups(db.sql, [id, 'CLAUDE SONNET 4.5', 'nothing', randomUUID(), ''])
    expect([...found.keys()].sort()).toEqual([id, 'CLAUDE SONNET 4.5'].sort())
  })

  it('have names of their own: another group cannot take one, whatever its capitals, however many try at once', async () => {
    const { id } = await save('Taken')
    expect(await refusal(save('taken'))).toEqual({ code: 'invalid_body', field: 'name' })
    expect((await save('TAKEN', [acme('m1')], id)).id).toBe(id)
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => save('contested')))
    expect(tries.filter((item) => item.status === 'fulfilled')).toHaveLength(1)
  })

  it.each([
    ['a name that looks like an id', randomUUID(), [acme('m1')], 'name'],
    ['an empty name', ' ', [acme('m1')], 'name'],
    ['a name with control characters', 'a\nb', [acme('m1')], 'name'],
    ['an endless name', 'x'.repeat(201), [acme('m1')], 'name'],
    ['no member', 'none', [], 'members'],
    ['a member without a name', 'blank', [acme(' ')], 'members'],
    ['a member of an unknown provider', 'who', [{ provider: 'nobody', resource: 'm1' }], 'members'],
  ])('refuse %s', async (_what, name, members, field) => {
    expect(await refusal(save(name, members))).toEqual({ code: 'invalid_body', field })
  })

  it('are found and kept under one name however its accents are composed and its spaces are written', async () => {
    const { id } = await save('  Cafe\u0301\u00a0 Model ', [acme('m1')])
    expect((await findGroup(db.sql, id))!.name).toBe('Café Model')
    for (const spelled of [
      'Café Model',
      'Cafe\u0301 Model',
      'café\u00a0model',
      'CAFÉ\u2003 Model',
      ' Caf\u00e9  Model ',
    ])
      expect((await findGroup(db.sql, spelled))?.id, JSON.stringify(spelled)).toBe(id)
    expect(await refusal(save('cafe\u0301\u3000MODEL'))).toEqual({ code: 'invalid_body', field: 'name' })
    expect(await findGroup(db.sql, 'Cafe Model')).toBeUndefined()
  })

  it('have a name that can be seen', async () => {
    for (const name of ['\u200b', '\u2060\ufeff', '\u3164', '\u2800 \u00ad', '\u00a0', '\udb40\udc41', '\ud800'])
      expect(await refusal(save(name)), JSON.stringify(name)).toEqual({ code: 'invalid_body', field: 'name' })
    await save('👩\u200d🔬')
  })

  it('have at most 200 members; a larger group of an earlier version is saved again while it does not grow', async () => {
    const members = Array.from({ length: 201 }, (_, n) => acme(`many-${n}`))
    expect(await refusal(save('Many', members))).toEqual({ code: 'invalid_body', field: 'members' })
    const { id } = await save('Many', members.slice(0, 200))
    await db.sql`
      insert into alias_member (group_id, provider, resource, joined_at)
      select ${id}, 'acme', 'grown-' || n, now() from generate_series(1, 50) n`
    const grown = (await findGroup(db.sql, id))!.members
    expect(grown).toHaveLength(250)
    expect((await save('Many', grown, id)).joined).toEqual([])
    expect((await save('Many', grown.slice(1), id)).left).toHaveLength(1)
    expect(await refusal(save('Many', grown, id))).toEqual({ code: 'invalid_body', field: 'members' })
    await save('Many', grown.slice(0, 1), id)
  })

  it('take members as exact names, each once, priced or not', async () => {
    const { id } = await save('exact', [acme('M1'), acme('m1'), acme('m1')])
    expect(await membersOf(db.sql, id)).toEqual([acme('M1'), acme('m1')])
  })

  it('list their members by provider and name, whichever joined first', async () => {
    const { id } = await save('listed', [resale('b'), acme('c')])
    const members = [acme('a'), acme('c'), resale('B'), resale('a'), resale('b')]
    await save('listed', members, id)
    expect(await membersOf(db.sql, id)).toEqual(members)
    const other = await save('a listed one', [acme('c')])
    const listed = await listGroups(db.sql)
    expect(listed.find((group) => group.id === id)).toMatchObject({ name: 'listed', members })
    const names = listed.map(({ name }) => name.toLowerCase())
    expect(names.indexOf('a listed one')).toBeLessThan(names.indexOf('listed'))
    await deleteGroup(db.sql, { id: other.id, actor: 'ada' })
    expect((await listGroups(db.sql)).map((group) => group.id)).not.toContain(other.id)
  })

  it('lose the member that left, and no other of its name or provider, here or in another group', async () => {
    const all = [acme('m1'), acme('m2'), resale('m1'), resale('m2')]
    const { id } = await save('lost', all)
    const other = await save('not lost', all)
    await save('lost', [acme('m2'), resale('m1'), resale('m2')], id)
    expect(await membersOf(db.sql, id)).toEqual([acme('m2'), resale('m1'), resale('m2')])
    expect(await membersOf(db.sql, other.id)).toEqual(all)
    const groups = async (member: ReturnType<typeof acme>) =>
      (await findGroupsOf(db.sql, member)).map(({ name }) => name).filter((name) => / lost|^lost/.test(name))
    expect(await groups(acme('m1'))).toEqual(['not lost'])
    expect(await groups(resale('m1'))).toEqual(['lost', 'not lost'])
    await deleteGroup(db.sql, { id: other.id, actor: 'ada' })
    expect(await groups(acme('m2'))).toEqual(['lost'])
    expect(await groups(acme('m1'))).toEqual([])
  })

  it('are not overwritten by someone who edited an earlier revision', async () => {
    const { id } = await save('edited')
    const edit = (ifRevision: number) =>
      saveGroup(db.sql, { id, name: 'edited', members: [acme('m2')], actor: 'bob', ifRevision })
    expect((await edit(1)).revision).toBe(2)
    expect(await refusal(edit(1))).toEqual({ code: 'alias_changed' })
  })

  it('keep who made each revision', async () => {
    const { id } = await save('history')
    await deleteGroup(db.sql, { id, actor: 'bob' })
    const rows = await db.sql`select revision, name, actor from alias_revision where group_id = ${id} order by 1`
    expect([...rows]).toEqual([
      { revision: 1, name: 'history', actor: 'ada' },
      { revision: 2, name: 'history', actor: 'bob' },
    ])
  })

  it('follow a renamed resource: the new name joins, the old one stays for its rows', async () => {
    const { id } = await save('follows', [acme('old'), resale('old')])
    const unconcerned = await save('unconcerned', [acme('other')])
    const rename = { provider: 'acme', from: 'old', to: 'new' }
    const follow = () => publishing(db.sql, (tx, stamp) => followRenames(tx, stamp, [rename]))
    await follow()
    expect(await membersOf(db.sql, id)).toEqual([acme('new'), acme('old'), resale('old')])
    const [, , joined] = await eventsAbout(id)
    expect([joined!.type, joined!.body.resource, joined!.body.group.revision]).toEqual(['alias.member_added', 'new', 2])
    await follow()
    expect((await findGroup(db.sql, id))?.revision).toBe(2)
    expect((await findGroup(db.sql, unconcerned.id))?.revision).toBe(1)
    // Another provider's model of that name was not renamed, and who no longer lists the old name does not follow.
    // A name that a person took out of the group before it was the new one joins again.
    const taken = await save('taken out', [acme('old'), acme('new')])
    await save('taken out', [acme('old')], taken.id)
    await follow()
    expect(await membersOf(db.sql, taken.id)).toEqual([acme('new'), acme('old')])
    const others = await save('others follow', [resale('old'), acme('m1')])
    const before = await save('followed before', [acme('old')])
    await save('followed before', [acme('m1')], before.id)
    await follow()
    expect((await findGroup(db.sql, others.id))?.revision).toBe(1)
    expect((await findGroup(db.sql, before.id))?.revision).toBe(2)
    // The new name of one provider is not that of another.
    await save('others follow', [resale('new'), acme('old')], others.id)
    const later = await save('follows later', [acme('old')])
    await follow()
    expect(await membersOf(db.sql, others.id)).toEqual([acme('new'), acme('old'), resale('new')])
    const followed = await db.sql<{ id: string }[]>`select group_id as id from event order by seq desc limit 2`
    expect(followed.map((event) => event.id)).toEqual([later.id, others.id])
  })
})
