import { describe, expect, it } from 'vitest'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import { createKeyUses } from '../../../src/accounts/keys/key-uses.ts'
import { leaseTokens } from '../../../src/accounts/limits/lease-store.ts'
import { createWorkspace } from '../../../src/accounts/workspaces/create-workspace.ts'
import { deleteWorkspace } from '../../../src/accounts/workspaces/delete-workspace.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { testDatabase } from '../../support/database.ts'
import { someoneWaits } from '../../support/locks.ts'

describe('requests of API keys in one process', () => {
  const db = testDatabase()

  /** A process with its own clock, which counts the statements that take tokens. */
  function start() {
    const state = { now: 0, statements: 0, fails: false }
    const sql = new Proxy(db.sql, {
      apply(target, self, given: [readonly string[]]) {
        if (String(given[0]).includes('lease_tokens')) {
          state.statements++
          if (state.fails) throw new Error('the database is away')
        }
        return Reflect.apply(target, self, given)
      },
    }) as Sql
    return { state, uses: createKeyUses(sql, () => state.now) }
  }

  async function addKey() {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'w' })
    const { key, keyId } = await createApiKey(db.sql, { workspaceId, name: 'k' })
    return { keyId, workspaceId, request: { hash: sha256(key), address: '192.0.2.1', limit: 'usual' as const } }
  }
  const setFullIn = (interval: string, ...buckets: string[]) => db.sql`
    insert into rate_bucket select name, clock_timestamp() + ${interval}::interval from unnest(${buckets}::text[]) name
    on conflict (key) do update set full_at = excluded.full_at`
  /**
   * Uses a key of which 15 tokens were used just before, and five are left: its process may lease as many.
   */
  async function useBusy({ uses }: Pick<ReturnType<typeof start>, 'uses'>, key: Awaited<ReturnType<typeof addKey>>) {
    await setFullIn('3 s', `caller:${key.keyId}`, `workspace:${key.workspaceId}`)
    return uses.use(key.request)
  }
  const wrong = (n: number) => ({ hash: sha256(`wrong ${n}`), address: `10.0.0.${n}`, limit: 'usual' as const })

  it('lease as many tokens as were used just before, at most what is regained in a second', async () => {
    const [started, key] = [start(), await addKey()]
    const asked: number[] = []
    for (let n = 1; n <= 20; n++) {
      const { keyId, workspaceId } = key
      expect(await useBusy(started, key)).toMatchObject({ keyId, workspaceId, waitSeconds: 0 })
      asked.push(started.state.statements)
    }
    expect(asked).toEqual([1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6])
  })

  it('use leased tokens within a second, and lease none for a request that comes later', async () => {
    const [started, key] = [start(), await addKey()]
    const asked: number[] = []
    for (const now of [0, 0, 999, 999, 1_999, 1_999, 1_999]) {
      started.state.now = now
      await useBusy(started, key)
      asked.push(started.state.statements)
    }
    expect(asked).toEqual([1, 2, 2, 3, 4, 5, 5])
  })

  it('are each of their own key and workspace, where several ask at once', async () => {
    const keys = [await addKey(), await addKey(), await addKey(), await addKey()]
    const asked = [keys[2]!, keys[0]!, keys[3]!, keys[1]!]
    const leases = await leaseTokens(
      db.sql,
      asked.map(({ request }) => ({ ...request, wanted: 1, extra: 0 })),
    )
    expect(leases).toMatchObject(asked.map(({ keyId, workspaceId }) => ({ key: { keyId, workspaceId } })))
  })

  it('wait for their own buckets, where several ask at once', async () => {
    const [usual, history] = [await addKey(), await addKey()]
    const emptied = [`caller:${usual.keyId}`, `caller:${history.keyId}`, `history:${history.keyId}`]
    const ask = async (requests: { hash: string; address: string; limit: 'usual' | 'history' }[]) => {
      await setFullIn('60 s', ...emptied)
      const leases = await leaseTokens(
        db.sql,
        requests.map((request) => ({ ...request, wanted: 1, extra: 0 })),
      )
      return leases.map(({ granted, waitSeconds }) => [granted, waitSeconds.toFixed(3)])
    }
    const pages = { ...history.request, limit: 'history' as const }
    // A fifth of a second at 5 requests a second, half of one at 2.
    expect(await ask([usual.request, pages])).toEqual([
      [0, '0.200'],
      [0, '0.500'],
    ])
    expect(await ask([pages, usual.request])).toEqual([
      [0, '0.500'],
      [0, '0.200'],
    ])
  })

  it('use no token of a key that has expired since', async () => {
    const [started, key] = [start(), await addKey()]
    await db.sql`update api_key set expires_at = clock_timestamp() + interval '500 ms' where key_id = ${key.keyId}`
    for (let n = 0; n < 2; n++) await useBusy(started, key)
    started.state.now = 501
    await useBusy(started, key)
    expect(started.state.statements).toBe(3)
  })

  it('use none after their workspace was deleted, which waits until no process holds one', async () => {
    const [started, key] = [{ uses: createKeyUses(db.sql) }, await addKey()]
    await createWorkspace(db.sql, { name: 'stays' })
    for (let n = 0; n < 4; n++) await useBusy(started, key)
    await deleteWorkspace(db.sql, { workspaceId: key.workspaceId })
    expect(await started.uses.use(key.request)).not.toHaveProperty('keyId')
  })

  it('say how many of what is leased is left', async () => {
    const [started, key] = [start(), await addKey()]
    const left = async () => (await useBusy(started, key)).quotas.map(({ kind, remaining }) => [kind, remaining])
    for (let n = 0; n < 4; n++) await left()
    expect(await left()).toEqual([
      ['caller', 1],
      ['workspace', 1],
    ])
    expect(await left()).toEqual([
      ['caller', 0],
      ['workspace', 0],
    ])
  })

  it('are refused without a statement until there is a token', async () => {
    const { state, uses } = start()
    const { request, keyId } = await addKey()
    const of = { ...request, limit: 'history' as const }
    const answers = await Promise.all(Array.from({ length: 60 }, () => uses.use(of)))
    const waits = answers.map(({ waitSeconds }) => waitSeconds)
    const served = waits.findIndex((wait) => wait > 0)
    expect(served).toBeGreaterThan(1)
    const wait = waits[served]!
    expect(wait).toBeLessThanOrEqual(0.5)
    expect(waits.slice(served)).toEqual(Array(60 - served).fill(wait))
    expect(state.statements).toBe(2)
    const again = await uses.use(of)
    expect(again).toMatchObject({ keyId, quotas: Array(3).fill({ remaining: 0 }) })
    expect(again.waitSeconds).toBeCloseTo(wait, 6)
    state.now = wait * 500
    expect((await uses.use(of)).waitSeconds).toBeCloseTo(wait / 2, 6)
    expect(state.statements).toBe(2)
    state.now = Math.ceil(wait * 1_000)
    await uses.use(of)
    expect(state.statements).toBe(3)
    // Another limit of the same key is counted by itself.
    expect(await uses.use(request)).toMatchObject({ waitSeconds: 0 })
  })

  it('share a statement with all that come while the one before it runs, of 64 keys at most', async () => {
    for (const [keys, statements] of [
      [1, 1],
      [65, 2],
      [66, 3],
    ] as const) {
      const { state, uses } = start()
      const answers = await Promise.all(Array.from({ length: keys }, (_, n) => uses.use(wrong(n))))
      expect(answers.filter(({ keyId }) => keyId !== undefined)).toEqual([])
      expect([keys, state.statements]).toEqual([keys, statements])
    }
    const { state, uses } = start()
    for (let n = 0; n < 3; n++) expect(await uses.use(wrong(100))).not.toHaveProperty('keyId')
    expect(state.statements).toBe(3)
  })

  it('are refused with the error of their statement, and the next ones are asked again', async () => {
    const { state, uses } = start()
    const { request, keyId } = await addKey()
    state.fails = true
    const asked = await Promise.allSettled([uses.use(request), uses.use(request), uses.use(wrong(101))])
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    state.fails = false
    expect(await uses.use(request)).toMatchObject({ keyId })
  })

  it('give back what they leased and did not use, once', async () => {
    const [started, key] = [start(), await addKey()]
    const { keyId, workspaceId } = key
    const fullAt = async () => {
      const rows = await db.sql<{ at: number }[]>`
        select extract(epoch from full_at)::float8 as at from rate_bucket
        where key in (${`caller:${keyId}`}, ${`workspace:${workspaceId}`}) order by key`
      return rows.map(({ at }) => at)
    }
    for (let n = 0; n < 4; n++) await useBusy(started, key)
    const [caller, workspace] = await fullAt()
    await started.uses.end()
    const after = await fullAt()
    // Two tokens, of which there are five and ten a second.
    expect(caller! - after[0]!).toBeCloseTo(0.4, 4)
    expect(workspace! - after[1]!).toBeCloseTo(0.2, 4)
    await started.uses.end()
    expect(await fullAt()).toEqual(after)
  })

  it('write down that a key was used once a minute', async () => {
    const { request, keyId } = await addKey()
    const used = async (ago: string | null) => {
      const [before] = await db.sql<{ at: string | null }[]>`
        update api_key set last_used_at = clock_timestamp() - ${ago}::interval where key_id = ${keyId}
        returning last_used_at::text as at`
      await start().uses.use(request)
      const [after] = await db.sql<{ at: string | null }[]>`
        select last_used_at::text as at from api_key where key_id = ${keyId}`
      return before!.at !== after!.at
    }
    expect([await used(null), await used('30 s'), await used('61 s')]).toEqual([true, false, true])
  })

  it('are all refused while the bucket of their key is empty', async () => {
    const { uses } = start()
    const key = await addKey()
    await setFullIn('infinity', `caller:${key.keyId}`)
    const answers = await Promise.all(Array.from({ length: 3 }, () => uses.use(key.request)))
    for (const { waitSeconds } of answers) expect(waitSeconds).toBeGreaterThan(0)
  })

  it('leases no more than is left of a bucket', async () => {
    const key = await addKey()
    // 18 of 20 tokens were used just before.
    await setFullIn('3.6 s', `caller:${key.keyId}`)
    const [grant] = await leaseTokens(db.sql, [{ ...key.request, wanted: 1, extra: 15 }])
    expect(grant!.granted).toBeGreaterThanOrEqual(1)
    expect(grant!.granted).toBeLessThan(12)
  })

  it('lease nothing of a key that is deleted while they wait for its buckets', async () => {
    const granted: number[] = []
    for (const isDeleted of [false, true]) {
      const { keyId, workspaceId, request } = await addKey()
      const buckets = [`caller:${keyId}`, `workspace:${workspaceId}`]
      await setFullIn('3 s', ...buckets)
      let leased: ReturnType<typeof leaseTokens> | undefined
      await db.sql.begin(async (tx) => {
        await tx`select from rate_bucket where key = any (${buckets}) order by key for update`
        leased = leaseTokens(db.sql, [{ ...request, wanted: 1, extra: 3 }])
        await someoneWaits(db.sql)
        if (isDeleted) await db.sql`delete from api_key where key_id = ${keyId}`
        await tx`update rate_bucket set full_at = clock_timestamp() + interval '3 s' where key = any (${buckets})`
      })
      granted.push((await leased!)[0]!.granted)
    }
    expect(granted).toEqual([4, 1])
  })

  it('have what is known of their own key, where several are asked for at once', async () => {
    const [first, second] = [await addKey(), await addKey()]
    await db.sql`update api_key set last_used_at = '2026-01-01T00:00:00Z' where key_id = ${second.keyId}`
    const grants = await leaseTokens(db.sql, [first, second].map(({ request }) => ({ ...request, wanted: 1, extra: 0 }))) // biome-ignore format: one thought
    expect(grants.map(({ key }) => [key?.keyId, key?.lastUsedAt ?? null])).toEqual([
      [first.keyId, null],
      [second.keyId, '2026-01-01T00:00:00.000Z'],
    ])
  })

  it('give tokens back to a bucket from which nothing was taken since, and to no other', async () => {
    await db.sql`insert into rate_bucket (key, full_at) values ('caller:back', '2026-01-01T00:00:10Z')`
    const fullAfter = async (stamp: string) => {
      await db.sql`
        select return_tokens(array['caller:back'], array[5], array[${stamp}]::text[], array['caller'], array[5]::float8[])`
      const [row] =
        await db.sql`select extract(second from full_at)::int as seconds from rate_bucket where key = 'caller:back'`
      return row!.seconds
    }
    expect(await fullAfter('2026-01-01 00:00:09Z')).toBe(10)
    expect(await fullAfter('2026-01-01 00:00:10Z')).toBe(9)
  })
})
