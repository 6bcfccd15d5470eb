import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import type { Duplex } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { codeFile } from '../process/code-file.ts'
import { programArguments, programFile } from '../process/program-file.ts'
import { LimitExceededError, TaskFailedError } from './errors.ts'
import { type Reply, readMessages, type TaskRequest, writeMessage } from './messages.ts'
import { endFirstWhenMemoryRunsOut, type Usage, usageOf } from './usage.ts'

/** What one task may use. */
export type Limits = {
  /** From the moment the process has the task to its result. */
  timeoutMs: number
  /** Processor time, which a busy machine does not use up. */
  cpuMs: number
  /** Resident memory of the whole process, Node.js itself (about 100 MB) included. */
  maxMemoryMb: number
  maxResultMb: number
  /** All parts together that a task gives before its result. */
  maxStreamMb: number
}

/** Takes a part of a result. While a promise waits, the process waits. */
export type OnChunk = (bytes: Uint8Array) => Promise<void> | undefined
type RunOptions = { signal?: AbortSignal; onChunk?: OnChunk }

type Task = Pick<TaskRequest, 'url' | 'name' | 'input'>

const MB = 1024 * 1024
const POLL_MS = 50
const START_TIMEOUT_MS = 60_000
/** Foreign bytes get a third of the processor time of any other work. With less, a busy machine starved their reading. */
const FOREIGN_PRIORITY = 5
const KEPT_ERROR_CHARACTERS = 2_000
/** Room for the envelope around a result, and for what a failure says. */
const ENVELOPE_BYTES = 64 * 1024

const ENTRY = codeFile(import.meta.url, './child')

/** A process that runs one task after another. */
export class WorkerProcess {
  readonly exited: Promise<void>
  /** How many tasks it was given. */
  tasks = 0
  /** What it has loaded, by the URL that tasks name. */
  private readonly loaded = new Map<string, string>()
  private readonly child: ChildProcess
  private readonly channel: Duplex
  private readonly ready: Promise<void>
  private killed = false
  private lastWords = ''
  private maxReplyBytes = ENVELOPE_BYTES
  private onReply: (reply: Reply) => void = () => {}
  private onEnd: (end: { tooLarge?: boolean; signal?: NodeJS.Signals; code?: number }) => void = () => {}

  constructor(maxHeapMb: number) {
    const args = [`--max-old-space-size=${maxHeapMb}`, ...programArguments(ENTRY)]
    // No environment at all: nothing a task reads can lead it to a secret.
    this.child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
    // Listened to before all else: without a free descriptor it has no streams, and says so a moment later.
    this.exited = new Promise((resolve) => {
      this.child.once('error', () => resolve())
      this.child.once('exit', (code, signal) => {
        this.onEnd({ code: code ?? undefined, signal: signal ?? undefined })
        resolve()
      })
    })
    if (!this.child.stdio?.[3]) throw new Error('a process for foreign bytes did not start: too many files are open')
    this.channel = this.child.stdio[3] as Duplex
    this.channel.on('error', () => {})
    this.child.stderr!.on('data', (text) => {
      this.lastWords = (this.lastWords + text).slice(-KEPT_ERROR_CHARACTERS)
    })
    this.ready = this.waitUntilReady()
    this.ready.catch(() => {})
    readMessages<Reply>(this.channel, {
      limit: () => this.maxReplyBytes,
      onMessage: (reply) => this.onReply(reply),
      onTooLarge: () => {
        this.kill()
        this.onEnd({ tooLarge: true })
      },
    })
    if (this.child.pid !== undefined) void endFirstWhenMemoryRunsOut(this.child.pid)
  }

  /** Whether it can be given a task: one that was killed may take a moment to end. */
  get alive(): boolean {
    const { exitCode, signalCode } = this.child
    return exitCode === null && signalCode === null && !this.killed
  }

  kill(): void {
    this.killed = true
    this.child.kill('SIGKILL')
  }

  /** While it works, the process waits for it; an idle one keeps no one from ending. */
  hold(busy: boolean): void {
    const act = busy ? 'ref' : 'unref'
    for (const handle of [this.child, this.channel, this.child.stderr]) (handle as unknown as NodeJS.Timeout)[act]()
  }

  /** @returns what it uses, from the kernel's books */
  usage(): Promise<Usage | undefined> {
    return this.alive ? usageOf(this.child.pid!) : Promise.resolve(undefined)
  }

  /** Waits until the process has started and loaded the module of a task, with code of ours alone. */
  async prepare(url: string): Promise<void> {
    await this.ready
    await this.load(url)
  }

