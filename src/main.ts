import { parseArgs } from 'node:util'
import { screenText } from './cli/banner.ts'
import { sentenceOf } from './cli/error-message.ts'
import { INTERRUPTED, stopAsked } from './cli/stop.ts'
import { type Installation, ROLES, type Role, runInstallation } from './embedded/installation.ts'
import { holdings, newestKeyEnd } from './embedded/installation-store.ts'
import { progressTo } from './embedded/process/progress.ts'
import { readConfig } from './lib/config.ts'
import { OperatorError } from './lib/errors.ts'
import { MINUTE, SECOND } from './lib/instant.ts'
import { createLog } from './lib/log.ts'
import { runtimeOptions } from './temporal/log.ts'

const began = performance.now()
const progress = progressTo(process.stdout)
let ready = false
const stop = stopAsked(() => progress.say('Stopping at once.'))

try {
  const role = readRole()
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  if (role === 'all' || role === 'worker') {
    // The SDK would take Ctrl-C for itself, and stop its workers while the rest still needs them.
    const { Runtime } = await import('@temporalio/worker')
    Runtime.install(runtimeOptions(log))
  }
  // Until everything is up there is nothing to save: the servers notice our end, and end in order.
  void stop.then(() => ready || process.exit(INTERRUPTED))
  await runInstallation(config, { role, progress, log }, async (installation) => {
    ready = true
    if (role === 'migrate') {
      progress.say('The database and Temporal are ready.')
      if (installation.newKey) progress.say(`API key, shown this once: ${installation.newKey}`)
      return
    }
    progress.say(await firstScreen(installation, role))
    await Promise.race([stop, installation.broken])
    progress.say('Stopping: what is being sent is finished first. Ctrl-C again stops at once.')
  })
  progress.say('Stopped.')
  process.exit(0)
} catch (error) {
  process.stderr.write(`\n${sentenceOf(error)}\n`)
  process.exit(1)
}

async function firstScreen({ ctx, folder, url, temporalUi, newKey }: Installation, role: Role): Promise<string> {
  return screenText({
    url,
    temporalUi,
    role,
    newKey,
    dataFolder: folder.root,
    keyEnd: await newestKeyEnd(ctx.sql),
    holdings: await holdings(ctx.sql),
    checkMinutes: ctx.config.checkIntervalMs / MINUTE,
    seconds: (performance.now() - began) / SECOND,
  })
}

/** @throws OperatorError */
function readRole(): Role {
  try {
    const { values } = parseArgs({ options: { role: { type: 'string', default: 'all' } } })
    const role = ROLES.find((one) => one === values.role)
    if (role) return role
  } catch {
    // Said below, as for a role that does not exist.
  }
  throw new OperatorError(`Usage: npm start [-- --role ${ROLES.join('|')}]`)
}
