import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase()
const WAITING = { timeout: 60_000, interval: 20 }

/** The driver, which `npm ci` corrects (patches/), behind a proxy whose connections a test can close. */
describe('a connection that closes', () => {
  let proxy: Server
  let sql: Sql
  const open = new Set<Socket>()
  /** What the proxy does with the bytes that the driver sends: a test may answer them itself. */
  let onSent: ((bytes: Buffer, client: Socket) => void) | undefined
  /** Closes every connection in order, as a server does that ends: nothing is reset. */
  const closeAll = () => {
    for (const socket of open) socket.end()
  }

  /** Returns the codes of the errors that end two long queries, once both run. */
  const bothBusy = async () => {
    // The server goes on with a query whose client is gone: each pair has a text of its own.
    const text = `select pg_sleep(3) as "${randomUUID()}"`
    const codes = [1, 2].map(() => sql.unsafe(text).catch((error) => error.code))
    const running = () => db.sql`select pid from pg_stat_activity where state = 'active' and query = ${text}`
    await vi.waitFor(async () => expect(await running()).toHaveLength(2), WAITING)
    return codes
  }

  beforeEach(async () => {
    const { host, port } = db.sql.options
    proxy = createServer((client) => {
      const server = dial(port[0]!, host[0])
      open.add(client)
      client.on('close', () => open.delete(client)).on('error', () => {})
      client.on('data', (bytes) => onSent?.(bytes, client))
      // A pipe ends what it writes to only where its source ends, not where that is destroyed.
      client.on('close', () => server.destroy())
      server.on('error', () => {})
      client.pipe(server).pipe(client)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { user, pass, database } = db.sql.options
    const { port: ours } = proxy.address() as { port: number }
    sql = connect(`postgres://${user}:${pass ?? ''}@127.0.0.1:${ours}/${database}`, { max: 2 })
    await sql`create table if not exists kept (word text)`
    await sql`truncate kept`
  })
  afterEach(async () => {
    onSent = undefined
    closeAll()
    await sql.end({ timeout: 1 })
    proxy.close()
    // The server goes on with queries whose clients are gone.
    await db.sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and query like 'select pg_sleep(3)%' and pid <> pg_backend_pid()`
  })

  it('rejects the transaction it carried, at its next statement and at its end, and the process goes on', async () => {
    for (const next of ['statement', 'end']) {
      const lost = sql.begin(async (tx) => {
        await tx`insert into kept values ('first')`
        closeAll()
        await sleep(50)
        if (next === 'statement') await tx`insert into kept values ('second')`
      })
      await expect(lost).rejects.toThrow('CONNECTION_CLOSED')
      await sleep(20)
    }
    expect(await sql`select word from kept`).toEqual([])
  })

  it('runs no later statement of its transaction on the connection that follows it', async () => {
    let late: Promise<unknown> | undefined
    const lost = sql.begin(async (tx) => {
      await tx`insert into kept values ('first')`
      closeAll()
      await sleep(50)
      // Both connections of the pool are open again.
      await vi.waitFor(() => Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`]), WAITING)
      late = tx`insert into kept values ('late')`.then(() => {})
      await late
    })
    await expect(lost).rejects.toThrow('CONNECTION_CLOSED')
    await vi.waitFor(() => expect(late).toBeDefined(), WAITING)
    await expect(late).rejects.toThrow('CONNECTION_CLOSED')
    expect(await sql`select word from kept`).toEqual([])
  })

  it('is replaced by one that answers, though queries were written while it closed', async () => {
    const ask = () => sql`select 1 as one`
    for (let round = 0; round < 8; round++) {
      const asked = [1, 2].map(() =>
        sql`select pg_sleep(0.01)`.catch(() => Promise.allSettled([sql`select 1`, sql`select 2`, sql`select 3`])),
      )
      await sleep(2)
      closeAll()
      await Promise.all(asked)
      // Each of the two may still have to learn that it is closed.
      expect(await ask().catch(ask).catch(ask)).toEqual([{ one: 1 }])
    }
  })

  it('rejects what is asked of it between its reset and its close, and keeps no one waiting after that', async () => {
    const fresh = connect(urlOf(sql), { max: 1 })
    await fresh`select 1`
    // Asked in the turn in which the error is handled, when the socket has not closed yet.
    const next = codeOf(fresh`select pg_sleep(3)`).then(() =>
      Promise.all([codeOf(fresh`select 1`), codeOf(fresh`select ${'word'}`)]),
    )
    await sleep(50)
    for (const socket of open) socket.resetAndDestroy()
    expect(await soon(next)).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED'])
    expect(await soon(fresh`select 2 as two`)).toEqual([{ two: 2 }])
    await soon(fresh.end())
  })

  it('rejects the transaction whose copy it carried, which is given up after that', async () => {
    const lost = sql.begin(async (tx) => {
      const target = await tx`copy kept (word) from stdin`.writable()
      target.on('error', () => {}).write('first\n')
      closeAll()
      await sleep(50)
      target.destroy(new Error('given up'))
      await sleep(50)
    })
    await expect(lost).rejects.toThrow('CONNECTION_CLOSED')
    expect(await sql`select word from kept`).toEqual([])
  })

  it('leaves a reserved connection that rejects', async () => {
    const reserved = await sql.reserve()
    await reserved`select 1`
    closeAll()
    await sleep(50)
    await expect(reserved`select 2`).rejects.toThrow('CONNECTION_CLOSED')
    reserved.release()
    expect(await sql`select 3 as three`).toEqual([{ three: 3 }])
  })

  it('is replaced for a reservation that waits, though every connection was busy when it closed', async () => {
    const busy = await bothBusy()
    const reserved = sql.reserve()
    await sleep(50)
    closeAll()
    expect(await Promise.all(busy)).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED'])
    const connection = await reserved
    expect(await connection`select 1 as one`).toEqual([{ one: 1 }])
    connection.release()
  })

  it('is not replaced for a reservation that waits for an ended pool', async () => {
    const busy = await bothBusy()
    const waits = sql.reserve().catch((error) => error.code)
    const ended = sql.end()
    closeAll()
    expect(await Promise.all(busy)).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED'])
    expect(await waits).toBe('CONNECTION_ENDED')
    await ended
    await sleep(300)
    expect(open.size).toBe(0)
  })

  it('leaves its last error to the query it ended, not to the first of the connection that follows', async () => {
    await sql`select 1`
    onSent = (_, client) => {
      onSent = undefined
      client.end(FATAL)
    }
    await expect(sql`select 1`).rejects.toThrow('CONNECTION_CLOSED')
    expect(await Promise.all([sql`select 2 as two`, sql`select 3 as three`])).toEqual([[{ two: 2 }], [{ three: 3 }]])
  })

  it('keeps no one waiting who ends the pool, whether it closed with a query before that or meanwhile', async () => {
    const before = connect(urlOf(sql), { max: 1 })
    await before`select 1`
    const lost = expect(before`select pg_sleep(30)`).rejects.toThrow('CONNECTION_CLOSED')
    await sleep(50)
    closeAll()
    await lost
    await before.end()

    const meanwhile = connect(urlOf(sql), { max: 1 })
    await meanwhile`select 1`
    const lostToo = expect(meanwhile`select pg_sleep(30)`).rejects.toThrow('CONNECTION_CLOSED')
    await sleep(50)
    const ended = meanwhile.end()
    await sleep(50)
    closeAll()
    await Promise.all([lostToo, ended])
    // PostgreSQL learns that no one waits for the answer when it sends it.
    await db.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep(30)%'`
  })

  it('is not kept for a reservation that was rejected while the server was away', async () => {
    const fresh = connect(urlOf(sql), { max: 1 })
    const { port } = proxy.address() as { port: number }
    closeAll()
    await sql.end({ timeout: 1 })
    await new Promise((done) => proxy.close(done))
    const refused = await Promise.allSettled([fresh.reserve(), fresh.reserve()])
    expect(refused.map(({ status }) => status)).toContain('rejected')
    proxy.listen(port, '127.0.0.1')
    await once(proxy, 'listening')
    for (const outcome of refused) if (outcome.status === 'fulfilled') outcome.value.release()
    for (let round = 0; round < 3; round++) {
      expect(await fresh`select 1 as one`).toEqual([{ one: 1 }])
      const reserved = await fresh.reserve()
      reserved.release()
    }
    await fresh.end()
  })

  it.each(['reserved', 'of a query'])(
    'is replaced where it closes while the driver reads the types of arrays, and it is %s',
    async (kind) => {
      const unhandled: unknown[] = []
      const note = (error: unknown) => unhandled.push(error)
      process.on('unhandledRejection', note)
      for (const ends of [FATAL, Buffer.alloc(0)]) {
        const fresh = connect(urlOf(sql), { max: 1 })
        onSent = (bytes, client) => {
          if (!bytes.includes('pg_catalog.pg_type')) return
          onSent = undefined
          client.end(ends)
        }
        const words = (db: Pick<Sql, 'unsafe'>) => db.unsafe("select array['a', 'b'] as words")
        if (kind === 'reserved') {
          const reserved = await fresh.reserve()
          expect(await words(reserved)).toEqual([{ words: ['a', 'b'] }])
          reserved.release()
        } else expect(await words(fresh)).toEqual([{ words: ['a', 'b'] }])
        expect(onSent).toBeUndefined()
        await fresh.end()
      }
      await sleep(20)
      process.off('unhandledRejection', note)
      expect(unhandled).toEqual([])
    },
  )

  it('is opened three times for what waits, where each closes while the driver reads the types of arrays', async () => {
    const fresh = connect(urlOf(sql), { max: 1 })
    let opened = 0
    let tooOften = () => {}
    const endless = new Promise<string>((done) => {
      tooOften = () => done('opened without end')
    })
    onSent = (bytes, client) => {
      if (!bytes.includes('pg_catalog.pg_type')) return
      if (++opened > 12) tooOften()
      client.end()
    }
    for (const ask of [() => fresh.reserve(), () => fresh`select 1`]) {
      const asked = ask().then(
        () => 'answered',
        ({ code }) => code as string,
      )
      expect(await Promise.race([asked, endless])).toBe('CONNECTION_CLOSED')
    }
    // What comes after the first gets one try.
    expect(opened).toBe(4)
    onSent = undefined
    const reserved = await fresh.reserve()
    expect(await reserved`select 2 as two`).toEqual([{ two: 2 }])
    reserved.release()
    expect(await fresh`select 3 as three`).toEqual([{ three: 3 }])
    await fresh.end()
  })

  it('is not opened again for a reservation once the pool is destroyed while the types of arrays are read', async () => {
    const fresh = connect(urlOf(sql), { max: 1 })
    let opened = 0
    const ended = new Promise<void>((done) => {
      onSent = (bytes) => {
        if (!bytes.includes('pg_catalog.pg_type')) return
        opened++
        done(fresh.end({ timeout: 0 }))
      }
    })
    const asked = fresh.reserve().catch(({ code }) => code)
    await ended
    // The answer may come before the end.
    expect(await asked).toMatch(/^CONNECTION_(DESTROYED|ENDED)$/)
    await sleep(300)
    expect(opened).toBe(1)
  })

  it('ends what waits for one where the pool is ended while the types of arrays are read', async () => {
    const waits = { reservation: (fresh: Sql) => fresh.reserve(), query: (fresh: Sql) => fresh`select 1` }
    const outcomes = []
    for (const [first, next] of [
      [waits.reservation, waits.query],
      [waits.query, waits.reservation],
    ] as const) {
      const fresh = connect(urlOf(sql), { max: 1 })
      const ended = new Promise<void>((done) => {
        onSent = (bytes) => {
          if (!bytes.includes('pg_catalog.pg_type')) return
          onSent = undefined
          done(fresh.end())
        }
      })
      const asked = [codeOf(first(fresh))]
      // A query is asked only in the next turn.
      await sleep(0)
      asked.push(codeOf(next(fresh)))
      await ended
      outcomes.push(await Promise.race([Promise.all(asked), sleep(10_000, 'still waiting')]))
    }
    expect(outcomes).toEqual([
      ['CONNECTION_ENDED', 'CONNECTION_ENDED'],
      ['answered', 'CONNECTION_ENDED'],
    ])
  })
})

