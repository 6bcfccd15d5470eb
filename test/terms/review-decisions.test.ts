import { describe, expect, it } from 'vitest'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import type { Tx } from '../../src/lib/sql.ts'
import { approveVersion, wouldMakeEvent } from '../../src/terms/review/approve-version.ts'
import { rejectVersion } from '../../src/terms/review/reject-version.ts'
import { heldRevision } from '../../src/terms/review/revision-rules.ts'
import { GONE_AGAIN } from '../../src/terms/schema.ts'
import { heldVersions, versionById } from '../../src/terms/store/document-store.ts'
import { expire, recordReview } from '../../src/terms/store/version-store.ts'
import { testDatabase } from '../support/database.ts'
import { footprint } from '../support/footprint.ts'
import { isolation } from '../support/isolation.ts'
import { someoneWaits } from '../support/locks.ts'
import { expectGolden } from '../support/suite/goldens.ts'
import { addDocuments, addVersion } from './document-rows.ts'
import { replaceIn, SUBSTANTIVE, TERMS } from './texts.ts'

const BY = { by: 'ada@example.com', note: 'read it' }
const RULES = `${TERMS}\n\nWe organize the service by the rules of the house.`

describe('a decision about a held text', () => {
  const db = testDatabase({ each: true })
  const tools = () => ({ sql: db.sql, isolation })

  /** A document with this text in force, if any, and one that is held; another document has the same. */
  async function hold(inForce: string | undefined, text: string): Promise<{ current?: string; versionId: string }> {
    await addDocuments(db.sql)
    const held = { current: undefined as string | undefined, versionId: '' }
    for (const source of ['two-terms', 'one-terms']) {
      held.current = inForce === undefined ? undefined : await addVersion(db.sql, source, inForce, { hour: 1 })
      held.versionId = await addVersion(db.sql, source, text, { hour: 2, status: 'held' })
    }
    return held
  }

  it('changes its text, its event and its provider, and nothing else', async () => {
    const found: Record<string, string[]> = {}
    const first = await hold(undefined, TERMS)
    found['approving a first text'] = await footprint(db.sql, (sql) =>
      approveVersion({ sql, isolation }, { ...BY, versionId: first.versionId }),
    )
    found['rejecting a first text'] = await footprint(db.sql, (sql) =>
      rejectVersion(sql, { ...BY, versionId: first.versionId }),
    )
    await addVersion(db.sql, 'one-privacy', TERMS, { hour: 1 })
    for (const [name, text] of [
      ['a change', SUBSTANTIVE],
      ['another layout', replaceIn(TERMS, 'pricing page', '[pricing page](https://example.com/new)')],
    ] as const) {
      const versionId = await addVersion(db.sql, 'one-privacy', text, { hour: 2, status: 'held' })
      found[`approving ${name}`] = await footprint(db.sql, (sql) =>
        approveVersion({ sql, isolation }, { ...BY, versionId }),
      )
      await db.sql`delete from document_version where version_id = ${versionId}`
    }
    await expectGolden('footprints/held-texts', found)
  })

  it('of a first text makes it the one in force, and says who decided', async () => {
    const { versionId } = await hold(undefined, TERMS)
    expect(await wouldMakeEvent(tools(), { ...BY, versionId })).toBe(false)
    expect(await approveVersion(tools(), { ...BY, versionId })).toEqual({ outcome: 'first', versionId })
    const [row] = await db.sql`select * from document_version where version_id = ${versionId}`
    expect(row).toMatchObject({ status: 'published', reviewed_by: BY.by, review_note: BY.note })
    expect(row!.recorded_at).toEqual(row!.reviewed_at)
  })

  it.each<[what: string, from: string, to: string, classification: string]>([
    ['a change', TERMS, replaceIn(TERMS, '30 days', '14 days'), 'minor'],
    ['another layout', TERMS, replaceIn(TERMS, 'pricing page', '[pricing page](https://example.com/new)'), 'cosmetic'],
    [
      'other spellings, which rules alone would not publish',
      RULES,
      RULES.replace('organize', 'organise'),
      'substantive',
    ],
  ])('publishes %s', async (_, from, to, classification) => {
    const { versionId } = await hold(from, to)
    const isPublished = classification !== 'cosmetic'
    expect(await wouldMakeEvent(tools(), { ...BY, versionId })).toBe(isPublished)
    expect(await approveVersion(tools(), { ...BY, versionId })).toMatchObject({
      ...{ outcome: isPublished ? 'published' : 'cosmetic', classification },
    })
    expect(await versionById(db.sql, versionId)).toMatchObject({ classification })
    expect(await db.sql`select from event where type like 'tos.changed%'`).toHaveLength(isPublished ? 1 : 0)
  })

  it.each([
    ['first', undefined],
    ['new', TERMS],
  ])('about a %s text is about what was shown', async (_, inForce) => {
    const { versionId } = await hold(inForce, SUBSTANTIVE)
    const [held] = await heldVersions(db.sql, 9, { id: versionId })
    const [seen, other] = [heldRevision(held!), 'another'].map((revision) => ({ ...BY, versionId, revision }))
    await expect(approveVersion(tools(), other!)).rejects.toMatchObject({ code: 'review_changed' })
    await expect(rejectVersion(db.sql, other!)).rejects.toMatchObject({ code: 'review_changed' })
    expect(await approveVersion(tools(), seen!)).toMatchObject({ versionId })
  })

  it.each(['candidate', 'published'] as const)('is refused about one that is a %s', async (status) => {
    await hold(TERMS, SUBSTANTIVE)
    const versionId = await addVersion(db.sql, 'one-privacy', SUBSTANTIVE, { hour: 3, status })
    const review = { ...BY, versionId }
    for (const decide of [
      () => approveVersion(tools(), review),
      () => rejectVersion(db.sql, review),
      () => wouldMakeEvent(tools(), review),
    ])
      await expect(decide()).rejects.toMatchObject({ code: 'invalid_body', field: 'versionId' })
  })

  /** What a decision ends with when something else is recorded while it waits for its turn. */
  async function meanwhile(decide: () => Promise<unknown>, change: (tx: Tx) => Promise<unknown>): Promise<unknown> {
    let decided: Promise<unknown> | undefined
    await publishing(db.sql, async (tx) => {
      decided = decide().catch((error) => error)
      await someoneWaits(db.sql)
      await change(tx)
    })
    return decided
  }
  const goneFor = (versionId: string, next: string | undefined) => async (tx: Tx) => {
    await expire(tx, versionId, GONE_AGAIN)
    if (next) await tx`update document_version set source = 'one-terms' where version_id = ${next}`
  }

  it.each([
    ['first', undefined],
    ['new', TERMS],
  ])(
    'about a %s text is refused when that was decided meanwhile, is gone, or another one is held',
    async (_, inForce) => {
      const { versionId } = await hold(inForce, SUBSTANTIVE)
      const next = await addVersion(db.sql, 'one-abuse', `${TERMS}\n\nMore.`, { hour: 3, status: 'held' })
      const review = { ...BY, versionId }
      const rejected = (tx: Tx) =>
        recordReview(tx, versionId, { ...BY, status: 'rejected' }, '2026-02-01T00:00:00.000Z' as never)
      const refused = { code: 'invalid_body' }
      for (const decide of [() => approveVersion(tools(), review), () => rejectVersion(db.sql, review)])
        for (const change of [rejected, goneFor(versionId, undefined), goneFor(versionId, next)]) {
          expect(await meanwhile(decide, change)).toMatchObject(refused)
          await db.sql`update document_version set source = 'one-abuse' where version_id = ${next}`
          await db.sql`update document_version set status = 'held', reasons = '{}', reviewed_at = null where version_id = ${versionId}`
        }
      expect(await db.sql`select from event`).toEqual([])
    },
  )

  it.each([
    ['first', undefined],
    ['new', TERMS],
  ])('about a %s text is refused when another one is in force meanwhile', async (_, inForce) => {
    const { versionId } = await hold(inForce, SUBSTANTIVE)
    const next = await addVersion(db.sql, 'one-abuse', `${TERMS}\n\nMore.`, { hour: 3 })
    const put = (tx: Tx) => tx`update document_version set source = 'one-terms' where version_id = ${next}`
    expect(await meanwhile(() => approveVersion(tools(), { ...BY, versionId }), put)).toMatchObject({
      code: 'invalid_body',
    })
    expect(await db.sql`select from event`).toEqual([])
  })
})
