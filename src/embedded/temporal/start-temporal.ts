import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { OperatorError } from '../../lib/errors.ts'
import { freePort, LOOPBACK, portAnswers, portIsFree } from '../../lib/ports.ts'
import { DEFAULT_NAMESPACE } from '../../temporal/external.ts'
import { SEARCH_ATTRIBUTES } from '../../temporal/search-attributes.ts'
import { type Exit, startChild, untilReady } from '../process/child.ts'
import { BrokenOff } from '../process/exit-fault.ts'
import { exitText, lastWords } from '../process/exit-text.ts'
import { endProcess, runsOn } from '../process/process-identity.ts'

const START_TIMEOUT_MS = 60_000
const STOP = [['SIGTERM', 3_000]] as const
const ORPHAN_GRACE_MS = 15_000

/** What SQLite says of a store that was being made when its disk was full or the server was killed. */
const UNFINISHED = /no such (table|column)/
const DAMAGED = /malformed|not a database/

const storeFault = (reason = '') =>
  UNFINISHED.test(reason) ? 'unfinished' : DAMAGED.test(reason) ? 'damaged' : undefined

const TAKEN = /address already in use/

/** The port was free when it was chosen: another choice fixes it. */
export class TemporalPortTakenError extends OperatorError {
  constructor({ port, uiPort }: TemporalOptions) {
    super(
      `Temporal does not start: another program took port ${port} or ${uiPort} at the same moment. Start Pricetape again.`,
    )
  }
}

export class TemporalStartError extends OperatorError {
  /** Why the store cannot be used any more; waiting does not help. */
  readonly storeFault: ReturnType<typeof storeFault>
  constructor(reason: string | undefined, message: string) {
    super(message)
    this.storeFault = storeFault(reason)
  }
}

export const uiPortTaken = (port: number): OperatorError =>
  new OperatorError(
    `Port ${port}, for the Temporal UI, is taken. Stop what uses it, or set PRICETAPE_TEMPORAL_UI_PORT.`,
  )

export type EmbeddedTemporal = AsyncDisposable & {
  address: string
  port: number
  pid: number
  /** Resolves when the server has ended, stopped by us or not. */
  exited: Promise<Exit>
  stop(): Promise<void>
}
export type TemporalOptions = {
  binary: string
  /** The file it keeps its state in. */
  store: string
  port: number
  uiPort: number
  logFile: string
}

/**
 * The Temporal server of this installation, with its UI, on loopback, ended when we end.
 * @throws OperatorError with one sentence when it does not start.
 */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const { port } = options
  if (!(await portIsFree(options.uiPort))) throw uiPortTaken(options.uiPort)
  const log = createWriteStream(options.logFile, { flags: 'w', mode: 0o600 })
  log.on('error', () => {})
  const server = await startChild(options.binary, serverArguments(options, port), {
    stop: STOP,
    onLine: (line) => log.write(`${line}\n`),
  })
  const answers = async () => (await portAnswers(port)) && (await portAnswers(options.uiPort))
  if (!(await untilReady(server, answers, START_TIMEOUT_MS))) {
    const ended = !server.running()
    await server.stop()
    const exit = await server.exited
    if (ended && exit.signal !== undefined) throw new BrokenOff(exitText(exit))
    // On a taken port the server ends with a stack trace that does not name the port.
    if (server.lines.some((line) => TAKEN.test(line))) throw new TemporalPortTakenError(options)
    const reason = lastWords(server.lines)
    throw new TemporalStartError(
      reason,
      `Temporal does not start: ${reason ?? 'no reason given'}. Its log is ${options.logFile}. If ${options.store} is damaged, move it away: pending deliveries are started again from the database.`,
    )
  }
  return {
    address: `${LOOPBACK}:${port}`,
    port,
    pid: server.pid,
    exited: server.exited,
    stop: server.stop,
    [Symbol.asyncDispose]: server.stop,
  }
}

/** Moves a damaged store away, in the place of one that was moved before. Returns where it is. */
export async function setStoreAside(store: string): Promise<string> {
  const aside = `${store}.damaged`
  await rename(store, aside).catch(() => {})
  for (const end of ['-wal', '-shm']) await rm(`${store}${end}`, { force: true })
  return aside
}

/** Write-ahead logging is what makes the file store fast enough. */
function serverArguments({ store, uiPort }: TemporalOptions, port: number): string[] {
  return [
    ...[
      'server',
      'start-dev',
      '--ip',
      LOOPBACK,
      '--port',
      String(port),
      '--ui-ip',
      LOOPBACK,
      '--ui-port',
      String(uiPort),
    ],
    ...['--namespace', DEFAULT_NAMESPACE, '--log-level', 'warn', '--db-filename', store],
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ]
}

/**
 * The port of the last start where it is free, else any. Not Temporal's usual one: installations that start in the same
 * second would both find it free, the server of one would crash, and its worker would use the server of the other.
 */
export async function chooseTemporalPort(remembered: number | undefined): Promise<number> {
  return remembered !== undefined && (await portIsFree(remembered)) ? remembered : freePort()
}

/** Ends the server that an earlier start left running on this store, if it did. */
export async function endOrphanedTemporal(pid: number | undefined, store: string): Promise<void> {
  if (!pid || !(await runsOn(pid, store))) return
  if (await endProcess(pid, 'SIGTERM', ORPHAN_GRACE_MS)) return
  throw new OperatorError(`A Temporal server of an earlier start (process ${pid}) does not stop. End it by hand.`)
}