  /**
   * Runs one task, which was prepared. Whatever goes wrong, the promise is fulfilled or rejected within the limits; after
   * anything but a result or a TaskFailed the process has been killed.
   */
  async run(request: Task, limits: Limits, { signal, onChunk }: RunOptions = {}): Promise<unknown> {
    this.tasks++
    const aborted = () => this.kill()
    signal?.addEventListener('abort', aborted, { once: true })
    try {
      signal?.throwIfAborted()
      this.giveWay()
      return await this.perform(request, limits, { signal, onChunk })
    } finally {
      signal?.removeEventListener('abort', aborted)
      this.onReply = () => {}
      this.onEnd = () => {}
    }
  }

  /** From its first foreign bytes on, all other work goes before it. */
  private giveWay(): void {
    try {
      if (this.tasks === 1) setPriority(this.child.pid!, FOREIGN_PRIORITY)
    } catch {
      // It has ended already, which is noticed elsewhere.
    }
  }

  /** Loads the module of a task, which uses up none of the task's own limits. */
  private async load(url: string): Promise<void> {
    if (this.loaded.has(url)) return
    const ready = this.waitUntilReady()
    const program = pathToFileURL(programFile(fileURLToPath(url))).href
    writeMessage(this.channel, { kind: 'load', url: program })
    await ready
    this.loaded.set(url, program)
  }

  private waitUntilReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`a process for foreign bytes did not start: ${why}`))
      const timer = setTimeout(() => {
        this.kill()
        fail(`it was not ready within ${START_TIMEOUT_MS / 1_000} s`)
      }, START_TIMEOUT_MS)
      timer.unref()
      this.child.once('error', (error) => fail(error.message))
      this.onEnd = ({ code, signal }) => fail(`${signal ?? `status ${code}`} ${this.lastWords}`)
      this.onReply = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  private async perform(request: Task, limits: Limits, { signal, onChunk }: RunOptions): Promise<unknown> {
    const before = (await this.usage())?.cpuMs ?? 0
    const maxResultBytes = limits.maxResultMb * MB
    this.maxReplyBytes = maxResultBytes + ENVELOPE_BYTES
    let timer: NodeJS.Timeout | undefined
    let poll: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        const stop = (error: Error) => {
          this.kill()
          reject(error)
        }
        const tooLong = () =>
          new LimitExceededError('time', `it takes longer than ${limits.timeoutMs / 1_000} s to read`)
        let streamed = 0
        const pass = (bytes: Uint8Array) => {
          streamed += bytes.length
          if (streamed > limits.maxStreamMb * MB) return stop(tooLarge({ maxResultMb: limits.maxStreamMb }))
          try {
            const room = onChunk?.(bytes)
            if (!room) return
            this.channel.pause()
            room.then(() => this.channel.resume(), stop)
          } catch (error) {
            stop(error instanceof Error ? error : new Error(String(error)))
          }
        }
        this.onReply = (reply) => {
          if (reply.kind === 'chunk') pass(reply.bytes)
          else if (reply.kind === 'done') resolve(reply.output)
          else if (reply.kind === 'failed') reject(failure(reply))
          else stop(tooLarge(limits))
        }
        this.onEnd = (end) => {
          if (signal?.aborted) reject(signal.reason)
          else reject(end.tooLarge ? tooLarge(limits) : this.crash(end))
        }
        if (!this.alive) return reject(this.crash({}))
        timer = setTimeout(() => stop(tooLong()), limits.timeoutMs)
        const watch = async () => {
          const used = await this.usage()
          if (used && used.memoryMb > limits.maxMemoryMb) stop(tooMuchMemory())
          else if (used && used.cpuMs - before > limits.cpuMs)
            stop(
              new LimitExceededError('time', `it takes more than ${limits.cpuMs / 1_000} s of processor time to read`),
            )
          else if (poll) poll.refresh()
        }
        poll = setTimeout(() => void watch(), POLL_MS)
        writeMessage(this.channel, { kind: 'run', ...request, url: this.loaded.get(request.url)!, maxResultBytes })
      })
    } finally {
      clearTimeout(timer)
      clearTimeout(poll)
      poll = undefined
    }
  }

  private crash({ code, signal }: { code?: number; signal?: NodeJS.Signals }): Error {
    if (/heap out of memory|allocation failed/i.test(this.lastWords)) return tooMuchMemory()
    const end = signal ?? (code === undefined ? 'ended' : `ended with status ${code}`)
    return new LimitExceededError('crash', `the process that read it ended before it was done (${end})`)
  }
}

const tooMuchMemory = () => new LimitExceededError('memory', 'it takes too much memory to read')
const tooLarge = ({ maxResultMb }: Pick<Limits, 'maxResultMb'>) =>
  new LimitExceededError('size', `what is read from it is larger than ${maxResultMb} MB`)

function failure({ message, stack }: { message: string; stack?: string }): TaskFailedError {
  const error = new TaskFailedError(message)
  if (stack) error.stack = stack
  return error
}
