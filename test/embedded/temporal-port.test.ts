import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { chooseTemporalPort } from '../../src/embedded/temporal/start-temporal.ts'
import { freePort, LOOPBACK } from '../../src/lib/ports.ts'

it('gives installations that start in the same second ports of their own', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => chooseTemporalPort(undefined)))
  expect(new Set(ports).size).toBe(20)
})

it('keeps the port of the last start, unless something else listens there now', async () => {
  const port = await freePort()
  expect(await chooseTemporalPort(port)).toBe(port)
  const other = createServer().listen(port, LOOPBACK)
  await once(other, 'listening')
  try {
    expect(await chooseTemporalPort(port)).not.toBe(port)
  } finally {
    other.close()
  }
})

it('finds free ports that the system gives to no one else meanwhile, and on which a server can listen', async () => {
  const ports: number[] = []
  for (let i = 0; i < 200; i++) ports.push(await freePort())
  expect(new Set(ports).size).toBe(200)
  const server = createServer().listen(ports[0], LOOPBACK)
  await once(server, 'listening')
  server.close()
})
