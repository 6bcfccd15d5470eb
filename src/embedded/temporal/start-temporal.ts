import { createWriteStream } from 'node:fs'
import { OperatorError } from '../../lib/errors.ts'
import { SEARCH_ATTRIBUTES } from '../../temporal/search-attributes.ts'
import { startChild, untilReady } from '../process/child.ts'
import { freePort, LOOPBACK, portAnswers, portIsFree } from '../process/ports.ts'
import { commandOf, endProcess } from '../process/process-identity.ts'

const USUAL_PORT = 7233
const START_TIMEOUT_MS = 60_000
const STOP_GRACE_MS = 15_000
export const NAMESPACE = 'default'

export type EmbeddedTemporal = AsyncDisposable & {
  address: string
  uiUrl: string
  port: number
  pid: number
  /** Settles when the server has ended, asked or not, with what it said. */
  ended: Promise<string>
}
type Options = {
  binary: string
  /** The file it keeps its state in. */
  store: string
  port?: number
  uiPort: number
  /** The process a start before this one left running, if it did. */
  earlierPid?: number
  logFile: string
}

/**
 * The Temporal server of this installation, with its UI, on loopback, ended when we end.
 * @throws OperatorError with one sentence when it does not start.
 */
export async function startTemporal(options: Options): Promise<EmbeddedTemporal> {
  await endOrphan(options)
  const port = await choosePort(options.port)
  if (!(await portIsFree(options.uiPort))) {
    throw new OperatorError(
      `Port ${options.uiPort}, for the Temporal UI, is taken. Stop what uses it, or set PRICETAPE_TEMPORAL_UI_PORT.`,
    )
  }
  const log = createWriteStream(options.logFile, { flags: 'w', mode: 0o600 })
  log.on('error', () => {})
  const server = await startChild(options.binary, serverArguments(options, port), {
    graceMs: STOP_GRACE_MS,
    onLine: (line) => log.write(`${line}\n`),
  })
  const answers = async () => (await portAnswers(port)) && (await portAnswers(options.uiPort))
  if (!(await untilReady(server, answers, START_TIMEOUT_MS))) {
    await server.stop()
    const reason = server.lines.findLast((line) => /error|panic|fatal|unable/i.test(line)) ?? server.lines.at(-1)
    throw new OperatorError(
      `Temporal does not start: ${reason?.trim().slice(0, 300) ?? 'no reason given'}. Its log is ${options.logFile}. If ${options.store} is damaged, move it away: pending deliveries are started again from the database.`,
    )
  }
  return {
    address: `${LOOPBACK}:${port}`,
    uiUrl: `http://localhost:${options.uiPort}`,
    port,
    pid: server.pid,
    ended: server.exited.then((exit) => exit.said),
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

/** Write-ahead logging is what makes the file store fast enough; see docs/operations.md. */
function serverArguments({ store, uiPort }: Options, port: number): string[] {
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
    ...['--namespace', NAMESPACE, '--log-level', 'warn', '--db-filename', store],
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ]
}

async function choosePort(remembered: number | undefined): Promise<number> {
  for (const port of [remembered, USUAL_PORT]) if (port && (await portIsFree(port))) return port
  return freePort()
}

async function endOrphan({ earlierPid, store }: Options): Promise<void> {
  if (!earlierPid || !(await commandOf(earlierPid)).includes(store)) return
  if (await endProcess(earlierPid, 'SIGTERM', STOP_GRACE_MS)) return
  throw new OperatorError(
    `A Temporal server of an earlier start (process ${earlierPid}) does not stop. End it by hand.`,
  )
}
