import { createServer, type Server } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { apiPortMustBeFree, freePort, portAnswers, portIsFree } from '../../src/lib/ports.ts'
import { startDeafServer } from '../support/servers/deaf-server.ts'

/** Listens on this machine until the test is over. Returns its port. */
async function listening(): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { port: (server.address() as { port: number }).port, server }
}

it('a port is free where nothing listens, and answers where something does', async () => {
  const { port } = await listening()
  expect([await portIsFree(port), await portAnswers(port)]).toEqual([false, true])
  const free = await freePort()
  expect([await portIsFree(free), await portAnswers(free)]).toEqual([true, false])
  expect(free).toBeGreaterThanOrEqual(1_024)
  expect(new Set(await Promise.all([freePort(), freePort(), freePort()])).size).toBe(3)
})

it('a port whose server takes no connection does not answer', async () => {
  const deaf = await startDeafServer()
  onTestFinished(deaf.close)
  expect(await portAnswers(deaf.port, '127.0.0.1', 100)).toBe(false)
})

it('a start waits a moment for its port, and says what to do where it stays taken', async () => {
  await apiPortMustBeFree(await freePort())
  await apiPortMustBeFree(0)
  const orphan = await listening()
  setTimeout(() => orphan.server.close(), 300)
  await apiPortMustBeFree(orphan.port)
  const { port } = await listening()
  await expect(apiPortMustBeFree(port)).rejects.toThrow(
    `Port ${port} is taken. Stop what uses it, or set PORT to another.`,
  )
})
