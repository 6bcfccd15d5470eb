import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Listens, and then takes no connection: it waits for something that never happens. */
const LISTENS = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    process.stdout.write(String(server.address().port), () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
  })`
/** A connection over loopback that takes longer has no place in the queue. */
const WAITS_MS = 300
const MAX_QUEUE = 20

/** A server on 127.0.0.1 whose queue is full: whoever connects gets no answer, as from a machine that is overloaded. */
export async function startDeafServer() {
  const child = spawn(process.execPath, ['-e', LISTENS], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = Number(String((await once(child.stdout, 'data'))[0]))
  const queued: Socket[] = []
  for (let isFull = false; !isFull && queued.length < MAX_QUEUE; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    queued.push(socket)
    await Promise.race([once(socket, 'connect'), sleep(WAITS_MS)])
    // This process may have been slow to hear of it.
    if (socket.connecting) await sleep(WAITS_MS)
    isFull = socket.connecting
  }
  return {
    host: '127.0.0.1',
    port,
    close: async () => {
      for (const socket of queued) socket.destroy()
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
