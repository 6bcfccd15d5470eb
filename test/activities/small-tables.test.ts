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

type Deletion = { table: string; add: (n: number) => Promise<unknown>; remove: (limit: number) => Promise<number> }

const deletions = async (sql: Sql): Promise<Deletion[]> => {
  const webhookId = await addWebhook(sql, (await addOperator(sql)).workspaceId, { url: 'https://hooks.example.com' })
  return [
    {
      table: 'snapshot',
      add: (n) => storeSnapshot(sql, { bytes: Buffer.from(`${n}`), at: AT }),
      remove: (limit) => deleteUnusedSnapshots(sql, plus(AT, 40 * DAY), limit),
    },
    {
      table: 'rate_bucket',
      add: (n) => sql`insert into rate_bucket (key, full_at) values (${`k${n}`}, ${AT})`,
      remove: (limit) => deleteFullBuckets(sql, limit),
    },
    {
      table: 'webhook_version',
      add: (n) => sql`
        insert into webhook_version (webhook_id, valid_from, valid_to, event_types, every_provider, providers, by_groups)
        values (${webhookId}, ${plus(AT, n)}, ${plus(AT, n + 1)}, '{}', true, '{}', false)`,
      remove: (limit) => deleteOldVersions(sql, limit),
    },
  ]
}

// PostgreSQL reads the rows to delete again for each row of a table that it knows to be small.
it.each(['snapshot', 'rate_bucket', 'webhook_version'])(
  'as many rows of %s are deleted at once as asked for, also where there are few',
  async (table) => {
    const { add, remove } = (await deletions(db.sql)).find((one) => one.table === table)!
    await add(0)
    await db.sql.unsafe(`vacuum analyze ${table}`)
    for (const n of [1, 2, 3, 4]) await add(n)
    expect([await remove(2), await remove(2), await remove(2)]).toEqual([2, 2, 1])
  },
)
