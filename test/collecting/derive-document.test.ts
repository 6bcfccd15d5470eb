import { expect, it } from 'vitest'
import { databaseNow } from '../../src/catalog/clock/clock-store.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import type { SourceState } from '../../src/catalog/sources/source-store.ts'
import { deriveDocumentVersion } from '../../src/collecting/derive-document.ts'
import type { CollectTools } from '../../src/collecting/schema.ts'
import type { DeclaredSource } from '../../src/collectors/sources-file.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'
import { declareDocument } from '../terms/ingest/pages.ts'
import { SUBSTANTIVE, TERMS } from '../terms/texts.ts'

const db = testDatabase()

it('a document that was fetched is another text or the same, waits, is held for a person, or is not a document', async () => {
  const source = (await declareDocument(db.sql, 'terms')) as DeclaredSource
  const tools = { sql: db.sql, isolation } as CollectTools
  const derive = async (text?: string, known?: string) => {
    const bytes = text === undefined ? undefined : Buffer.from(text)
    const at = await databaseNow(db.sql)
    const hash = bytes && (await storeSnapshot(db.sql, { bytes, at, contentType: 'text/markdown' }))
    const fresh = hash && bytes ? { hash, bytes, contentType: 'text/markdown' } : undefined
    const derived = await deriveDocumentVersion(tools, source, { snapshotHash: known } as SourceState, fresh)
    return { hash, derived }
  }
  /** Lets what waits have waited for two days. */
  const wait = () => db.sql`update document_version set first_seen_at = first_seen_at - interval '2 days'`
  const is = async (text: string, outcome: string, more: object = {}) => {
    const { hash, derived } = await derive(text)
    expect(derived).toEqual({ outcome, snapshotHash: hash, recheckAt: undefined, report: expect.any(Object), ...more })
    return hash
  }
  const someday = { recheckAt: expect.stringMatching(/^20/) }

  expect((await derive()).derived).toEqual({ outcome: 'unchanged' })
  const first = await is(TERMS, 'changed')
  await is(TERMS, 'unchanged')
  expect((await derive(undefined, first)).derived).toEqual({
    ...{ outcome: 'unchanged', snapshotHash: first, recheckAt: undefined, report: { outcome: 'unchanged' } },
  })
  await is(SUBSTANTIVE, 'unchanged', someday)
  await wait()
  await is(SUBSTANTIVE, 'changed')
  const collapsed = SUBSTANTIVE.slice(0, 300)
  await is(collapsed, 'unchanged', someday)
  await wait()
  await is(collapsed, 'changed', { held: 1, ...someday })
  const { derived } = await derive('# Welcome back\n\nLog in to continue. Email. Password. Forgot your password?')
  expect(derived).toMatchObject({ outcome: 'quarantined', problem: expect.any(String) })
  expect(derived.held).toBeUndefined()
})
