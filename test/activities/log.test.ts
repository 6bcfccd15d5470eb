import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { logActivities } from '../../activities/log.ts'
import { monitoringActivities } from '../../activities/monitoring.ts'
import { createLog } from '../../src/lib/log.ts'
import { newestCheckRun } from '../../src/monitoring/check-run-store.ts'
import { createWorkRecorder } from '../../src/monitoring/record-work.ts'
import { readKeys } from '../../src/proof/keys/read-keys.ts'
import { models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'
import { testContext } from '../support/webhooks/deliveries.ts'

const db = testDatabase({ each: true })
const context = (env: Record<string, string> = {}) => testContext(db.sql, undefined as never, env)

it('writes as much of the publication log as its time allows, says how far it is, and goes on there', async () => {
  await snapshot(db.sql, 'list', models(5))
  // As after a long history: 20,000 numbers are one part.
  await db.sql`update publication_clock set last_seq = last_seq + 50000`
  const { writeLog } = logActivities(context({ PRICETAPE_LOG_ORIGIN: 'log.test/prices' }))
  const write = async (budgetMs: number, isCancelled = false) => {
    const environment = new MockActivityEnvironment()
    if (isCancelled) environment.cancel()
    const heartbeats: unknown[] = []
    environment.on('heartbeat', (size) => heartbeats.push(size))
    return { report: await environment.run(writeLog, { budgetMs }), heartbeats }
  }
  // Its name, a provider, and an input and an output of each model.
  expect(await write(0)).toEqual({ report: { leaves: 12, size: 12, done: false }, heartbeats: [12] })
  const more = { leaves: 0, size: 12 }
  expect(await write(60_000, true)).toEqual({ report: { ...more, done: false }, heartbeats: [12] })
  expect(await write(60_000)).toEqual({ report: { ...more, done: true }, heartbeats: [12] })
  expect((await readKeys(db.sql)).origin).toBe('log.test/prices')
})

it('records that a check has finished, in the database and as one line', async () => {
  const lines: object[] = []
  const log = createLog('info', 'json', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { recordCheck } = monitoringActivities(context(), { record: createWorkRecorder({ log }) })
  await recordCheck({ runId: 'run', durationMs: 1_234, problems: ['It rained.'] })
  expect(await newestCheckRun(db.sql)).toMatchObject({ problems: ['It rained.'] })
  expect(lines).toMatchObject([{ msg: 'check finished', runId: 'run', durationMs: 1_234, problems: 1 }])
})
