import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { minimalEnvironment } from './environment.ts'
import { endWithUs } from './orphan-watcher.ts'

/** A process of ours: it ends when we stop it, and when we die without having stopped it. */
export type Child = {
  pid: number
  /** Resolves when the process has ended. */
  exited: Promise<Exit>
  /** What it has printed, newest last: at most {@link KEPT_LINES}. */
  lines: string[]
  running(): boolean
  stop(): Promise<void>
}
export type Exit = {
  code?: number
  signal?: string
  lines: string[]
  /** What it said of its end: nothing helps, an operator has to act, or what it needs was away for a while. */
  refusal?: { kind: 'permanent' | 'fault' | 'interrupted'; message: string }
}

/** One step of stopping a process: a signal, and how long the process has to end. */
type StopStep = readonly [signal: NodeJS.Signals, graceMs: number]

export type ChildOptions = {
  env?: Record<string, string | undefined>
  cwd?: string
  uid?: number
  gid?: number
  /** How it is stopped, step by step; after the last one it is killed. */
  stop?: readonly StopStep[]
  /** What it gets when we die without having stopped it. */
  orphanSignal?: NodeJS.Signals
  onLine?: (line: string) => void
  onErrorLine?: (line: string) => void
  /** Opens a channel for messages from a Node program. */
  onMessage?: (message: unknown) => void
}

/** A Go program that crashes prints a hundred lines after the one that says why. */
const KEPT_LINES = 200
const DEFAULT_STOP: readonly StopStep[] = [['SIGTERM', 10_000]]
const LAST_WORDS_MS = 300

/**
 * Starts a process in a group of its own, so that a terminal's Ctrl-C reaches us alone and we stop things in order. It
 * ends with us, however we die.
 * @throws when the program cannot be run at all.
 */
export async function startChild(command: string, args: string[], options: ChildOptions = {}): Promise<Child> {
  const { stop = DEFAULT_STOP, cwd, uid, gid, onMessage } = options
  const child = spawn(command, args, {
    detached: true,
    stdio: onMessage ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    env: options.env ?? minimalEnvironment(),
    cwd,
    uid,
    gid,
  })
  const lines: string[] = []
  const exited = watchExit(child, lines)
  if (onMessage) child.on('message', onMessage)
  readLines(child.stdout, lines, options.onLine)
  readLines(child.stderr, lines, options.onErrorLine ?? options.onLine)
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  const pid = child.pid!
  const ended = exited.then(endWithUs(pid, options.orphanSignal ?? stop[0]?.[0] ?? 'SIGTERM'))
  const running = () => child.exitCode === null && child.signalCode === null
  return { pid, exited, lines, running, stop: () => stopInSteps(child, running, ended, stop) }
}

async function stopInSteps(
  child: ChildProcess,
  running: () => boolean,
  ended: Promise<void>,
  steps: readonly StopStep[],
): Promise<void> {
  for (const [signal, graceMs] of steps) {
    if (!running()) break
    child.kill(signal)
    await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
  }
  if (running()) child.kill('SIGKILL')
  await ended
}

function readLines(stream: NodeJS.ReadableStream | null, lines: string[], onLine?: (line: string) => void): void {
  if (!stream) return
  createInterface({ input: stream }).on('line', (line) => {
    lines.push(line)
    if (lines.length > KEPT_LINES) lines.shift()
    onLine?.(line)
  })
}

function watchExit(child: ChildProcess, lines: string[]): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ lines: [...lines, error.message] }))
    child.once('exit', async (code, signal) => {
      // Its last lines may still be in the pipe; a descendant that holds the pipe open must not hold us.
      await Promise.race([new Promise((done) => child.once('close', done)), sleep(LAST_WORDS_MS)])
      resolve({ code: code ?? undefined, signal: signal ?? undefined, lines })
    })
  })
}

/** Waits until `ready` says so, the process has ended, or the time is up. Returns whether it is ready. */
export async function untilReady(child: Child, ready: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (child.running() && Date.now() < deadline) {
    if (await ready()) return true
    await sleep(50)
  }
  return false
}
