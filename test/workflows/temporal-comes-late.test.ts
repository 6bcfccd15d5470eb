import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { lazyConnection, requireTemporal } from '../../src/temporal/connect.ts'
import { newNamespace } from '../monitoring/support.ts'
import { freePort } from '../support/servers/ports.ts'
import { localTemporal } from '../support/servers/temporal.ts'

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
})