/** As a proxy does whose server is away: it accepts, and closes at once. */
describe('a connection that is accepted and closed at once', () => {
  let proxy: Server
  let accepted = 0
  let isAway = true
  const pools: Sql[] = []
  /** A pool on the proxy. Before it there may be a host that refuses, as where DATABASE_URL names two. */
  function pool(max: number, first = ''): Sql {
    const { user, pass, database } = db.sql.options
    const { port } = proxy.address() as { port: number }
    const sql = connect(`postgres://${user}:${pass ?? ''}@${first}127.0.0.1:${port}/${database}`, { max })
    pools.push(sql)
    return sql
  }

  beforeEach(async () => {
    const { host, port } = db.sql.options
    accepted = 0
    isAway = true
    proxy = createServer((client) => {
      accepted++
      client.on('error', () => {})
      if (isAway) return void client.end()
      const server = dial(port[0]!, host[0])
      client.on('close', () => server.destroy())
      server.on('error', () => {})
      client.pipe(server).pipe(client)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
  })
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((sql) => sql.end({ timeout: 0 })))
    proxy.close()
  })

  it('ends what waits for it after a few tries, and is opened for the next query once the server is back', async () => {
    const sql = pool(2)
    const asked = [sql`select 1`, sql`select 2`, sql`select 3`, sql.reserve(), sql.begin((tx) => tx`select 4`)]
    expect(await Promise.all(asked.map(codeOf))).toEqual(asked.map(() => 'CONNECTION_CLOSED'))
    expect(accepted).toBeLessThan(20)
    isAway = false
    expect(await sql`select 5 as five`).toEqual([{ five: 5 }])
    const reserved = await sql.reserve()
    reserved.release()
    isAway = true
  })

  it('ends a query also where another host refuses', async () => {
    const refusing = createServer()
    refusing.listen(0, '127.0.0.1')
    await once(refusing, 'listening')
    const { port } = refusing.address() as { port: number }
    await new Promise((done) => refusing.close(done))
    const sql = pool(1, `127.0.0.1:${port},`)
    expect(await codeOf(sql`select 1`)).toBe('CONNECTION_CLOSED')
    isAway = false
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }])
  })

  it('keeps a query that a single close would have ended', async () => {
    const sql = pool(1)
    proxy.once('connection', () => {
      isAway = false
    })
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
    expect(accepted).toBe(2)
  })

  it('is not asked for again once the pool is destroyed', async () => {
    const sql = pool(1)
    const asked = codeOf(sql`select 1`)
    await vi.waitFor(() => expect(accepted).toBe(1), WAITING)
    await sleep(20)
    await sql.end({ timeout: 0 })
    expect(await asked).toMatch(/^CONNECTION_/)
    // One that had begun is accepted now.
    await sleep(200)
    const before = accepted
    await sleep(300)
    expect(accepted).toBe(before)
  })
})

/** What PostgreSQL sends before it closes the connections of a server that was killed. */
const FATAL = errorResponse('SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to unexpected postmaster exit')

function errorResponse(...fields: string[]): Buffer {
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Fails where something takes longer than an answer takes that comes at all. */
const soon = <T>(asked: PromiseLike<T>): Promise<T> =>
  Promise.race([
    asked,
    sleep(2_000).then(() => {
      throw new Error('still waiting')
    }),
  ])

/** The code of the error that something ends with. */
const codeOf = (asked: PromiseLike<unknown>) =>
  asked.then(
    () => 'answered',
    ({ code }) => code as string,
  )

const urlOf = ({ options }: Sql): string =>
  `postgres://${options.user}:${options.pass ?? ''}@127.0.0.1:${options.port[0]}/${options.database}`
