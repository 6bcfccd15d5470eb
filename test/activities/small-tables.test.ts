import { expect, it } from 'vitest'
import { deleteFullBuckets } from '../../src/accounts/limits/delete-full-buckets.ts'
import { deleteUnusedSnapshots } from '../../src/catalog/snapshots/delete-old-snapshots.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { DAY, type Instant, plus } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { deleteOldVersions } from '../../src/webhooks/retention/delete-old-versions.ts'
import { addOperator } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { addWebhook } from '../support/webhooks/subscriptions.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const db = testDatabase({ each: true, plansEachTime: true })

/** Adds a row that is old enough to be deleted. */
type AddRow = (sql: Sql, n: number) => Promise<unknown>

const addSnapshot: AddRow = (sql, n) => storeSnapshot(sql, { bytes: Buffer.from(`${n}`), at: AT })
const addBucket: AddRow = (sql, n) => sql`insert into rate_bucket (key, full_at) values (${`k${n}`}, ${AT})`
const addVersion: AddRow = (sql, n) => sql`
  insert into webhook_version (webhook_id, valid_from, valid_to, event_types, every_provider, providers, by_groups)
  select webhook_id, ${plus(AT, n)}, ${plus(AT, n + 1)}, '{}', true, '{}', false from webhook`

// PostgreSQL may read the rows to delete again for each row of a table that it knows to be small.
it.each([
  ['snapshot', addSnapshot, (sql: Sql, limit: number) => deleteUnusedSnapshots(sql, plus(AT, 40 * DAY), limit)],
  ['rate_bucket', addBucket, deleteFullBuckets],
  ['webhook_version', addVersion, deleteOldVersions],
])('as many rows of %s are deleted at once as asked for, also where there are few', async (table, add, remove) => {
  const { sql } = db
  await addWebhook(sql, (await addOperator(sql)).workspaceId, { url: 'https://hooks.example.com' })
  await add(sql, 0)
  await sql.unsafe(`vacuum analyze ${table}`)
  for (const n of [1, 2, 3, 4]) await add(sql, n)
  expect([await remove(sql, 2), await remove(sql, 2), await remove(sql, 2)]).toEqual([2, 2, 1])
})
