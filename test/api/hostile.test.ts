import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startApi } from '../../bench/hostile/api-process.ts'
import { measure } from '../../bench/hostile/measure.ts'
import { prepare } from '../../bench/hostile/prepare.ts'
import { testDatabase } from '../support/database.ts'
import { nodeArguments } from '../support/installation.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

const db = testDatabase()

it('Normal clients are served while 400 hostile connections and 800 fuzzed requests arrive, and all of it is released', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-hostile-'))
  const keys = await prepare(db.sql)
  const api = await startApi(db.url, folder, { program: await nodeArguments('src/main.js') })
  const result = await measure(api, keys, { connections: 400, requests: 800, seconds: 8, idleSeconds: 1 })
  await rm(folder, { recursive: true, force: true })

  expect(result.attacked.failures).toEqual([])
  expect(result.attacked.reads).toBeGreaterThan(20)
  expect(Object.keys(result.statuses).filter((status) => status.startsWith('5'))).toEqual([])
  expect(Object.values(result.statuses).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(800)
  expect(result.running).toBe(true)
  expect(result.releasedAfter).toBeLessThan(allowedMs(30_000) / 1_000)
  expect(result.peak.memory - result.before.memory).toBeLessThan(200)
  expect(result.stoppedAfter).toBeLessThan(allowedMs(15_000) / 1_000)
})
