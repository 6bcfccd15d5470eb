import { describe, expect, it } from 'vitest'
import { REPLACED } from '../../src/terms/schema.ts'
import * as read from '../../src/terms/store/document-store.ts'
import * as quarantine from '../../src/terms/store/quarantine-store.ts'
import * as write from '../../src/terms/store/version-store.ts'
import { testDatabase } from '../support/database.ts'
import { addDocuments, addVersion, at, inTransaction, START } from './document-rows.ts'

const db = testDatabase({ each: true })

describe('what is read of documents', () => {
  it('lists them by provider and name, with the text in force and what waits, now and at an instant', async () => {
    await addDocuments(db.sql)
    const first = await addVersion(db.sql, 'one-terms', 'a', { hour: 1, effectiveDate: '2026-01-02' })
    const second = await addVersion(db.sql, 'one-terms', 'b', { hour: 5 })
    await addVersion(db.sql, 'one-terms', 'c', { hour: 6, status: 'held' })
    const other = await addVersion(db.sql, 'two-terms', 'd', { hour: 3 })
    await addVersion(db.sql, 'two-privacy', 'e', { hour: 4, status: 'candidate' })
    const all = await read.documentSummaries(db.sql, {})
    expect(all.map(({ source, versions, versionId, waiting }) => [source, versions, versionId, waiting])).toEqual([
      ['one-abuse', 0, null, null],
      ['one-privacy', 0, null, null],
      ['one-terms', 2, second, 'held'],
      ['two-privacy', 0, null, 'candidate'],
      ['two-terms', 1, other, null],
    ])
    const earlier = await read.documentSummaries(db.sql, { provider: 'one', asOf: at(1) })
    expect(earlier.map(({ source, versions, versionId }) => [source, versions, versionId])).toEqual([
      ['one-abuse', 0, null],
      ['one-privacy', 0, null],
      ['one-terms', 1, first],
    ])
    expect(earlier[2]).toMatchObject({ recordedAt: at(1), effectiveDate: '2026-01-02', title: 'terms of one' })
    expect(await read.listDocuments(db.sql, 'one')).toEqual([
      { doc: 'abuse', url: 'https://legal.example/abuse', title: 'abuse of one', source: 'one-abuse' },
      { doc: 'privacy', url: 'https://one.example/privacy', title: 'privacy of one', source: 'one-privacy' },
      {
        ...{ doc: 'terms', url: 'https://one.example/terms', title: 'terms of one', source: 'one-terms' },
        updatedAt: at(5),
      },
    ])
    expect(await read.sourceOfDocument(db.sql, 'two', 'privacy')).toBe('two-privacy')
    expect(await read.documentOf(db.sql, 'two-terms')).toEqual({
      ...{ provider: 'two', document: 'terms', title: 'terms of two', url: 'https://one.example/two' },
    })
  })

  it('has of a version what is known of it, and nothing in place of what is not', async () => {
    await addDocuments(db.sql)
    const open = await addVersion(db.sql, 'one-terms', 'a', { hour: 1, status: 'candidate' })
    const dates = { effectiveDate: '2026-01-02', updatedDate: '2026-01-01' }
    const inForce = await addVersion(db.sql, 'two-terms', 'b', { hour: 2, reasons: ['why'], ...dates })
    const { snapshotHash, ...candidate } = (await read.versionById(db.sql, open))!
    expect(candidate).toStrictEqual({
      ...{ versionId: open, source: 'one-terms', status: 'candidate', firstSeenAt: at(1), recordedAt: undefined },
      ...{ extractor: 'x1', markdown: 'a', textHash: 'a!', normalHash: 'a', effectiveDate: undefined },
      ...{ updatedDate: undefined, classification: undefined, reasons: [] },
    })
    expect(await read.versionById(db.sql, inForce)).toMatchObject({ recordedAt: at(2), reasons: ['why'], ...dates })
    expect(await write.storedSnapshot(db.sql, snapshotHash)).toStrictEqual({
      ...{ bytes: expect.any(Buffer), contentType: undefined },
    })
    expect(await write.storedSnapshot(db.sql, 'none')).toBeUndefined()
  })

  it('lists versions, the newest first: those in force, or all', async () => {
    await addDocuments(db.sql)
    const [a, b] = [
      await addVersion(db.sql, 'one-terms', 'a', { hour: 1 }),
      await addVersion(db.sql, 'one-terms', 'b', { hour: 5 }),
    ]
    const gone = await addVersion(db.sql, 'one-terms', 'c', { hour: 3, status: 'candidate' })
    await addVersion(db.sql, 'one-privacy', 'd', { hour: 2 })
    await addVersion(db.sql, 'two-terms', 'e', { hour: 2 })
    const listed = async (options = {}) =>
      (await read.documentVersions(db.sql, 'one', 'terms', options)).map(({ versionId }) => versionId)
    expect(await listed()).toEqual([b, a])
    expect(await listed({ all: true })).toEqual([b, gone, a])
    expect(await listed({ limit: 1 })).toEqual([b])
    const same = await addVersion(db.sql, 'one-terms', 'f', { hour: 1 })
    expect(await listed()).toEqual([b, same, a])
  })

  it('knows of a document which text is in force, which is open, and what subscribers know', async () => {
    await addDocuments(db.sql)
    const a = await addVersion(db.sql, 'one-terms', 'a', { hour: 1 })
    const b = await addVersion(db.sql, 'one-terms', 'b', { hour: 2, previousVersion: a })
    const c = await addVersion(db.sql, 'one-terms', 'a', { hour: 3, previousVersion: b, returnsTo: a })
    const held = await addVersion(db.sql, 'one-terms', 'd', { hour: 4, status: 'held', reasons: ['size'] })
    const early = await addVersion(db.sql, 'one-terms', 'z', { hour: 0, previousVersion: b })
    const quiet = await addVersion(db.sql, 'one-terms', 'a', { hour: 2.5, previousVersion: b, returnsTo: a })
    await addVersion(db.sql, 'two-terms', 'e', { hour: 5 })
    await addVersion(db.sql, 'two-privacy', 'f', { hour: 6, status: 'candidate' })
    await db.sql`update document_version set event_id = 'e' where version_id in (${c}, ${early})`
    const state = await read.documentState(db.sql, 'one-terms')
    expect(state.known.map(({ versionId, announced }) => [versionId, announced])).toEqual([
      [early, true],
      [a, true],
      [b, false],
      [quiet, false],
      [c, true],
      [held, false],
    ])
    expect([state.current?.versionId, state.open?.versionId, state.returnsPublished]).toEqual([c, held, 1])
    expect(state.open).toMatchObject({ heldAt: at(4), firstSeenAt: at(4), reasons: ['size'] })
  })

  it('lists what is held, the longest waiting first, with the text in force, by id and by provider', async () => {
    await addDocuments(db.sql)
    await addVersion(db.sql, 'one-terms', 'a', { hour: 1 })
    const current = await addVersion(db.sql, 'one-terms', 'b', { hour: 2 })
    const late = await addVersion(db.sql, 'one-terms', 'c', { hour: 9, status: 'held' })
    const early = await addVersion(db.sql, 'two-terms', 'd', { hour: 8, status: 'held' })
    await addVersion(db.sql, 'two-privacy', 'e', { hour: 3, status: 'candidate' })
    const ids = async (...[limit, filter]: [number, { id?: string; provider?: string }?]) =>
      (await read.heldVersions(db.sql, limit, filter)).map(({ versionId }) => versionId)
    expect(await ids(9)).toEqual([early, late])
    expect(await ids(1)).toEqual([early])
    expect(await ids(9, { id: late })).toEqual([late])
    expect(await ids(9, { provider: 'one' })).toEqual([late])
    const [, held] = await read.heldVersions(db.sql, 9)
    expect(held).toMatchObject({ provider: 'one', currentVersion: current, currentHash: 'b!', textHash: 'c!' })
    expect(await read.heldVersions(db.sql, 1)).toMatchObject([{ currentVersion: null, source: 'two-terms' }])
  })

  it('says how what was held was decided', async () => {
    await addDocuments(db.sql)
    const decided = async (source: string, change: Parameters<typeof write.recordReview>[2] | undefined) => {
      const id = await addVersion(db.sql, source, source, { hour: 1, status: 'held' })
      expect(await read.decidedVersion(db.sql, id)).toBeUndefined()
      if (change) await inTransaction(db.sql, (tx) => write.recordReview(tx, id, change, at(7)))
      if (change?.status === undefined) await inTransaction(db.sql, (tx) => write.expire(tx, id, REPLACED))
      return read.decidedVersion(db.sql, id)
    }
    const by = { by: 'ada@example.com', note: 'read it' }
    const person = { decidedAt: at(7), decidedBy: by.by, reason: by.note }
    expect(await decided('one-terms', { ...by, status: 'rejected' })).toEqual({ decision: 'rejected', ...person })
    expect(await decided('one-privacy', by)).toEqual({ decision: 'approved', ...person })
    expect(await decided('one-abuse', undefined)).toEqual({
      ...{ decision: 'superseded', decidedAt: at(1), decidedBy: null, reason: null },
    })
    expect(await read.decidedVersion(db.sql, await addVersion(db.sql, 'two-terms', 'x', { hour: 1 }))).toBeUndefined()
  })

  it('knows how the newest texts of the same site begin, not of other hosts, providers or rejected ones', async () => {
    await addDocuments(db.sql)
    for (const [n, text] of ['v1', 'v2', 'v3', 'v4'].entries())
      await addVersion(db.sql, 'one-privacy', text, { hour: n })
    const rejected = await addVersion(db.sql, 'one-privacy', 'v5', { hour: 9, status: 'held' })
    const review = { status: 'rejected' as const, by: 'ada', note: 'n' }
    await inTransaction(db.sql, (tx) => write.recordReview(tx, rejected, review, at(10)))
    for (const other of ['one-terms', 'one-abuse', 'two-terms']) await addVersion(db.sql, other, other, { hour: 1 })
    expect((await read.beginningsOfSite(db.sql, 'one-terms')).sort()).toEqual(['v2', 'v3', 'v4'])
  })

  it('finds documents by their title, the shortest first', async () => {
    await addDocuments(db.sql)
    const found = async (text: string, limit = 9) =>
      (await read.findDocuments(db.sql, text, limit)).map(({ provider, document }) => `${provider} ${document}`)
    expect(await found('OF ONE')).toEqual(['one abuse', 'one terms', 'one privacy'])
    expect(await found('terms')).toEqual(['one terms', 'two terms'])
    expect(await found('o', 1)).toEqual(['one abuse'])
  })
})

