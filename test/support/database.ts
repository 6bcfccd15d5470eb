import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import type { Sql } from '../../src/lib/sql.ts'
import { type Copy, returnCopy, takeCopy } from './databases/copies.ts'

/** Runs work on a database of its own: for each run of a property. */
export async function withDatabase(work: (sql: Sql) => Promise<void>): Promise<void> {
  const server = inject('postgres')
  const copy = await takeCopy(server)
  try {
    await work(copy.sql)
  } finally {
    await returnCopy(server, copy)
  }
}

/**
 * A migrated database of this test file's own. Call at the top of a file or a `describe`.
 * `db.sql` is ready inside tests; `db.url` opens further connections. A pool that a test leaks fails the file.
 * @param options.each an empty one for every test: for tests that change what others would read
 * @param options.isNew whether no test has used it before: for tests of what PostgreSQL counts, or of the order of rows that no one orders
 * @param options.plansEachTime whether statements are planned for their values, as in production: for tests of plans
 */
export function testDatabase({ each = false, isNew = false, plansEachTime = false } = {}) {
  const server = inject('postgres')
  let copy: Copy | undefined
  const db = { sql: undefined as unknown as Sql, url: '', name: '', each }
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll]
  before(async () => {
    copy = await takeCopy(server, { isNew, plansEachTime })
    const { sql, url, name } = copy
    Object.assign(db, { sql, url, name })
  })
  after(async () => {
    if (copy && db.sql !== copy.sql) await db.sql.end()
    if (copy) await returnCopy(server, copy)
    copy = undefined
  })
  return db
}
