import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { freePort } from '../../src/lib/ports.ts'
import { lazyConnection } from '../../src/temporal/connect.ts'

it('a call that waits for its next try fails when its connection is closed, and the process goes on', async () => {
  const uncaught: unknown[] = []
  const others = process.rawListeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error))
  try {
    const connection = lazyConnection({ connection: { address: `127.0.0.1:${await freePort()}` } })
    const call = connection.workflowService.describeNamespace({ namespace: 'default' }).catch((error) => error)
    await sleep(300)
    await connection.close()
    expect(await Promise.race([call, sleep(10_000)])).toMatchObject({ code: 1, details: 'The connection was closed.' })
    expect(uncaught).toEqual([])
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener as () => void)
  }
})
