import { describe, expect, it } from 'vitest'
import { decideItem } from '../../src/review/decide-item.ts'
import { findItems } from '../../src/review/find-in-queue.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'
import { declareDocument, eventsOf, fetches } from '../terms/ingest/pages.ts'
import { sentences, TERMS } from '../terms/texts.ts'

const db = testDatabase({ each: true })
const who = { actor: 'ada@example.com', reason: 'the annex was added' }
/** Less than half of the terms is left in it. */
const LONGER = `# Terms of Service\n\nYou can end this with 14 days notice.\n\n${sentences(80, 'rule')}`

/** A document whose next text is held, because it is more than twice as long. */
async function heldDocument() {
  const fetched = fetches(db.sql, await declareDocument(db.sql, 'terms'))
  for (const [hour, text] of [
    [0, TERMS],
    [6, LONGER],
    [36, LONGER],
  ] as const)
    await fetched(hour, text)
  const [item] = await findItems(db.sql, { kind: 'terms' }, 10)
  return item!
}
const tools = () => ({ sql: db.sql, isolation })
const waiting = async () => (await findItems(db.sql, {}, 10)).length

describe('an item of the review queue that is a document', () => {
  it('is published when it is approved', async () => {
    const item = await heldDocument()
    const { events } = await decideItem(tools(), item, { decision: 'approve', ...who })
    expect(events).toEqual({ 'tos.changed': 1 })
    expect(await waiting()).toBe(0)
    expect(await eventsOf(db.sql, 'terms')).toMatchObject([{ classification: 'substantive' }])
  })

  it('is not published when it is rejected', async () => {
    const item = await heldDocument()
    expect(await decideItem(tools(), item, { decision: 'reject', ...who })).toEqual({ rejected: item.id, events: {} })
    expect(await waiting()).toBe(0)
    expect(await eventsOf(db.sql, 'terms')).toEqual([])
  })

  it('says in a preview which event subscribers would be sent, and stays as it is', async () => {
    const item = await heldDocument()
    const preview = (decision: 'approve' | 'reject') => decideItem(tools(), item, { decision, ...who, dryRun: true })
    const document = item.question
    expect(await preview('approve')).toEqual({ decision: 'approve', document, events: { 'tos.changed': 1 } })
    expect(await preview('reject')).toEqual({ decision: 'reject', document, events: {} })
    expect(await waiting()).toBe(1)
    expect(await eventsOf(db.sql, 'terms')).toEqual([])
    await decideItem(tools(), item, { decision: 'reject', ...who })
    await expect(preview('approve')).rejects.toMatchObject({ code: 'invalid_body' })
  })

  it('is decided as it was shown alone: its text, beside the one in force', async () => {
    const item = await heldDocument()
    await db.sql`update document_version set markdown = markdown || ' More.', text_hash = repeat('0', 64) where status = 'held'`
    const changed = expect.objectContaining({ code: 'review_changed' })
    for (const decision of ['approve', 'reject'] as const)
      for (const dryRun of [false, true]) {
        const shown = { decision, revision: item.revision, dryRun, ...who }
        await expect(decideItem(tools(), item, shown)).rejects.toEqual(changed)
      }
    expect(await waiting()).toBe(1)
    const [now] = await findItems(db.sql, {}, 10)
    const shown = { decision: 'approve' as const, revision: now!.revision, ...who }
    expect(await decideItem(tools(), now!, shown)).toMatchObject({ events: { 'tos.changed': 1 } })
  })

  it('keeps its revision while its page shows the same text', async () => {
    const item = await heldDocument()
    const fetched = fetches(db.sql, await declareDocument(db.sql, 'terms'))
    await fetched(42, LONGER)
    const [again] = await findItems(db.sql, {}, 10)
    expect(again).toMatchObject({ id: item.id, revision: item.revision })
  })

  it('is not edited, not even in a preview', async () => {
    const item = await heldDocument()
    for (const dryRun of [false, true])
      await expect(decideItem(tools(), item, { decision: 'edit', ...who, dryRun })).rejects.toMatchObject({
        code: 'invalid_body',
        message: 'A document cannot be edited: approve or reject it.',
      })
    expect(await waiting()).toBe(1)
  })
})
