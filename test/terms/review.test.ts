import { describe, expect, it } from 'vitest'
import { describeHeldVersion } from '../../src/cli/sources/held-version.ts'
import { compareVersions, compareWithCurrent } from '../../src/terms/read/compare-versions.ts'
import { readVersion } from '../../src/terms/read/read-version.ts'
import { approveVersion } from '../../src/terms/review/approve-version.ts'
import { listHeldVersions } from '../../src/terms/review/list-held-versions.ts'
import { rejectVersion } from '../../src/terms/review/reject-version.ts'
import { documentVersions } from '../../src/terms/store/document-store.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'
import { declareDocument, eventsOf, fetches } from './ingest/pages.ts'
import { replaceIn, sentences, TERMS } from './texts.ts'

describe('a held text', () => {
  const db = testDatabase({ each: true })
  const tools = () => ({ sql: db.sql, isolation })
  const large = sentences(90, 'rule')

  /** Hours of this test's own: history is recorded in order, and a review is recorded as of now. */
  let hours = 300_000
  const laterHours = () => {
    hours += 10_000
    return hours
  }

  const hold = async (name: string) => {
    const from = laterHours()
    const at = fetches(db.sql, await declareDocument(db.sql, name))
    await at(from, TERMS)
    await at(from + 6, large)
    const report = await at(from + 31, large)
    return { at, from, versionId: report.versionId! }
  }

  it('is published when a person approves it, and who and why is kept', async () => {
    const { versionId } = await hold('approved')
    const review = { versionId, by: 'ada@example.com', note: 'the annex was added' }
    const report = await approveVersion(tools(), { ...review, pagesUrl: 'https://pricetape.example' })
    expect(report).toMatchObject({ outcome: 'published', classification: 'substantive' })
    const [version, before] = await documentVersions(db.sql, 'example', 'approved')
    const path = `/documents/example/approved?from=${before!.versionId}&to=${versionId}`
    expect(await eventsOf(db.sql, 'approved')).toMatchObject([{ differenceUrl: `https://pricetape.example${path}` }])
    expect(version).toMatchObject({ versionId, reviewedBy: 'ada@example.com', reviewNote: 'the annex was added' })
    expect(version!.reviewedAt).toBe(version!.recordedAt)
  })

  it('is never published when a person rejects it, and not held again', async () => {
    const held = await hold('rejected')
    await rejectVersion(db.sql, {
      versionId: held.versionId,
      by: 'ada@example.com',
      note: 'the annex of another document',
    })
    expect(await held.at(held.from + 40, large)).toEqual({ outcome: 'unchanged', reason: 'rejected before' })
    expect(await held.at(held.from + 500, large)).toMatchObject({ reason: 'rejected before' })
    expect(await eventsOf(db.sql, 'rejected')).toEqual([])
    expect(await listHeldVersions(db.sql)).not.toContainEqual(expect.objectContaining({ document: 'rejected' }))
  })

  it('is found by its id, however many are held longer', async () => {
    await hold('first')
    const { versionId } = await hold('second')
    expect(await listHeldVersions(db.sql, { id: versionId }, 1)).toMatchObject([{ document: 'second' }])
    expect(await listHeldVersions(db.sql, { provider: 'nobody' })).toEqual([])
    expect(await listHeldVersions(db.sql)).toHaveLength(2)
  })

  it('is shown as its difference from the text in force', async () => {
    const { versionId } = await hold('shown')
    const held = await compareWithCurrent(tools(), versionId)
    expect(held).toMatchObject({ after: { versionId, status: 'held' }, before: { status: 'published' } })
    const shown = describeHeldVersion(await readVersion(db.sql, versionId), held)
    expect(shown).toMatch(/^\+The rule number 0 is described here/m)
    expect(shown).toContain(`--- the whole text ---\n\n${large.slice(0, 100)}`)
    expect(shown).toMatch(/\d{2,3} words removed, \d{4} words added/)
  })

  it('cannot be decided twice, nor when it is gone from the page', async () => {
    const { at, from, versionId } = await hold('gone')
    await at(from + 40, TERMS)
    const review = { versionId, by: 'ada@example.com', note: '' }
    await expect(approveVersion(tools(), review)).rejects.toMatchObject({ code: 'invalid_body' })
    await expect(rejectVersion(db.sql, review)).rejects.toMatchObject({ code: 'invalid_body' })
    const unknown = { ...review, versionId: '01900000-0000-7000-8000-000000000000' }
    await expect(approveVersion(tools(), unknown)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('can be read beside the text in force', async () => {
    const at = fetches(db.sql, await declareDocument(db.sql, 'side'))
    const from = laterHours()
    const first = await at(from, TERMS)
    await at(from + 6, replaceIn(TERMS, '30 days', '14 days'))
    const second = await at(from + 31, replaceIn(TERMS, '30 days', '14 days'))
    const difference = await compareVersions(tools(), first.versionId!, second.versionId!)
    expect(difference).toMatchObject({
      classification: 'minor',
      difference: { wordsAdded: 1, wordsRemoved: 1, truncated: false },
      truncated: false,
    })
    expect(difference.document).toEqual({
      doc: 'side',
      provider: 'example',
      title: 'Terms of Service',
      url: expect.any(String),
    })
    expect(difference.rows.filter((row) => row.kind === 'changed')).toHaveLength(1)
    const other = await hold('other')
    const none = '01900000-0000-7000-8000-000000000000'
    for (const [from, to] of [
      [first.versionId!, other.versionId],
      [first.versionId!, none],
      [none, first.versionId!],
    ] as const)
      await expect(compareVersions(tools(), from, to)).rejects.toMatchObject({ code: 'not_found' })
  })
})