describe('a text that is not a document', () => {
  it('is kept and forgotten for its own document', async () => {
    await addDocuments(db.sql)
    const begin = (source: string, hour: number, reason = 'login form') =>
      quarantine.beginQuarantine(db.sql, source, { normalHash: `h${hour}`, reason, since: at(hour) })
    await begin('one-terms', 1)
    await begin('two-terms', 2)
    await begin('one-terms', 3, 'captcha')
    expect(await quarantine.quarantineOf(db.sql, 'one-terms')).toEqual({
      ...{ normalHash: 'h3', reason: 'captcha', since: at(3) },
    })
    await quarantine.endQuarantine(db.sql, 'one-terms')
    expect(await quarantine.quarantineOf(db.sql, 'one-terms')).toBeUndefined()
    expect(await quarantine.quarantineOf(db.sql, 'two-terms')).toMatchObject({ normalHash: 'h2' })
  })

  it('is another page when another address shows it, or showed it', async () => {
    await addDocuments(db.sql)
    const isShown = (normalHash: string, source = 'one-terms', url = 'https://one.example/terms') =>
      quarantine.isShownElsewhere(db.sql, { source, url, normalHash })
    await addVersion(db.sql, 'one-terms', 'own', { hour: 1 })
    await addVersion(db.sql, 'two-privacy', 'theirs', { hour: 1 })
    await quarantine.beginQuarantine(db.sql, 'one-terms', { normalHash: 'mine', reason: 'r', since: START })
    await quarantine.beginQuarantine(db.sql, 'two-terms', { normalHash: 'login', reason: 'r', since: START })
    expect(await Promise.all(['own', 'theirs', 'mine', 'login', 'new'].map((text) => isShown(text)))).toEqual([
      ...[false, true, false, true, false],
    ])
    expect(await isShown('theirs', 'one-terms', 'https://two.example/privacy')).toBe(false)
    expect(await isShown('own', 'one-terms', 'https://one.example/moved')).toBe(false)
  })

  it('is a sibling’s when the site shows it elsewhere, and both never had a text in common', async () => {
    await addDocuments(db.sql)
    const isSiblings = (normalHash: string) => quarantine.isShownBySibling(db.sql, 'one-terms', normalHash)
    await addVersion(db.sql, 'one-terms', 'own', { hour: 1 })
    await addVersion(db.sql, 'one-privacy', 'sibling', { hour: 1 })
    await addVersion(db.sql, 'one-abuse', 'other host', { hour: 1 })
    await addVersion(db.sql, 'two-terms', 'other provider', { hour: 1 })
    const rejected = await addVersion(db.sql, 'one-privacy', 'rejected', { hour: 2, status: 'held' })
    await inTransaction(db.sql, (tx) =>
      write.recordReview(tx, rejected, { status: 'rejected', by: 'a', note: 'n' }, at(3)),
    )
    await quarantine.beginQuarantine(db.sql, 'one-privacy', { normalHash: 'login', reason: 'r', since: START })
    const found: Record<string, boolean> = {}
    for (const text of ['own', 'sibling', 'other host', 'other provider', 'rejected', 'login'])
      found[text] = await isSiblings(text)
    expect(found).toEqual({
      ...{ own: false, sibling: true, 'other host': false, 'other provider': false, rejected: false, login: true },
    })
    await addVersion(db.sql, 'one-privacy', 'common', { hour: 4 })
    await addVersion(db.sql, 'one-terms', 'common', { hour: 5, status: 'candidate' })
    await addVersion(db.sql, 'one-terms', 'waits', { hour: 5 })
    await addVersion(db.sql, 'one-privacy', 'waits', { hour: 5, status: 'candidate' })
    expect(await isSiblings('sibling')).toBe(true)
    await addVersion(db.sql, 'one-terms', 'sibling', { hour: 6 })
    expect([await isSiblings('sibling'), await isSiblings('login')]).toEqual([false, false])
  })

  it('is not a sibling’s where only the document itself shows it, which has no text in force', async () => {
    await addDocuments(db.sql)
    await quarantine.beginQuarantine(db.sql, 'one-terms', { normalHash: 'login', reason: 'r', since: START })
    await addVersion(db.sql, 'one-terms', 'waits', { hour: 1, status: 'candidate' })
    expect(await quarantine.isShownBySibling(db.sql, 'one-terms', 'login')).toBe(false)
    expect(await quarantine.isShownBySibling(db.sql, 'one-terms', 'waits')).toBe(false)
    expect(await quarantine.isShownBySibling(db.sql, 'one-privacy', 'login')).toBe(true)
  })
})
