import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { connect } from '../../../src/lib/sql.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase()

/** The driver, which `npm ci` corrects (patches/). */
it('sends what it has without waiting for an acknowledgement of what it sent before', async () => {
  const sql = connect(db.url, { max: 1, name: 'without delay' })
  const took: number[] = []
  try {
    await sql`create unlogged table word (word text)`
    for (let n = 0; n < 20; n++) {
      const began = performance.now()
      // A copy is sent in parts, and the server answers after the last one.
      await pipeline(Readable.from(['one\n', 'two\n']), await sql`copy word from stdin`.writable())
      took.push(performance.now() - began)
    }
    expect(await sql`select count(*)::integer as n from word`).toEqual([{ n: 40 }])
  } finally {
    await sql.end()
  }
  // The other side of a connection may keep an acknowledgement for 40 ms. A loaded machine delays some copies, not each.
  expect(Math.min(...took.slice(10))).toBeLessThan(25)
})
