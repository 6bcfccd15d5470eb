import { expect, it } from 'vitest'
import type { Sql } from '../../../src/lib/sql.ts'
import { createHistoryReplica } from '../../../src/prices/history/history-replica.ts'
import type { HistoryPage } from '../../../src/prices/history/history-store.ts'

it('a page is read from a replica that has all of it, and one that fails is left alone for ten seconds', async () => {
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
  expect(await read(async () => page(true))).toEqual(page(true))
  expect(reports).toEqual([['replica'], ['behind'], ['failed', failure], ['failed'], ['replica']])
})
