import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from '../../src/embedded/process/child.ts'

/** As systemd's `RestartSec=1`. */
const RESTART_MS = 1_000
const READY_MS = 120_000
const POLL_MS = 100

export type Command = { program: string; args: string[]; env?: Record<string, string | undefined>; uid?: number }
/** How a process says that it does its work. */
export type Ready = () => Promise<boolean>

/** A process as a service manager runs it: one that ends is started again after a second. */
export class Service {
  readonly name: string
  command: Command
  readonly ready: Ready
  readonly lines: string[] = []
  #child: Child | undefined
  #wanted = false

  constructor(name: string, command: Command, ready: Ready) {
    this.name = name
    this.command = command
    this.ready = ready
  }

  /** The process that runs now. @throws where none was started */
  get pid(): number {
    if (!this.#child) throw new Error(`${this.name} was not started`)
    return this.#child.pid
  }

  async start(): Promise<void> {
    this.#wanted = true
    await this.#run()
    await this.untilReady()
  }

  async untilReady(): Promise<void> {
    const until = performance.now() + READY_MS
    while (!(await this.ready().catch(() => false))) {
      if (performance.now() > until) throw new Error(`${this.name} is not ready: ${this.lines.slice(-8).join(' ')}`)
      await sleep(POLL_MS)
    }
  }

  /** Ends it in order: SIGTERM, and 20 seconds. */
  async stop(): Promise<void> {
    this.#wanted = false
    await this.#child?.stop()
  }

  /** Stops it in order, and starts another command in its place. */
  async replace(command: Command): Promise<void> {
    await this.stop()
    this.command = command
    await this.start()
  }

  /** Kills it; it is started again. */
  kill(): void {
    if (this.#child) process.kill(this.#child.pid, 'SIGKILL')
  }

  async #run(): Promise<void> {
    const { program, args, env, uid } = this.command
    const onLine = (line: string) => void this.lines.push(line)
    const child = await startChild(program, args, { env, uid, gid: uid, onLine, stop: [['SIGTERM', 20_000]] })
    this.#child = child
    void child.exited.then(async () => {
      if (!this.#wanted) return
      await sleep(RESTART_MS)
      if (this.#wanted && this.#child === child) await this.#run()
    })
  }
}
