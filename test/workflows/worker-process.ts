/**
 * The product's workers as a process of their own, for tests that kill it at a step of a shard. Settings come from the
 * environment of the test: which statement it must not come past, and whether it ends before or after that.
 */
import { Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { connect, type Sql, type Tx } from '../../src/lib/sql.ts'
import { buildWorkers } from '../../src/worker.ts'
import { testContext } from '../support/webhooks/deliveries.ts'

export type WorkerSettings = {
  databaseUrl: string
  address: string
  bundle: string
  queues: { checks: string; deliveries: string }
  env: Record<string, string>
  /** Ends this process with the nth statement that has this text. */
  deadly?: { statement: string; nth: number; when: 'before' | 'after' }
}

const settings = JSON.parse(process.argv[2]!) as WorkerSettings
const die = () => process.kill(process.pid, 'SIGKILL')

function deadly(pool: Sql, { statement, nth, when }: NonNullable<WorkerSettings['deadly']>): Sql {
  let seen = 0
  /** A pool, or one of its transactions: all count together. */
  const watched = <T extends object>(sql: T): T =>
    new Proxy(sql, {
      apply(target, self, args) {
        const text = Array.isArray(args[0]) ? args[0].join('') : ''
        const isDeadly = text.includes(statement) && ++seen === nth
        if (isDeadly && when === 'before') die()
        const query = Reflect.apply(target as never, self, args) as Promise<unknown>
        return isDeadly ? dieAfter(query) : query
      },
      get(target, name) {
        if (name !== 'begin') return Reflect.get(target, name)
        return (...args: [...string[], (tx: Tx) => unknown]) => {
          const work = args.pop() as (tx: Tx) => unknown
          return (target as Sql).begin(args.join(' '), (tx) => work(watched(tx)))
        }
      },
    })
  return watched(pool)
}

/** A query is sent when it is waited for: until then it can still be told how. */
function dieAfter(query: Promise<unknown>): Promise<unknown> {
  const wait = query.then.bind(query)
  // biome-ignore lint/suspicious/noThenProperty: a query is waited for by it
  return Object.assign(query, { then: () => wait(die) })
}

const pool = connect(settings.databaseUrl)
const sql = settings.deadly ? deadly(pool, settings.deadly) : pool
const connection = await NativeConnection.connect({ address: settings.address })
const client = new Client({ connection })
const options = { bundle: { codePath: settings.bundle }, queues: settings.queues }
const workers = await buildWorkers(testContext(sql, client, settings.env), connection, options)
process.on('message', (message) => {
  if (message === 'stop') workers.shutdown()
})
process.on('disconnect', die)
const running = workers.run()
process.send?.('runs')
await running
await connection.close()
await pool.end()
process.disconnect()
