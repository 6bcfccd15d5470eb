import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from './errors.ts'

/** Everything we start listens here: reachable from this machine alone. */
export const LOOPBACK = '127.0.0.1'

/**
 * A TCP port of this machine that nothing listens on, and that the system gives to no one else for a minute: a
 * connection closed from the listening side leaves it waiting (TIME_WAIT), which keeps no server from listening there.
 */
export async function freePort(): Promise<number> {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, LOOPBACK, resolve))
  const { port } = server.address() as AddressInfo
  const caller = connect(port, LOOPBACK)
  await new Promise((resolve) => caller.resume().once('error', resolve).once('close', resolve))
  await new Promise((done) => server.close(done))
  return port
}

export const portIsFree = async (port: number): Promise<boolean> => (await listenOnce(port)) !== undefined

/** Whether something accepts connections there. */
export function portAnswers(port: number, host = LOOPBACK, timeoutMs = 1_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: timeoutMs })
    const answer = (yes: boolean) => {
      socket.destroy()
      resolve(yes)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
    socket.once('timeout', () => answer(false))
  })
}

async function listenOnce(port: number): Promise<number | undefined> {
  const server = createServer()
  const listening = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, LOOPBACK, () => resolve(true))
  })
  if (!(await listening)) return undefined
  const address = server.address()
  await new Promise((done) => server.close(done))
  return address !== null && typeof address === 'object' ? address.port : undefined
}

/** How long the API of an installation that was killed just now may hold its port. */
const ORPHAN_MS = 2_000

/** Waits a moment for the port, before anything heavy is started. @throws OperatorError when it stays taken. */
export async function apiPortMustBeFree(port: number): Promise<void> {
  const deadline = Date.now() + ORPHAN_MS
  while (port !== 0 && !(await portIsFree(port))) {
    if (Date.now() > deadline) throw portTaken(port)
    await sleep(100)
  }
}

export const portTaken = (port: number): OperatorError =>
  new OperatorError(`Port ${port} is taken. Stop what uses it, or set PORT to another.`)
