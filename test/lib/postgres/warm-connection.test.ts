import { expect, it } from 'vitest'
import { connect } from '../../../src/lib/sql.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase()

/** The driver, which `npm ci` corrects (patches/). */
it('runs a statement on the connection that was used last: others would plan it again', async () => {
  const sql = connect(db.url, { max: 4, name: 'warm connection' })
  const pid = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid
  try {
    for (let round = 0; round < 3; round++) {
      const atOnce = Array.from({ length: 4 }, () => sql`select pg_backend_pid() as pid, pg_sleep(0.1)`)
      const opened = (await Promise.all(atOnce)).map(([row]) => row!.pid)
      expect(new Set(opened).size).toBe(4)

      const last = await pid()
      for (let n = 0; n < 5; n++) expect(await pid()).toBe(last)
      expect(await sql.begin(async (tx) => (await tx`select pg_backend_pid() as pid`)[0]!.pid)).toBe(last)
      expect(await pid()).toBe(last)
      // What is asked at once takes the others too.
      expect(new Set(await Promise.all([pid(), pid(), pid()])).size).toBe(3)
    }
  } finally {
    await sql.end()
  }
})
