import { parseArgs } from 'node:util'
import { loadEnvFile } from './cli/env-file.ts'
import { errorMessage } from './cli/error-message.ts'
import { wrap } from './cli/layout.ts'
import { terminalWidth } from './cli/output.ts'
import { INTERRUPTED, stopRequested } from './cli/stop.ts'
import { readConfig } from './lib/config.ts'
import { OperatorError, PermanentError } from './lib/errors.ts'
import { type Instant, parseInstant } from './lib/instant.ts'
import { createLog } from './lib/log.ts'
import { progressTo } from './lib/progress.ts'
import { checkRole, ROLES, type RoleContext, reportRefusal, supervised } from './roles/role.ts'

/** What everybody but the owner of this process may do with its files: nothing. */
const OWNER_ONLY = 0o077
/** However much is in hand, the process has ended by then. */
const STOP_WITHIN_MS = 14_500

process.umask(OWNER_ONLY)
const progress = progressTo(process.stdout)
let ready = false
const stop = stopRequested(() => progress.say('Stopping at once.'))
process.once('disconnect', () => process.exit(INTERRUPTED))

try {
  if (!supervised()) loadEnvFile()
  const options = readOptions()
  const config = readConfig(process.env)
  checkRole(config, options.role)
  const log = createLog(config.logLevel, config.logFormat)
  // Until everything is up there is nothing to save: the servers notice our end, and end in order.
  void stop.then(() => {
    if (!ready) process.exit(INTERRUPTED)
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
  })
  await run({ config, log, stop }, options)
  process.exit(0)
} catch (error) {
  // `npm start` then ends too, and says why itself.
  if (error instanceof PermanentError && supervised()) await reportRefusal(error)
  else process.stderr.write(`\n${wrap(errorMessage(error), terminalWidth(process.stderr))}\n`)
  process.exit(1)
}

/** Each role loads its own code alone: it keeps starts short and processes small. */
async function run(context: RoleContext, { role, importUntil, ...worker }: ReturnType<typeof readOptions>) {
  if (role === 'all') {
    const { runAll } = await import('./cli/run-all.ts')
    return runAll(context, { progress, onReady: () => (ready = true) })
  }
  // A stop before the database is ready is no success: what starts this process starts it again.
  ready = role !== 'migrate'
  if (role === 'api') return (await import('./roles/run-api.ts')).runApi(context)
  if (role === 'worker') return (await import('./roles/run-worker.ts')).runWorker(context, worker)
  return (await import('./roles/run-migrate.ts')).runMigrate(context, { progress, importUntil })
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
        'import-until': { type: 'string' },
      },
    })
    const role = ROLES.find((name) => name === values.role)
    if (!role) throw usage
    const until = values['import-until']
    const importUntil: Instant | undefined = until === undefined ? undefined : parseInstant(until)
    return { role, only: values['only-worker'], paused: values.paused, importUntil }
  } catch {
    throw usage
  }
}
