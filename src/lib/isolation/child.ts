import { once } from 'node:events'
import { Socket } from 'node:net'
import { serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { MAX_MESSAGE_BYTES, type Reply, type Request, readMessages, type TaskRequest, writeBytes } from './messages.ts'
import type { Emit } from './task.ts'

/** The entry point of a process that runs tasks. It loads this file, and the modules of the tasks it is given. */

/** A task that spins cannot notice that its parent died; a thread beside it can, and ends the process. */
const PARENT_CHECK_MS = 1_000
const parent = process.ppid
new Worker(
  `setInterval(() => process.ppid === ${parent} || process.kill(process.pid, 'SIGKILL'), ${PARENT_CHECK_MS})`,
  { eval: true, execArgv: [], env: {} },
).unref()

const socket = new Socket({ fd: 3 })
const say = (reply: Reply) => writeBytes(socket, serialize(reply))

/** Sends a part of what a task gives before its result. */
const emit: Emit = async (bytes) => {
  if (!writeBytes(socket, serialize({ kind: 'chunk', bytes } satisfies Reply))) await once(socket, 'drain')
}

/** Loads a task's module before the task's own limits begin. Running the task says what is wrong with it. */
async function load(url: string): Promise<void> {
  await import(url).catch(() => {})
  say({ kind: 'ready' })
}

async function run({ url, name, input, maxResultBytes }: TaskRequest): Promise<void> {
  try {
    const task = ((await import(url)) as Record<string, (input: unknown, emit: Emit) => unknown>)[name]
    if (!task) throw new Error(`${url} exports no ${name}`)
    const reply = serialize({ kind: 'done', output: await task(input, emit) } satisfies Reply)
    if (reply.length > maxResultBytes) say({ kind: 'too_large' })
    else writeBytes(socket, reply)
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    say({ kind: 'failed', message: message.slice(0, 2_000), stack: stack?.slice(0, 8_000) })
  }
}

readMessages<Request>(socket, {
  limit: () => MAX_MESSAGE_BYTES,
  onMessage: (request) => void (request.kind === 'load' ? load(request.url) : run(request)),
  onTooLarge: () => process.exit(1),
})
socket.on('error', () => process.exit(0))
socket.on('close', () => process.exit(0))
say({ kind: 'ready' })
