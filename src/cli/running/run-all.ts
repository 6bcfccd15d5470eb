import { supervise } from '../../embedded/supervise.ts'
import { instantOf, MINUTE, SECOND } from '../../lib/instant.ts'
import type { Progress } from '../../lib/process/progress.ts'
import type { RoleContext } from '../../roles/role.ts'
import { bannerText } from './banner.ts'
import { healthOfDatabase } from './health.ts'

type Options = { progress: Progress; onReady: () => void }

/** `npm start`: brings everything up, shows the start screen, keeps everything running until it is asked to stop. */
export async function runAll({ config, log, stop }: RoleContext, { progress, onReady }: Options): Promise<void> {
  await supervise(config, { log, progress, env: process.env }, async (installation) => {
    onReady()
    const checkMinutes = config.checkIntervalMs / MINUTE
    const health = await healthOfDatabase(installation.databaseUrl, { startedAt: instantOf(Date.now()) })
    progress.say(
      bannerText({
        ...installation,
        health,
        checkMinutes,
        seconds: performance.now() / SECOND,
      }),
    )
    await stop
    progress.say('Stopping: what is being sent is finished first. Ctrl-C again stops at once.')
  })
  progress.say('Stopped.')
}
