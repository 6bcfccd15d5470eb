import { expect, it } from 'vitest'
import { migrate } from '../../src/lib/migrate.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase({ each: true })

it('applies nothing twice, however many processes start at once', async () => {
  await expect(Promise.all([migrate(db.sql), migrate(db.sql), migrate(db.sql)])).resolves.toEqual([[], [], []])
})

it('refuses a database whose migrations are not the ones at hand', async () => {
  await db.sql`update migration set sha256 = 'other' where name = '0001_catalog.sql'`
  await expect(migrate(db.sql)).rejects.toThrow('Migration 0001_catalog.sql differs')
})
