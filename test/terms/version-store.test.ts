import { describe, expect, it } from 'vitest'
import { REPLACED } from '../../src/terms/schema.ts'
import * as read from '../../src/terms/store/document-store.ts'
import * as write from '../../src/terms/store/version-store.ts'
import { testDatabase } from '../support/database.ts'
import { addDocuments, addVersion, at, inTransaction, rowsOf, START } from './document-rows.ts'

const db = testDatabase({ each: true })

describe('what is written of a version', () => {
  /** What each writer does to an open version; another document has one too, and stays as it was. */
  const OPEN: [string, (id: string, source: string) => Promise<unknown>, object][] = [
    [
      'seeing it again',
      (id) => inTransaction(db.sql, (tx) => write.seeAgain(tx, id, at(9))),
      { last_seen_at: at(9), fetches: 2 },
    ],
    [
      'ending its source',
      (_, source) => write.expireOpen(db.sql, source, 'ended'),
      { status: 'expired', reasons: ['ended'] },
    ],
    [
      'its expiry',
      (id) => inTransaction(db.sql, (tx) => write.expire(tx, id, 'gone')),
      { status: 'expired', reasons: ['gone'] },
    ],
    [
      'a review',
      (id) => inTransaction(db.sql, (tx) => write.recordReview(tx, id, { by: 'ada', note: 'read' }, at(9))),
      { status: 'candidate', reviewed_by: 'ada', reviewed_at: at(9), review_note: 'read' },
    ],
    [
      'its publication',
      (id) =>
        inTransaction(db.sql, (tx) => write.putInForce(tx, id, at(9), { classification: 'minor', reasons: ['small'] })),
      { status: 'published', recorded_at: at(9), classification: 'minor', reasons: ['small'] },
    ],
    [
      'its publication as cosmetic',
      (id) => inTransaction(db.sql, (tx) => write.putInForce(tx, id, at(9), { classification: 'cosmetic' })),
      { status: 'cosmetic', recorded_at: at(9) },
    ],
    [
      'another extractor',
      (id) =>
        inTransaction(db.sql, (tx) =>
          write.rederive(tx, id, { extractor: 'x2', markdown: 'm', textHash: 't', normalHash: 'n' }),
        ),
      { extractor: 'x2', markdown: 'm', text_hash: 't', normal_hash: 'n', status: 'candidate' },
    ],
  ]

  it.each(OPEN)('%s changes it alone', async (_, work, expected) => {
    await addDocuments(db.sql)
    const before = await addVersion(db.sql, 'one-terms', 'a', { hour: 1 })
    const id = await addVersion(db.sql, 'one-terms', 'b', { hour: 2, status: 'candidate' })
    await addVersion(db.sql, 'two-terms', 'c', { hour: 2, status: 'candidate' })
    const [others, inForce] = [await rowsOf(db.sql, 'two-terms'), await read.versionById(db.sql, before)]
    await work(id, 'one-terms')
    const [row] = await db.sql`select * from document_version where version_id = ${id}`
    expect(row).toMatchObject(expected)
    expect([await rowsOf(db.sql, 'two-terms'), await read.versionById(db.sql, before)]).toEqual([others, inForce])
  })

  it('is held, for the newest reason, and ends only while it is open', async () => {
    await addDocuments(db.sql)
    const current = await addVersion(db.sql, 'one-terms', 'a', { hour: 1 })
    const id = await addVersion(db.sql, 'one-terms', 'b', { hour: 2, status: 'candidate' })
    await addVersion(db.sql, 'two-terms', 'c', { hour: 2, status: 'candidate' })
    const others = await rowsOf(db.sql, 'two-terms')
    const hold = (version: string, reason: string, hour: number) =>
      inTransaction(db.sql, (tx) => write.hold(tx, version, [reason], current, at(hour)))
    await hold(id, 'size', 3)
    await hold(id, 'other', 4)
    await hold(current, 'other', 4)
    for (const version of [current]) await inTransaction(db.sql, (tx) => write.expire(tx, version, 'gone'))
    expect(
      await db.sql`
      select status, held_at, reasons, previous_version from document_version where source = 'one-terms' order by first_seen_at`,
    ).toEqual([
      { status: 'published', held_at: null, reasons: [], previous_version: null },
      { status: 'held', held_at: at(4), reasons: ['other'], previous_version: current },
    ])
    expect(await rowsOf(db.sql, 'two-terms')).toEqual(others)
  })

  it.each(['candidate', 'held'] as const)('ends with its source while it is a %s', async (status) => {
    await addDocuments(db.sql)
    const id = await addVersion(db.sql, 'one-terms', 'b', { hour: 2, status, reasons: ['size'] })
    await write.expireOpen(db.sql, 'one-terms', 'ended')
    expect(await read.versionById(db.sql, id)).toMatchObject({ status: 'expired', reasons: ['size', 'ended'] })
    await write.expireOpen(db.sql, 'one-terms', 'ended again')
    expect(await read.versionById(db.sql, id)).toMatchObject({ reasons: ['size', 'ended'] })
  })

  it('is put in force once, or again when it was replaced before', async () => {
    await addDocuments(db.sql)
    const put = (id: string) => inTransaction(db.sql, (tx) => write.putInForce(tx, id, at(9), {}))
    const published = await addVersion(db.sql, 'one-terms', 'a', { hour: 1 })
    expect(await put(published)).toBe(false)
    for (const [source, reason, expected] of [
      ['one-privacy', REPLACED, true],
      ['one-abuse', 'gone again', false],
    ] as const) {
      const id = await addVersion(db.sql, source, 'b', { hour: 2, status: 'candidate', reasons: ['size'] })
      await inTransaction(db.sql, (tx) => write.expire(tx, id, reason))
      expect(await put(id)).toBe(expected)
      expect(await read.versionById(db.sql, id)).toMatchObject({
        status: expected ? 'published' : 'expired',
        reasons: expected ? ['size'] : ['size', reason],
      })
    }
  })

  it('is derived again, the newest first, where another extractor read it', async () => {
    await addDocuments(db.sql)
    await addVersion(db.sql, 'one-terms', 'a', { hour: 1 })
    await addVersion(db.sql, 'one-terms', 'b', { hour: 3, extractor: 'x2' })
    for (const [text, hour] of [
      ['d', 5],
      ['c', 2],
    ] as const)
      await addVersion(db.sql, 'one-terms', text, { hour })
    await addVersion(db.sql, 'one-terms', 'open', { hour: 4, status: 'candidate' })
    await addVersion(db.sql, 'two-terms', 'e', { hour: 6 })
    const texts = async (extractor: string, limit: number) =>
      (await write.versionsToRederive(db.sql, 'one-terms', extractor, limit)).map(({ markdown }) => markdown)
    expect(await texts('x2', 9)).toEqual(['d', 'open', 'c', 'a'])
    expect(await texts('x2', 2)).toEqual(['d', 'open'])
    expect(await texts('x1', 9)).toEqual(['b'])
  })

  it('says of a document what is declared, and when any of it changed', async () => {
    await addDocuments(db.sql)
    const declared = { provider: 'one', document: 'rules', title: 'Rules', url: 'https://one.example/rules' }
    const save = ({ url, ...options }: typeof declared, hour: number) =>
      inTransaction(db.sql, (tx) => write.saveDocument(tx, 'one-terms', options as never, url, at(hour)))
    const saved = async (source: string) => (await db.sql`select * from document where source = ${source}`)[0]
    await save(declared, 4)
    await save(declared, 5)
    expect(await saved('one-terms')).toMatchObject({ ...declared, updated_at: at(4) })
    let last = declared
    const changes = { provider: 'two', document: 'use', title: 'Use', url: 'https://one.example/use' }
    for (const [n, change] of Object.entries(changes).entries()) {
      last = { ...last, [change[0]]: change[1] }
      await save(last, 6 + n)
      expect(await saved('one-terms')).toMatchObject({ ...last, updated_at: at(6 + n) })
    }
    expect(await saved('two-terms')).toMatchObject({ document: 'terms', updated_at: START })
  })
})
