import { expect, it } from 'vitest'
import { aliasListing } from '../../src/aliases/listing-store.ts'
import { declareRestore } from '../../src/catalog/clock/begin-restored-timeline.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()

it('after several restores the numbers of the catalogue go on from when the newest history began', async () => {
  const before = (await aliasListing(db.sql)).version
  expect(before).toBeLessThan(10)
  for (const startedAt of ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z']) {
    await declareRestore(db.sql)
    await db.sql`
      update history_timeline set started_at = ${startedAt} where timeline = (select max(timeline) from history_timeline)`
  }
  const { version } = await aliasListing(db.sql)
  // The seconds from the beginning of 2026 to March.
  expect(Math.floor(version / 10)).toBe(509_760)
})
