import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../src/accounts/keys/delete-api-key.ts'
import { createKeyUses, type KeyUse } from '../../src/accounts/keys/key-uses.ts'
import { drawTokens } from '../../src/accounts/limits/rate-limit-store.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { sha256 } from '../../src/lib/hash.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'

const NODES = 3
const KEYS = 5
/** As the specification says: tokens a second, and how many a full bucket holds. */
const LIMITS = { caller: [5, 20], history: [2, 5], workspace: [10, 40] } as const
type Kind = keyof typeof LIMITS
type Limit = 'usual' | 'history'

const request = fc.record({
  kind: fc.constant('request' as const),
  node: fc.nat(NODES - 1),
  key: fc.nat(KEYS - 1),
  limit: fc.constantFrom<Limit>('usual', 'usual', 'history'),
  times: fc.constantFrom(1, 1, 2, 3, 9),
})
const wait = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.constantFrom(1, 100, 200, 400, 500, 700, 900, 999, 1_000, 9_000),
})
const other = fc.record({
  kind: fc.constantFrom('dies' as const, 'stops' as const, 'session' as const, 'promise' as const),
  node: fc.nat(NODES - 1),
  key: fc.nat(KEYS - 1),
})
const step = fc.oneof(
  { weight: 6, arbitrary: request },
  { weight: 4, arbitrary: wait },
  { weight: 2, arbitrary: other },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

describe('leased tokens of several nodes', () => {
  const db = testDatabase()
  let sql: Sql
  let now = Date.UTC(2026, 10, 22)
  const setClock = () => sql`update clock.now set at = ${instantOf(now)}`

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

  async function world() {
    now += 3_600_000
    await setClock()
    const { workspaceId } = await createWorkspace(sql, { name: 'w' })
    const keys = await Promise.all(Array.from({ length: KEYS }, () => createApiKey(sql, { workspaceId, name: 'k' })))
    const newNode = () => createKeyUses(sql, () => now)
    const nodes = Array.from({ length: NODES }, newNode)
    /** When a token of each bucket was used. */
    const used = new Map<string, number[]>()
    const bucketsOf = (key: number, limit: Limit): [Kind, string][] => [
      ['caller', `caller ${key}`],
      ...(limit === 'history' ? [['history', `history ${key}`] as [Kind, string]] : []),
      ['workspace', 'workspace'],
    ]
    const note = (name: string) => used.set(name, [...(used.get(name) ?? []), now])
    async function ask(node: number, key: number, limit: Limit): Promise<KeyUse> {
      const use = await nodes[node]!.use({ hash: sha256(keys[key]!.key), address: '192.0.2.1', limit })
      expect(use.keyId).toBe(keys[key]!.keyId)
      if (use.waitSeconds === 0) for (const [, name] of bucketsOf(key, limit)) note(name)
      return use
    }
    /** In no span of time was more used than the rate and the burst allow. */
    function assertWithinLimits(): void {
      for (const [name, times] of used) {
        const [rate, burst] = LIMITS[name.split(' ')[0] as Kind]
        for (let from = 0; from < times.length; from++)
          for (let to = from; to < times.length; to++)
            expect(to - from + 1, name).toBeLessThanOrEqual(burst + (rate * (times[to]! - times[from]!)) / 1_000 + 1e-6)
      }
    }
    return { workspaceId, keys, nodes, newNode, ask, note, assertWithinLimits }
  }
  type World = Awaited<ReturnType<typeof world>>

  async function take(step: Step, { workspaceId, nodes, newNode, ask, note }: World): Promise<void> {
    if (step.kind === 'wait') {
      now += step.ms
      await setClock()
    } else if (step.kind === 'request') {
      // At once: they wait together and are granted together.
      await Promise.all(Array.from({ length: step.times }, () => ask(step.node, step.key, step.limit)))
    } else if (step.kind === 'dies') nodes[step.node] = newNode()
    else if (step.kind === 'stops') {
      await nodes[step.node]!.end()
      nodes[step.node] = newNode()
    } else if (step.kind === 'session') {
      const { waitSeconds } = await drawTokens(sql, [{ kind: 'workspace', owner: workspaceId }])
      if (waitSeconds === 0) note('workspace')
    } else {
      // What an answer says is left can be had at once.
      const { quotas } = await ask(step.node, step.key, 'usual')
      const promised = Math.min(...quotas.map(({ remaining }) => remaining))
      for (let n = 0; n < promised; n++) expect((await ask(step.node, step.key, 'usual')).waitSeconds).toBe(0)
    }
  }

  it('are never more than the rate and the burst, whatever order nodes ask, stop and die in, and no header promises more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 120 }), async (steps) => {
        const given = await world()
        for (const one of steps) await take(one, given)
        given.assertWithinLimits()
      }),
      { seed: 34, numRuns: 25 },
    )
  })

  /** Takes tokens at once, and then one more, with which others are leased. */
  async function lease(ask: World['ask'], node: number, key: number, times: number): Promise<void> {
    await Promise.all(Array.from({ length: times }, () => ask(node, key, 'usual')))
    await ask(node, key, 'usual')
  }
  const goOn = async (ms: number) => {
    now += ms
    await setClock()
  }

  it('leave no room to a full bucket: what is leased until the end of a second counts as used then', async () => {
    const { ask, assertWithinLimits } = await world()
    await lease(ask, 0, 0, 6)
    await goOn(999)
    const others = [1, 2].flatMap((key) => Array.from({ length: 20 }, () => ask(1, key, 'usual')))
    await Promise.all(others)
    for (let n = 0; n < 4; n++) expect((await ask(0, 0, 'usual')).waitSeconds).toBe(0)
    assertWithinLimits()
  })

  it('are not returned where another node has taken some since', async () => {
    const { nodes, ask, assertWithinLimits } = await world()
    await lease(ask, 0, 0, 6)
    await goOn(1_900)
    await lease(ask, 1, 0, 5)
    await nodes[0]!.end()
    await goOn(999)
    await Promise.all(Array.from({ length: 20 }, () => ask(2, 0, 'usual')))
    for (let n = 0; n < 4; n++) expect((await ask(1, 0, 'usual')).waitSeconds).toBe(0)
    assertWithinLimits()
  })

  it('cost a caller at most half of its rate, however its requests are spread', async () => {
    for (const pause of [50, 130, 400]) {
      const { ask, assertWithinLimits } = await world()
      const [began, counts] = [now, { asked: 0, served: 0 }]
      let node = 7
      while (now - began < 40_000) {
        node = (node * 1_103 + 12_345) % 65_536
        counts.asked += 1
        if ((await ask(node % NODES, 0, 'history')).waitSeconds === 0) counts.served += 1
        now += pause
        await setClock()
      }
      assertWithinLimits()
      const most = Math.min(counts.asked, 5 + 2 * 40)
      expect(counts.served, `every ${pause} ms`).toBeGreaterThanOrEqual(most / 2)
    }
  })

  it('of a node that dies are lost until they refill, and of one that stops they come back', async () => {
    const { ask, nodes, newNode } = await world()
    // The history bucket owes a second's worth, so the next request leases another token.
    for (let n = 0; n < 2; n++) await ask(0, 0, 'history')
    const leased = await ask(0, 0, 'history')
    expect(leased.quotas.find(({ kind }) => kind === 'history')?.remaining).toBe(2)
    await nodes[0]!.end()
    expect((await ask(1, 0, 'history')).waitSeconds).toBe(0)
    expect((await ask(1, 0, 'history')).waitSeconds).toBe(0)
    expect((await ask(1, 0, 'history')).waitSeconds).toBeGreaterThan(0)

    for (let n = 0; n < 3; n++) await ask(2, 1, 'history')
    nodes[2] = newNode()
    const counted = []
    for (let n = 0; n < 3; n++) counted.push((await ask(1, 1, 'history')).waitSeconds === 0)
    expect(counted).toEqual([true, false, false])
    now += 500
    await setClock()
    expect((await ask(1, 1, 'history')).waitSeconds).toBe(0)
  })

  it('need no statement while they last, and none for a refusal until a token is back', async () => {
    const { keys } = await world()
    let statements = 0
    const counted = new Proxy(sql, {
      apply: (target, self, args: Parameters<Sql>) => {
        statements += 1
        return Reflect.apply(target, self, args)
      },
    })
    const node = createKeyUses(counted, () => now)
    const hash = sha256(keys[0]!.key)
    const served = async () => (await node.use({ hash, address: '192.0.2.1', limit: 'usual' })).waitSeconds === 0
    let total = 0
    for (let n = 0; n < 200; n++) if (await served()) total += 1
    expect(total).toBeLessThanOrEqual(20)
    expect(total).toBeGreaterThanOrEqual(15)
    expect(statements).toBeLessThan(16)
  })

  it('serve no request after the deletion of their key has returned', async () => {
    const { workspaceId, keys, nodes, ask } = await world()
    for (let n = 0; n < 8; n++) await ask(0, 0, 'usual')
    // The test's clock stands still while the deletion waits, so it goes on as real time does.
    const before = performance.now()
    await deleteApiKey(sql, { workspaceId, keyId: keys[0]!.keyId })
    now += Math.ceil(performance.now() - before)
    expect(
      (await nodes[0]!.use({ hash: sha256(keys[0]!.key), address: '192.0.2.9', limit: 'usual' })).keyId,
    ).toBeUndefined()
  })
})
