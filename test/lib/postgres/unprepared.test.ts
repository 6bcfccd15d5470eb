import { expect, it } from 'vitest'
import { connect } from '../../../src/lib/sql.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase()

/** The driver, which `npm ci` corrects (patches/). */
it('keeps a statement prepared, unless it is told that the statement never comes again', async () => {
  const sql = connect(db.url, { max: 1, name: 'prepared' })
  try {
    const answers = [await sql`select ${1}::int as once`.unprepared(), await sql`select ${2}::int as kept`]
    expect(answers).toEqual([[{ once: 1 }], [{ kept: 2 }]])
    const prepared = await sql<{ statement: string }[]>`select statement from pg_prepared_statements`
    expect(prepared.map(({ statement }) => statement)).toContain('select $1::int as kept')
    expect(prepared.filter(({ statement }) => statement.includes('once'))).toEqual([])
  } finally {
    await sql.end()
  }
})
