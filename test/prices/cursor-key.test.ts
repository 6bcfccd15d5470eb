import { expect, it } from 'vitest'
import { createCursorKeyReader } from '../../src/prices/history/read-cursor-key.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()

it('is read again after a failure, and then kept', async () => {
  const read = createCursorKeyReader(db.sql)
  await db.sql`alter table cursor_key rename to cursor_key_away`
  await expect(read()).rejects.toThrow(/cursor_key/)
  await db.sql`alter table cursor_key_away rename to cursor_key`
  const key = await read()
  expect(key).toHaveLength(32)
  await db.sql`alter table cursor_key rename to cursor_key_away`
  expect(await read()).toEqual(key)
})
