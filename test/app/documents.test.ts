import { beforeEach, describe, expect, it } from 'vitest'
import { addAccount } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { addDocuments, addVersion, at } from '../terms/document-rows.ts'
import { replaceIn, TERMS } from '../terms/texts.ts'

const CHANGED = replaceIn(TERMS, '30 days notice', '14 days notice')

describe('documents in the app', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  let [session, first, second, held] = ['', '', '', '']
  beforeEach(async () => {
    session = (await addAccount(db.sql, 'reader@example.com')).sessionToken
    await addDocuments(db.sql)
    first = await addVersion(db.sql, 'one-terms', TERMS, { hour: 1 })
    second = await addVersion(db.sql, 'one-terms', CHANGED, { hour: 5, previousVersion: first })
    held = await addVersion(db.sql, 'one-terms', `${TERMS}\n\nMore.`, { hour: 6, status: 'held' })
    await db.sql`
      update document_version set classification = 'minor', significance = 'low' where version_id = ${second}`
  })
  const get = (path: string) => app.send(`GET /v1/app/documents${path}`, { session })

  it('are listed with their text in force, and nothing of what waits', async () => {
    const { documents } = (await get('')).json as { documents: object[] }
    expect(documents).toHaveLength(5)
    expect(documents[2]).toEqual({
      ...{ provider: 'one', document: 'terms', title: 'terms of one', url: 'https://one.example/terms' },
      ...{ versions: 2, recordedAt: at(5), effectiveDate: null },
    })
    const earlier = (await get(`?asOf=${at(4)}`)).json as { documents: object[] }
    expect(earlier.documents[2]).toMatchObject({ versions: 1, recordedAt: at(1) })
  })

  it('are shown as their last change, with the significance that its event said', async () => {
    const { json } = await get('/one/terms')
    expect(json).toMatchObject({
      document: { provider: 'one', document: 'terms', title: 'terms of one' },
      versions: [{ versionId: second }, { versionId: first }],
      before: { versionId: first, recordedAt: at(1), significance: null, previousVersion: null },
      after: { versionId: second, recordedAt: at(5), classification: 'minor', previousVersion: first },
      ...{ classification: 'minor', significance: 'low', wordsRemoved: 1, wordsAdded: 1, truncated: false },
      changes: [{ section: 'Payment', clause: '3' }],
      ...{ entries: [], suppressed: [] },
    })
    expect((json.rows as { kind: string }[]).filter(({ kind }) => kind === 'changed')).toHaveLength(1)
    await db.sql`update document_version set significance = null`
    const computed = (await get('/one/terms')).json.significance
    expect(['medium', 'high']).toContain(computed)
    await db.sql`update document_version set significance = 'low'`
    // Of two others nothing was recorded.
    expect((await get(`/one/terms?from=${second}&to=${first}`)).json).toMatchObject({
      ...{ significance: computed, before: { versionId: second }, after: { versionId: first } },
    })
  })

  it('are shown alone where there is nothing before', async () => {
    for (const query of [`to=${first}`, `asOf=${at(2)}`]) {
      const { json } = await get(`/one/terms?${query}`)
      expect(json).toMatchObject({ after: { versionId: first }, wordsRemoved: 0, wordsAdded: 0 })
      expect(json).not.toHaveProperty('before')
    }
    expect(await get('/two/terms')).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('are shown to operators while they wait, compared with the text in force', async () => {
    await db.sql`update account set operator = true`
    const { json } = await app.send(`GET /v1/operator/review/${held}`, { session })
    expect(json).toMatchObject({
      item: { kind: 'terms', provider: 'one' },
      ...{ lines: [], known: [], beside: [] },
      document: { provider: 'one', document: 'terms', title: 'terms of one', url: 'https://one.example/terms' },
    })
    const { text, difference } = json.document as { text: string; difference: object }
    expect(text).toMatch(/More\.$/)
    expect(difference).toMatchObject({ before: second, wordsAdded: 2, wordsRemoved: 1, truncated: false })
  })
})
