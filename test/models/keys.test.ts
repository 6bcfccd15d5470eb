import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../src/accounts/authenticate.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../src/accounts/keys/delete-api-key.ts'
import { createKeyUses } from '../../src/accounts/keys/key-uses.ts'
import { listApiKeys } from '../../src/accounts/keys/list-api-keys.ts'
import { newApiKey } from '../../src/accounts/keys/new-api-key.ts'
import { createAddressCounter } from '../../src/accounts/limits/count-address.ts'
import { deleteFullBuckets } from '../../src/accounts/limits/delete-full-buckets.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'
import * as model from './key-model.ts'
import { checkAgainstModel, command } from './run-model.ts'

const START = Date.UTC(2026, 10, 22)
const NODES = 2

type World = model.KeyWorld & { workspaces: string[] }

describe('API keys and rate buckets', () => {
  const db = testDatabase()
  let sql: Sql
  let addresses = 0
  /** The nodes of the API in this history. */
  let nodes: ReturnType<typeof createAuthenticator>[] = []
  let now = START

  beforeAll(async () => {
    // The database's clock stands still, and goes on when the test says so.
    const name = new URL(db.url).pathname.slice(1)
    await db.sql.unsafe(`
      create schema clock; create table clock.now (at timestamptz not null); insert into clock.now values (now());
      create function clock.clock_timestamp() returns timestamptz language sql stable as 'select at from clock.now';
      create function clock.now() returns timestamptz language sql stable as 'select at from clock.now';
      alter database "${name}" set search_path = clock, pg_catalog, public`)
    sql = connect(db.url, { name: 'api' })
  })
  afterAll(() => sql.end())

  const setClock = () => sql`update clock.now set at = ${instantOf(now)}`

  async function begin() {
    now += 24 * 3_600_000
    await setClock()
    const workspaces = [(await createWorkspace(sql, { name: 'A' })).workspaceId]
    workspaces.push((await createWorkspace(sql, { name: 'B' })).workspaceId)
    const counter = () => createAddressCounter(sql, () => now)
    // What leases hold back has tests of its own.
    const uses = () =>
      createKeyUses(
        sql,
        () => now,
        () => 1,
      )
    nodes = Array.from({ length: NODES }, () => createAuthenticator(sql, counter(), uses()))
    addresses++
    const world: World = { now, workspaces, keys: [], deleted: [], buckets: new Map() }
    return { model: world, real: db }
  }
  /** Each history has a client address of its own for each node: a node refuses a flood by its own count. */
  const addressOf = (node: number) => `192.0.${addresses % 250}.${node}`

  async function compareLists({ workspaces, keys }: World) {
    for (const workspaceId of workspaces) {
      const listed = (await listApiKeys(sql, workspaceId)).map(({ keyId, ...shown }) => ({ keyId, ...shown }))
      const wanted = keys.filter(({ workspace }) => workspace === workspaceId)
      const byId = (a: { keyId: string }, b: { keyId: string }) => (a.keyId < b.keyId ? -1 : 1)
      expect(listed.sort(byId)).toEqual(
        wanted
          .map(({ keyId, name, value, createdAt, usedAt, expiresAt }) => ({
            ...{ keyId, name, lastCharacters: value.slice(-4), createdAt: instantOf(createdAt) },
            lastUsedAt: usedAt === undefined ? null : instantOf(usedAt),
            expiresAt: expiresAt === undefined ? null : instantOf(expiresAt),
          }))
          .sort(byId),
      )
    }
  }

  /** What a request got is what the model says: the code, and the seconds to wait. */
  async function compareAnswer(node: number, credentials: object, wanted: model.Answer) {
    const { refusal } = await nodes[node]!.authenticate({ ip: addressOf(node), limit: 'usual', ...credentials })
    const retryAfter = wanted.waitMs > 0 ? Math.max(1, Math.ceil(wanted.waitMs / 1_000 - 1e-9)) : undefined
    expect({ code: refusal?.code, retryAfter: refusal?.retryAfter }).toEqual({ code: wanted.code, retryAfter })
  }

  const step = <T>(name: string, drawn: fc.Arbitrary<T>, run: (world: World, drawn: T) => Promise<void>) =>
    drawn.map((value) => command<World, typeof db>(`${name} ${JSON.stringify(value)}`, (world) => run(world, value)))
  const pick = fc.nat(100)
  const node = fc.nat(NODES - 1)
  const times = fc.integer({ min: 1, max: 12 })
  const requests = step('requests', fc.record({ pick, node, times, history: fc.boolean() }), async (world, drawn) => {
    const all = [...world.keys, ...world.deleted]
    const key = all[drawn.pick % Math.max(1, all.length)]
    const { history } = drawn
    for (let n = 0; n < drawn.times; n++) {
      const authorization = `Bearer ${key?.value ?? newApiKey()}`
      const wanted = model.request(world, key, addressOf(drawn.node), history)
      await compareAnswer(drawn.node, { authorization, limit: history ? 'history' : 'usual' }, wanted)
    }
  })
  const wait = step(
    'wait',
    fc.constantFrom(1, 99, 100, 101, 200, 500, 1_000, 4_000, 59_999, 60_000),
    async (world, ms) => {
      now += ms
      world.now = now
      await setClock()
    },
  )
  const commands = [
    ...[requests, requests, requests, wait, wait, wait],
    step(
      'create keys',
      fc.record({ pick, times, expiresIn: fc.constantFrom(undefined, undefined, 1, 500, 5_000) }),
      async (world, drawn) => {
        const workspaceId = world.workspaces[drawn.pick % 2]!
        const expiresAt = drawn.expiresIn === undefined ? undefined : world.now + drawn.expiresIn
        for (let n = 0; n < drawn.times; n++) {
          const name = `key ${world.keys.length}`
          const input = { workspaceId, name, ...(expiresAt !== undefined && { expiresAt: instantOf(expiresAt) }) }
          if (model.isFull(world, workspaceId)) {
            await expect(createApiKey(sql, input)).rejects.toMatchObject({ code: 'api_key_limit', status: 409 })
            continue
          }
          const { keyId, key: value } = await createApiKey(sql, input)
          world.keys.push({ keyId, value, name, workspace: workspaceId, createdAt: world.now, expiresAt })
        }
        await compareLists(world)
      },
    ),
    step('delete a key', pick, async (world, which) => {
      const key = world.keys[which % Math.max(1, world.keys.length)]
      if (!key) return
      const stranger = world.workspaces.find((id) => id !== key.workspace)!
      const foreign = deleteApiKey(sql, { workspaceId: stranger, keyId: key.keyId })
      await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
      await deleteApiKey(sql, { workspaceId: key.workspace, keyId: key.keyId })
      // It has waited for the tokens that nodes hold.
      now += 1_000
      world.now = now
      await setClock()
      world.keys.splice(world.keys.indexOf(key), 1)
      world.deleted.push(key)
      await compareLists(world)
    }),
    step('requests without a key', fc.record({ node, times }), async (world, drawn) => {
      for (let n = 0; n < drawn.times; n++)
        await compareAnswer(drawn.node, {}, model.requestWithoutKey(world, addressOf(drawn.node)))
    }),
    step('forget full buckets', fc.constant(undefined), async () => {
      await deleteFullBuckets(sql, 1_000)
    }),
    step('show the keys', fc.constant(undefined), compareLists),
  ]

  it('agree with the model on every request, at every node of the API', async () => {
    const tried = await checkAgainstModel({ name: 'keys', histories: 1, steps: 80, commands, begin })
    expect(tried.steps).toBeGreaterThan(0)
  })
})
