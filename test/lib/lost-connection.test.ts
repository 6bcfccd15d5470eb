import { once } from 'node:events'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()

/** The driver, which postinstall corrects (patches/), behind a proxy whose connections a test can close. */
describe('a connection that closes', () => {
  let proxy: Server
  let sql: Sql
  const open = new Set<Socket>()
  /** Closes every connection in order, as a server does that ends: nothing is reset. */
  const closeAll = () => {
    for (const socket of open) socket.end()
  }

  beforeEach(async () => {
    const { host, port } = db.sql.options
    proxy = createServer((client) => {
      const server = dial(port[0]!, host[0])
      open.add(client)
      client.on('close', () => open.delete(client)).on('error', () => {})
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
    closeAll()
    await sql.end({ timeout: 1 })
    proxy.close()
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
      await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`])
      late = tx`insert into kept values ('late')`.then(() => {})
      await late
    })
    await expect(lost).rejects.toThrow('CONNECTION_CLOSED')
    await sleep(300)
    await expect(late).rejects.toThrow('CONNECTION_CLOSED')
    expect(await sql`select word from kept`).toEqual([])
  })

  it('is replaced by one that answers, though queries were written while it closed', async () => {
    for (let round = 0; round < 8; round++) {
      const asked = [1, 2].map(() =>
        sql`select pg_sleep(0.01)`.catch(() => Promise.allSettled([sql`select 1`, sql`select 2`, sql`select 3`])),
      )
      await sleep(2)
      closeAll()
      await Promise.all(asked)
      expect(await sql`select 1 as one`.catch(() => sql`select 1 as one`)).toEqual([{ one: 1 }])
    }
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
})
