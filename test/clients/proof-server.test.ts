import { beforeEach, describe, expect, it } from 'vitest'
import { type PriceRow, Pricetape } from '../../clients/typescript/src/index.ts'
import { verifyConsistency, verifyPage, verifyRow } from '../../clients/typescript/src/proof/index.ts'
import { keep, seedHistory } from '../exports/support.ts'
import { day, models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { listeningApi } from '../support/clients.ts'
import { testDatabase } from '../support/database.ts'
import { lacks } from '../support/suite/needs.ts'
import { callPython } from '../support/toolchains/python-client.ts'

const db = testDatabase({ each: true })
const api = listeningApi(db, { limited: false })
let client: Pricetape
let rows: PriceRow[]
let key: string

beforeEach(async () => {
  await seedHistory(db.sql)
  await snapshot(db.sql, 'list', models(400), { at: day(7) })
  await keep(db.sql)
  client = new Pricetape({ url: api.url, apiKey: api.key })
  rows = (await client.walk()).prices
  key = (await client.logKeys()).keys[0]!.verifier
})

describe('the TypeScript client proves what a server served', () => {
  it('of rows one by one, with the instant at which each was published last', async () => {
    for (const row of rows.filter((_, n) => n % 90 === 0)) {
      const { publishedAt, checkpoint } = verifyRow(row, await client.rowProof(row.contentHash), key)
      expect(publishedAt >= row.recordedAt).toBe(true)
      expect(checkpoint.origin).toBe('log.test/prices')
    }
  })

  it('of a whole page with one proof', async () => {
    const { publishedAt, checkpoint } = verifyPage(rows, await client.pageProof(rows), key)
    expect([...publishedAt.keys()]).toEqual(rows.map(({ contentHash }) => contentHash))
    expect(checkpoint.size).toBeGreaterThan(rows.length)
    const few = rows.filter((_, n) => n % 50 === 3)
    expect(verifyPage(few, await client.pageProof(few), key).checkpoint).toEqual(checkpoint)
  })

  it('of a log that goes on', async () => {
    const { checkpoint: kept } = verifyRow(rows[0]!, await client.rowProof(rows[0]!.contentHash), key)
    await snapshot(db.sql, 'other', models(20, { provider: 'zeta' }))
    await keep(db.sql)
    const newer = verifyConsistency(kept.text, await client.consistencyProof(kept.size), key)
    expect(newer.size).toBeGreaterThan(kept.size)
  })

  it('and refuses an edited row, and rows that are not in the log', async () => {
    const proof = await client.pageProof(rows)
    const edited = rows.with(5, { ...rows[5]!, price: '42' })
    expect(() => verifyPage(edited, proof, key)).toThrow(`Row ${rows[5]!.contentHash} was edited: its price is "42"`)
    const unknown = { ...rows[0]!, contentHash: 'f'.repeat(64) }
    await expect(client.pageProof([unknown])).rejects.toMatchObject({ status: 404, code: 'row_not_logged' })
    await expect(client.pageProof([rows[0]!, rows[0]!])).rejects.toMatchObject({ status: 400, field: 'contentHashes' })
    await expect(client.consistencyProof(1_000_000)).rejects.toMatchObject({ code: 'log_shorter' })
  })
})

describe.skipIf(lacks("Python's cryptography"))(
  "the Python client proves the same (needs Python's cryptography)",
  () => {
    const call = async <T>(name: string, more: object): Promise<T> => {
      const answer = await callPython<T>({ call: name, options: { url: api.url, api_key: api.key }, ...more })
      if (answer.error) throw new Error(answer.error.message)
      return answer.result!
    }

    it('of a row, a page and a log that goes on', async () => {
      const [row] = rows as [PriceRow]
      const proof = await call<{ checkpoint: string; leafIndex: number }>('row_proof', {
        query: { content_hash: row.contentHash },
      })
      const publishedAt = verifyRow(row, await client.rowProof(row.contentHash), key).publishedAt
      expect(await call('verify_row', { given: [row, proof, key] })).toBe(publishedAt)
      const page = await call('page_proof', { query: { rows } })
      expect(Object.keys(await call<object>('verify_page', { given: [rows, page, key] }))).toHaveLength(rows.length)
      const later = await call('consistency_proof', { query: { from_size: proof.leafIndex } })
      expect(later).toEqual(await client.consistencyProof(proof.leafIndex))
      expect((await call<{ origin: string }>('log_keys', {})).origin).toBe('log.test/prices')
    })
  },
)
