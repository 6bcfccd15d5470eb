import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { HEARTBEAT_EVERY_MS } from '../../src/worker.ts'

const SECONDS = { s: 1, m: 60 }

/** The heartbeat timeouts, in seconds, that a workflow's file declares. */
const timeoutsIn = (text: string): number[] =>
  [...text.matchAll(/heartbeatTimeout: '(\d+)([sm])'/g)].map(([, n, unit]) => Number(n) * SECONDS[unit as 's' | 'm'])

it('lets no activity time out whose heartbeat the server answers late: each timeout is three times their interval or more', async () => {
  expect(HEARTBEAT_EVERY_MS).toBe(5_000)
  const files = (await readdir('workflows')).filter((file) => file.endsWith('.ts'))
  const texts = await Promise.all(files.map((file) => readFile(`workflows/${file}`, 'utf8')))
  const timeouts = texts.flatMap(timeoutsIn)
  expect(timeouts.length).toBeGreaterThan(8)
  expect(Math.min(...timeouts)).toBeGreaterThanOrEqual(15)
  const ofShards = timeoutsIn(texts[files.indexOf('deliver-shards.ts')]!)
  expect(ofShards).toEqual([15, 20])
})
