import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { lazyConnection, requireTemporal } from '../../src/temporal/connect.ts'
import { newNamespace } from '../monitoring/support.ts'
import { freePort } from '../support/servers/ports.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

describe('a connection to Temporal', () => {
  const temporal = localTemporal()

  it('is made when Temporal comes long after the first try', async () => {
    const { namespace } = (await newNamespace(temporal)).options
    const server = new URL(`tcp://${temporal.env.address}`)
    const port = await freePort()
    const late = lazyConnection({ connection: { address: `127.0.0.1:${port}` } })
    const proxy = createServer((client) => {
      const upstream = connect(Number(server.port), server.hostname)
      client.on('error', () => upstream.destroy())
      upstream.on('error', () => client.destroy())
      client.pipe(upstream).pipe(client)
    })
    try {
      for (const withinMs of [500, 1_000])
        await expect(requireTemporal(late, namespace, withinMs)).rejects.toThrow(
          new RegExp(
            `^Temporal at 127\\.0\\.0\\.1:${port} does not answer for namespace ${namespace}: .+\\. Check TEMPORAL_ADDRESS`,
          ),
        )
      await new Promise<void>((listening) => proxy.listen(port, '127.0.0.1', listening))
      expect((proxy.address() as AddressInfo).port).toBe(port)
      await requireTemporal(late, namespace)
    } finally {
      await late.close()
      proxy.close()
    }
  })

  it('is given up when nothing answers there in time, or the namespace is not there, with what to check', async () => {
    const mute = createServer(() => {})
    await new Promise<void>((listening) => mute.listen(0, '127.0.0.1', listening))
    const address = `127.0.0.1:${(mute.address() as AddressInfo).port}`
    const connection = lazyConnection({ connection: { address } })
    try {
      await expect(requireTemporal(connection, 'ours', 500)).rejects.toMatchObject({
        name: 'OperatorError',
        message: `Temporal at ${address} does not answer for namespace ours: no answer within 0.5 s. Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.`,
      })
    } finally {
      await connection.close()
      mute.close()
    }
    const known = lazyConnection({ connection: { address: temporal.env.address } })
    const began = performance.now()
    await expect(requireTemporal(known, 'not-there', 60_000)).rejects.toThrow(/namespace not-there: .*not-there/i)
    // It is not asked again and again.
    expect(performance.now() - began).toBeLessThan(allowedMs(5_000))
    await known.close()
  })
})
