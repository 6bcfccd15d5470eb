import { parseArgs } from 'node:util'
import { loadEnvFile } from './cli/env-file.ts'
import { connectionWasLost, errorMessage } from './cli/error-message.ts'
import { wrap } from './cli/layout.ts'
import { terminalWidth } from './cli/output.ts'
import { INTERRUPTED, stopRequested } from './cli/running/stop.ts'
import { type Config, readConfig } from './lib/config.ts'
import { OperatorError, PermanentError } from './lib/errors.ts'
import { type Instant, parseInstant } from './lib/instant.ts'
import { createLog, type Log } from './lib/log.ts'
import { requireCorrectedDriver } from './lib/postgres/driver.ts'
import { progressTo } from './lib/process/progress.ts'
import { checkRole, ROLES, type RoleContext, type RoleRefusal, reportRefusal, supervised } from './roles/role.ts'

/** What everyone but the owner of this process may do with its files: nothing. */
const OWNER_ONLY = 0o077
/** However much is in hand, the process has ended by then. */
const STOP_WITHIN_MS = 14_500

process.umask(OWNER_ONLY)
const progress = progressTo(process.stdout)
let ready = false
let config: Config | undefined
let log: Log | undefined
const stop = stopRequested(() => progress.say('Stopping at once.'))
process.once('disconnect', () => process.exit(INTERRUPTED))
process.on('uncaughtException', (error) => void end(error))

try {
  if (!supervised()) loadEnvFile()
  const options = readOptions()
  config = readConfig(process.env)
  checkRole(config, options.role)
  log = createLog(config.logLevel, config.logFormat)
  await requireCorrectedDriver()
  // Until everything is up there is nothing to save: the servers notice our end, and end in order.
  void stop.then(() => {
    if (!ready) process.exit(INTERRUPTED)
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
  })
  await run({ config, log, stop }, options)
  process.exit(0)
} catch (error) {
  await end(error)
}

/** Ends this process with one sentence for a person. A log in JSON has the stack of an unexpected fault too. */
async function end(error: unknown): Promise<never> {
  const kind = kindOf(error)
  const json = config && (config.logFormat ?? (process.stderr.isTTY ? 'text' : 'json')) === 'json'
  // `npm start` then says why itself.
  if (supervised() && kind) await reportRefusal({ kind, message: errorMessage(error) })
  else if (log && json && !kind) log.fatal({ err: error }, 'An unexpected fault ended this process')
  else process.stderr.write(`\n${wrap(errorMessage(error), terminalWidth(process.stderr))}\n`)
  process.exit(1)
}

function kindOf(error: unknown): RoleRefusal['refusal']['kind'] | undefined {
  if (connectionWasLost(error)) return 'interrupted'
  if (error instanceof PermanentError) return 'permanent'
  return error instanceof OperatorError ? 'fault' : undefined
}

/** Each role loads its own code alone: it keeps starts short and processes small. */
async function run(context: RoleContext, { role, importUntil, patient, ...worker }: ReturnType<typeof readOptions>) {
  if (role === 'all') {
    const { runAll } = await import('./cli/running/run-all.ts')
    return runAll(context, { progress, onReady: () => (ready = true) })
  }
  // A stop before the database is ready is not a success: what starts this process starts it again.
  ready = role !== 'migrate'
  if (role === 'api') return (await import('./roles/run-api.ts')).runApi(context)
  if (role === 'worker') return (await import('./roles/run-worker.ts')).runWorker(context, worker)
  return (await import('./roles/run-migrate.ts')).runMigrate(context, { progress, importUntil, patient })
}

/** @throws OperatorError */
function readOptions() {
  const usage = new OperatorError(`Usage: npm start [-- --role ${ROLES.join('|')}]`)
  try {
    const { values } = parseArgs({
      options: {
        role: { type: 'string', default: 'all' },
        // From `npm start` to the processes it starts:
        'only-worker': { type: 'boolean' },
        paused: { type: 'boolean' },
        patient: { type: 'boolean' },
        'import-until': { type: 'string' },
      },
    })
    const role = ROLES.find((name) => name === values.role)
    if (!role) throw usage
    const until = values['import-until']
    const importUntil: Instant | undefined = until === undefined ? undefined : parseInstant(until)
    const { paused, patient } = values
    return { role, only: values['only-worker'], paused, patient, importUntil }
  } catch {
    throw usage
  }
}
