import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { identityOf } from '../../src/embedded/process/process-identity.ts'
import { chooseTemporalPort } from '../../src/embedded/temporal/start-temporal.ts'
import { freePort, LOOPBACK } from '../../src/lib/ports.ts'

it('leaves a free port to the installation that claimed it, until that one is dead', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'pricetape-claims-'))
  const port = await freePort()
  const other = spawn('sleep', ['60'])
  try {
    const claim = { pid: other.pid!, identity: await identityOf(other.pid!) }
    await writeFile(join(cache, `temporal-port-${port}.lock`), JSON.stringify(claim))
    expect(await chooseTemporalPort(port, cache)).not.toBe(port)
    other.kill('SIGKILL')
    await once(other, 'exit')
    expect(await chooseTemporalPort(port, cache)).toBe(port)
    expect(await chooseTemporalPort(port, cache)).toBe(port)
  } finally {
    other.kill('SIGKILL')
    await rm(cache, { recursive: true, force: true })
  }
})

it('finds free ports that the system gives to nobody else meanwhile, and on which a server can listen', async () => {
  const ports: number[] = []
  for (let i = 0; i < 200; i++) ports.push(await freePort())
  expect(new Set(ports).size).toBe(200)
  const server = createServer().listen(ports[0], LOOPBACK)
  await once(server, 'listening')
  server.close()
})
