import { describe, expect, it } from 'vitest'
import { compareVersions } from '../../src/terms/read/compare-versions.ts'
import { listDocuments, listVersions } from '../../src/terms/read/list-documents.ts'
import { listSuppressed } from '../../src/terms/read/list-suppressed.ts'
import { readCurrentVersion, readVersion } from '../../src/terms/read/read-version.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'
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
})
