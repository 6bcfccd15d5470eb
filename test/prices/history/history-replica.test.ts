import { expect, it } from 'vitest'
import type { Sql } from '../../../src/lib/sql.ts'
import { createHistoryReplica } from '../../../src/prices/history/history-replica.ts'
import type { HistoryPage } from '../../../src/prices/history/history-store.ts'

it('a page is read from a replica that has all of it, and one that fails is left alone for ten seconds and then tried by one read', async () => {
  let now = 5
  const reports: unknown[][] = []
  const asked: unknown[] = []
  const sql = {} as Sql
  const replica = createHistoryReplica(
    sql,
    (...report) => reports.push(report),
    () => now,
  )
  const page = (complete: boolean): HistoryPage => ({ prices: Buffer.from('x'), complete })
  const read = (answer: () => Promise<HistoryPage>) =>
    replica.read((from) => {
      asked.push(from)
      return answer()
    })
  expect(await read(async () => page(true))).toEqual(page(true))
  expect(await read(async () => page(false))).toBeUndefined()
  const failure = new Error('away')
  const fails = () => read(() => Promise.reject(failure))
  expect(await fails()).toBeUndefined()
  expect(asked).toEqual([sql, sql, sql])
  now += 9_999
  expect(await read(async () => page(true))).toBeUndefined()
  expect(asked).toHaveLength(3)
  now += 1
  // One read tries it again, and no reader waits for that one.
  let reject = (_: Error) => {}
  const hangs = new Promise<HistoryPage>((_, refuse) => {
    reject = refuse
  })
  for (let n = 0; n < 3; n++) expect(await read(() => hangs)).toBeUndefined()
  expect(asked).toHaveLength(4)
  reject(failure)
  await expect.poll(() => reports.at(-1)).toEqual(['failed', failure])
  expect(await read(async () => page(true))).toBeUndefined()
  expect(asked).toHaveLength(4)
  now += 10_000
  expect(await read(async () => page(true))).toBeUndefined()
  await expect.poll(() => read(async () => page(true))).toEqual(page(true))
  expect(reports.slice(0, 7)).toEqual([
    ...[['replica'], ['behind'], ['failed', failure], ['failed']],
    ...[['failed'], ['failed'], ['failed', failure]],
  ])
})

it('no reader waits longer than two seconds for a replica, which is left alone then', async () => {
  const reports: unknown[][] = []
  let asked = 0
  const replica = createHistoryReplica({} as Sql, (...report) => reports.push(report))
  const hangs = () =>
    replica.read(() => {
      asked++
      return new Promise(() => {})
    })
  const begun = performance.now()
  expect(await hangs()).toBeUndefined()
  expect(performance.now() - begun).toBeGreaterThan(1_990)
  expect(await hangs()).toBeUndefined()
  expect(asked).toBe(1)
  expect(reports).toEqual([['failed', new Error('The replica did not answer within 2 s.')], ['failed']])
})
