import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server process that is ours: it ends when we stop it, and when we die without having stopped it. */
export type Child = {
  pid: number
  /** Settles when the process has ended, with what it said last. */
  exited: Promise<Exit>
  /** What it has said so far, newest last: at most {@link KEPT_LINES}. */
  lines: string[]
  running(): boolean
  stop(): Promise<void>
}
type Exit = { code: number | undefined; signal: string | undefined; said: string }

export type ChildOptions = {
  env?: Record<string, string | undefined>
  cwd?: string
  uid?: number
  gid?: number
  /** What ends it in order; after `graceMs` it is killed. */
  stopSignal?: NodeJS.Signals
  graceMs?: number
  onLine?: (line: string) => void
}

const KEPT_LINES = 40
const DEFAULT_GRACE_MS = 10_000
const LAST_WORDS_MS = 300

/**
 * Starts a server in a process group of its own, so that a terminal's Ctrl-C reaches us alone and we stop things in
 * order. A watcher reads a pipe from us: when it closes, however we died, the watcher ends the server.
 * @throws when the program cannot be run at all.
 */
export async function startChild(command: string, args: string[], options: ChildOptions = {}): Promise<Child> {
  const { stopSignal = 'SIGTERM', graceMs = DEFAULT_GRACE_MS } = options
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: options.env ?? process.env,
    cwd: options.cwd,
    uid: options.uid,
    gid: options.gid,
  })
  const lines: string[] = []
  const exited = watchExit(child, lines)
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > KEPT_LINES) lines.shift()
      options.onLine?.(line)
    })
  }
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  const pid = child.pid!
  const watcher = startWatcher(pid, stopSignal)
  const ended = exited.then(() => {
    watcher.kill('SIGKILL')
    watcher.stdin?.destroy()
  })
  const running = () => child.exitCode === null && child.signalCode === null
  return {
    pid,
    exited,
    lines,
    running,
    stop: async () => {
      if (running()) child.kill(stopSignal)
      const killed = AbortSignal.timeout(graceMs)
      const kill = () => child.kill('SIGKILL')
      killed.addEventListener('abort', kill, { once: true })
      await ended
      killed.removeEventListener('abort', kill)
    },
  }
}

function startWatcher(pid: number, signal: NodeJS.Signals): ChildProcess {
  const script = `read -r line; kill -s ${signal.slice(3)} ${pid} 2>/dev/null; sleep 15; kill -s KILL ${pid} 2>/dev/null`
  const watcher = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  watcher.unref()
  const pipe = watcher.stdin as unknown as { unref?: () => void }
  pipe.unref?.()
  return watcher
}

function watchExit(child: ChildProcess, lines: string[]): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: undefined, signal: undefined, said: lines.join('\n') }))
    child.once('exit', async (code, signal) => {
      // Its last words may still be in the pipe; a descendant that holds the pipe open must not hold us.
      await Promise.race([new Promise((done) => child.once('close', done)), sleep(LAST_WORDS_MS)])
      resolve({ code: code ?? undefined, signal: signal ?? undefined, said: lines.join('\n') })
    })
  })
}

/** Waits until `ready` says so, the server has ended, or the time is up; answers whether it is ready. */
export async function untilReady(child: Child, ready: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (child.running() && Date.now() < deadline) {
    if (await ready()) return true
    await sleep(100)
  }
  return false
}
