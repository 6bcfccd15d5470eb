import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { historyAnswer } from '../../../src/api/schema.ts'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { recordGoodFetch } from '../../../src/catalog/snapshots/good-fetch-store.ts'
import { plus } from '../../../src/lib/instant.ts'
import { day, model } from '../../prices/observed.ts'
import { ownList, snapshot } from '../../prices/support.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

describe('who confirmed a price, in the price history', () => {
  const db = testDatabase()
  const api = testApi(db)
  const path = (query: string) => `/v1/prices/history?asOf=${day(2)}${query}`
  const BY_OWN = { agree: [{ source: 'own', rank: 'provider' }], disagree: [] }

  beforeAll(async () => {
    await snapshot(db.sql, 'own', model('m', 0.000001), { source: ownList('own'), at: plus(day(1), -1) })
    await publishing(db.sql, (tx, { at }) => recordGoodFetch(tx, 'own', at), day(1))
  })

  it('is there where it is asked for, and nowhere else', async () => {
    const plain = historyAnswer.parse((await api.get(path(''))).json)
    expect(plain.prices.map(({ confirmedAt, confirmedBy }) => [confirmedAt, confirmedBy])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
    const { prices } = historyAnswer.parse((await api.get(path('&include=confirmation'))).json)
    expect(prices).toEqual(plain.prices.map((row) => ({ ...row, confirmedAt: day(1), confirmedBy: BY_OWN })))
  })

  it('is on every page of a walk, and the cursor pins it', async () => {
    const first = historyAnswer.parse((await api.get(path('&include=confirmation&confirmed=provider&limit=1'))).json)
    const next = await api.get(`/v1/prices/history?cursor=${first.nextCursor}&limit=1`)
    const { prices, nextCursor } = historyAnswer.parse(next.json)
    expect(prices).toMatchObject([{ confirmedAt: day(1), confirmedBy: BY_OWN }])
    expect(nextCursor).toBeNull()
  })

  it('is in the columns of CSV and the lines of NDJSON', async () => {
    const csv = await api.get(path('&include=confirmation'), { accept: 'text/csv' })
    const [row] = parse(csv.text, { columns: true }) as Record<string, string>[]
    expect(row).toMatchObject({ confirmedAt: day(1), contradictedSince: '', confirmedBy: JSON.stringify(BY_OWN) })
    const plain = await api.get(path(''), { accept: 'text/csv' })
    expect(plain.text).not.toContain('confirmed')
    const lines = await api.get(path('&include=confirmation'), { accept: 'application/x-ndjson' })
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).confirmedAt),
    ).toEqual([day(1), day(1)])
  })

  it.each([
    ['&include=everything', 'include'],
    ['&include=', 'include'],
    ['&confirmed=nobody', 'confirmed'],
    ['&confirmed=provider&confirmed=independent', 'confirmed'],
    [`&include=confirmation&since=${day(1)}`, 'since'],
    [`&confirmed=provider&since=${day(1)}`, 'since'],
  ])('refuses %s', async (query, field) => {
    const { status, json } = await api.get(path(query))
    expect([status, json]).toMatchObject([400, { error: { code: 'invalid_query', field } }])
  })

  it('cannot be sent with a cursor', async () => {
    const { nextCursor } = historyAnswer.parse((await api.get(path('&limit=1'))).json)
    const { json } = await api.get(`/v1/prices/history?cursor=${nextCursor}&include=confirmation`)
    expect(json).toMatchObject({ error: { code: 'invalid_query', field: 'cursor' } })
  })
})
