import { describe, expect, it } from 'vitest'
import { compareVersions, compareWithCurrent } from '../../src/terms/read/compare-versions.ts'
import { findChange } from '../../src/terms/read/find-change.ts'
import { listDocuments, listVersions } from '../../src/terms/read/list-documents.ts'
import { listSuppressed } from '../../src/terms/read/list-suppressed.ts'
import { readCurrentVersion, readVersion } from '../../src/terms/read/read-version.ts'
import { GONE_AGAIN } from '../../src/terms/schema.ts'
import { expire } from '../../src/terms/store/version-store.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'
import { addDocuments, addSilentVersions, addVersion, at as hour, inTransaction } from './document-rows.ts'
import { declareDocument, fetches } from './ingest/pages.ts'
import { replaceIn, TERMS } from './texts.ts'

describe('the versions of a document', () => {
  const db = testDatabase({ each: true })
  const changed = replaceIn(TERMS, '30 days notice', '14 days notice')

  const publish = async () => {
    const at = fetches(db.sql, await declareDocument(db.sql, 'terms'))
    const first = await at(0, TERMS)
    await at(6, changed)
    const second = await at(31, changed)
    await at(40, replaceIn(changed, '16 years', '18 years'))
    return [first.versionId!, second.versionId!] as const
  }

  it('are listed, the newest first, with the document and what waits', async () => {
    const [first, second] = await publish()
    expect(await listDocuments(db.sql)).toMatchObject([
      { provider: 'example', document: 'terms', versions: 2, versionId: second, waiting: 'candidate' },
    ])
    expect(await listDocuments(db.sql, { provider: 'nobody' })).toEqual([])
    const name = { provider: 'example', document: 'terms' }
    expect((await listVersions(db.sql, name)).map(({ versionId }) => versionId)).toEqual([second, first])
    expect(await listVersions(db.sql, name, { all: true })).toHaveLength(3)
  })

  it('can be read as text, each of them and the one in force', async () => {
    const [first, second] = await publish()
    expect(await readVersion(db.sql, first)).toMatchObject({
      markdown: TERMS.trim(),
      document: 'terms',
      title: 'Terms of Service',
    })
    expect(await readCurrentVersion(db.sql, { provider: 'example', document: 'terms' })).toMatchObject({
      versionId: second,
      markdown: changed.trim(),
    })
    await expect(readCurrentVersion(db.sql, { provider: 'example', document: 'none' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('can be compared: with the heading, the clause and the topics of each change', async () => {
    const [first, second] = await publish()
    const { difference } = await compareVersions({ sql: db.sql, isolation }, first, second)
    expect(difference.changes).toEqual([
      { section: 'Payment', clause: '3', topics: ['price', 'dates'], wordsRemoved: 1, wordsAdded: 1 },
    ])
    expect(difference.diff).toMatch(/^\+.*14 days notice/m)
  })

  it('are listed apart when they went before they were confirmed', async () => {
    const at = fetches(db.sql, await declareDocument(db.sql, 'terms'))
    await at(0, TERMS)
    await at(6, changed)
    await at(12, TERMS)
    const suppressed = await listSuppressed(db.sql, { provider: 'example', document: 'terms' })
    expect(suppressed).toMatchObject([{ status: 'expired', reasons: ['gone again'] }])
  })

  it('that are compared are the last change, also until an instant', async () => {
    await addDocuments(db.sql)
    const name = { provider: 'one', document: 'terms' }
    const first = await addVersion(db.sql, 'one-terms', 'a', { hour: 1 })
    const second = await addVersion(db.sql, 'one-terms', 'b', { hour: 5, previousVersion: first })
    await addVersion(db.sql, 'one-terms', 'c', { hour: 6, status: 'candidate' })
    const chosen = async (wanted: Parameters<typeof findChange>[2]) => {
      const { before, after, versions, document } = await findChange(db.sql, name, wanted)
      expect(document).toMatchObject({ title: 'terms of one' })
      return [before?.versionId, after.versionId, versions.length]
    }
    expect(await chosen({})).toEqual([first, second, 2])
    expect(await chosen({ asOf: hour(5) })).toEqual([first, second, 2])
    expect(await chosen({ asOf: hour(4) })).toEqual([undefined, first, 1])
    for (const [provider, wanted] of [
      ['none', {}],
      ['two', {}],
      ['one', { to: first.replace(/.$/, (end) => (end === '0' ? '1' : '0')) }],
    ] as const)
      await expect(findChange(db.sql, { provider, document: 'terms' }, wanted)).rejects.toMatchObject({
        code: 'not_found',
      })
  })

  it('are all chosen from, and all that made no event are listed, also where they are hundreds', async () => {
    await addDocuments(db.sql)
    const name = { provider: 'one', document: 'terms' }
    const first = await addVersion(db.sql, 'one-terms', 'a', { hour: 1 })
    await addSilentVersions(db.sql, first, 250)
    const { versions, after } = await findChange(db.sql, name, { to: first })
    expect([versions.length, after.versionId]).toEqual([251, first])
    expect(await listSuppressed(db.sql, name)).toHaveLength(250)
    expect(await listVersions(db.sql, name)).toHaveLength(200)
  })

  it('that wait are compared with the text in force, where there is one', async () => {
    await addDocuments(db.sql)
    const open = await addVersion(db.sql, 'one-terms', 'New terms.', { hour: 2, status: 'held' })
    const tools = { sql: db.sql, isolation }
    expect(await compareWithCurrent(tools, open)).toBeUndefined()
    const unknown = '01900000-0000-7000-8000-000000000000'
    for (const ask of [() => compareWithCurrent(tools, unknown), () => readVersion(db.sql, unknown)])
      await expect(ask()).rejects.toMatchObject({ code: 'not_found' })
    await expect(readCurrentVersion(db.sql, { provider: 'one', document: 'terms' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('that made no event are those in another layout and those that were gone', async () => {
    await addDocuments(db.sql)
    await addVersion(db.sql, 'one-terms', 'a', { hour: 1 })
    await addVersion(db.sql, 'one-terms', 'b', { hour: 2, status: 'cosmetic', reasons: ['why'] })
    const gone = await addVersion(db.sql, 'one-terms', 'c', { hour: 3, status: 'held' })
    await inTransaction(db.sql, (tx) => expire(tx, gone, GONE_AGAIN))
    await addVersion(db.sql, 'one-terms', 'd', { hour: 4, status: 'candidate' })
    await db.sql`update document_version set first_seen_at = ${hour(0)} where status = 'cosmetic'`
    expect(await listSuppressed(db.sql, { provider: 'one', document: 'terms' })).toEqual([
      { at: hour(3), status: 'expired', reasons: ['gone again'] },
      { at: hour(2), status: 'cosmetic', reasons: ['why'] },
    ])
  })
})
