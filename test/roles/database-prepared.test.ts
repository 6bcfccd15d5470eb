import { expect, it } from 'vitest'
import { unpreparedReason } from '../../src/roles/database-prepared.ts'
import { testDatabase } from '../support/database.ts'
import { addWorkspace } from '../support/webhooks/subscriptions.ts'

const db = testDatabase({ each: true })

it('a database can be used once all migrations are applied and the first workspace exists', async () => {
  expect(await unpreparedReason(db.sql)).toBe('The database is being prepared.')
  await addWorkspace(db.sql)
  expect(await unpreparedReason(db.sql)).toBeUndefined()
  await db.sql`update stored_function set sha256 = 'other' where name in ('history_rows', 'draw_tokens')`
  expect(await unpreparedReason(db.sql)).toBe('The database lacks 2 functions of this version.')
  await db.sql`delete from migration where name = '0165_watches_and_facts.sql'`
  expect(await unpreparedReason(db.sql)).toBe('The database lacks 1 migration and 2 functions of this version.')
})
