import { describe, expect, it } from 'vitest'
import { versionDifference } from '../../src/terms/compare/compare-versions.ts'
import { approveVersion, rejectVersion } from '../../src/terms/review/review-version.ts'
import { documentVersions, heldVersions } from '../../src/terms/store/document-store.ts'
import { testDatabase } from '../support/database.ts'
import { declareDocument, eventsOf, fetches } from './pages.ts'
import { replaceIn, sentences, TERMS } from './texts.ts'

describe('a held text', () => {
  const db = testDatabase()
  const large = `${TERMS}\n\n${sentences(90, 'rule')}`

  const hold = async (name: string, from: number) => {
    const at = fetches(db.sql, await declareDocument(db.sql, name))
    await at(from, TERMS)
    await at(from + 6, large)
    const report = await at(from + 31, large)
    return { at, versionId: report.versionId! }
  }

  it('is told when a person approves it, who and why is kept', async () => {
    const { versionId } = await hold('approved', 0)
    const report = await approveVersion(db.sql, { versionId, by: 'ada@example.com', note: 'the annex was added' })
    expect(report).toMatchObject({ outcome: 'published', classification: 'substantive' })
    expect(await eventsOf(db.sql, 'approved')).toHaveLength(1)
    const [version] = await documentVersions(db.sql, 'example', 'approved')
    expect(version).toMatchObject({ versionId, reviewedBy: 'ada@example.com', reviewNote: 'the annex was added' })
    expect(version!.reviewedAt).toBe(version!.recordedAt)
  })

  it('is never told when a person rejects it, and not held again', async () => {
    const db2 = await hold('rejected', 20_000_000)
    await rejectVersion(db.sql, {
      versionId: db2.versionId,
      by: 'ada@example.com',
      note: 'the annex of another document',
    })
    expect(await db2.at(20_000_040, large)).toEqual({ outcome: 'unchanged', reason: 'rejected before' })
    expect(await db2.at(20_000_500, large)).toMatchObject({ reason: 'rejected before' })
    expect(await eventsOf(db.sql, 'rejected')).toEqual([])
    expect(await heldVersions(db.sql)).toEqual([])
  })

  it('cannot be decided twice, nor when it is gone from the page', async () => {
    const { at, versionId } = await hold('gone', 30_000_000)
    await at(30_000_040, TERMS)
    const review = { versionId, by: 'ada@example.com', note: '' }
    await expect(approveVersion(db.sql, review)).rejects.toMatchObject({ code: 'invalid_body' })
    await expect(rejectVersion(db.sql, review)).rejects.toMatchObject({ code: 'invalid_body' })
    const unknown = { ...review, versionId: '01900000-0000-7000-8000-000000000000' }
    await expect(approveVersion(db.sql, unknown)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('can be read beside the text in force', async () => {
    const at = fetches(db.sql, await declareDocument(db.sql, 'side'))
    const first = await at(40_000_000, TERMS)
    await at(40_000_006, replaceIn(TERMS, '30 days', '14 days'))
    const second = await at(40_000_031, replaceIn(TERMS, '30 days', '14 days'))
    const difference = await versionDifference(db.sql, first.versionId!, second.versionId!)
    expect(difference).toMatchObject({ classification: 'minor', wordsAdded: 1, wordsRemoved: 1, truncated: false })
    expect(difference.document).toEqual({
      doc: 'side',
      provider: 'example',
      title: 'Terms of Service',
      url: expect.any(String),
    })
    expect(difference.rows.filter((row) => row.kind === 'changed')).toHaveLength(1)
    const other = (await documentVersions(db.sql, 'example', 'approved'))[0]!
    await expect(versionDifference(db.sql, first.versionId!, other.versionId)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
