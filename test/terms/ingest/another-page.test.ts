import { describe, expect, it } from 'vitest'
import { documentState } from '../../../src/terms/store/document-store.ts'
import { testDatabase } from '../../support/database.ts'
import { sentences } from '../texts.ts'
import { declareDocument, eventsOf, fetches } from './pages.ts'

const paragraphs = (text: string) => text.replaceAll('\n\n', '</p><p>')
/** A page that says under which address it is. */
const page = (canonical: string, text: string) =>
  `<html><head><link rel="canonical" href="${canonical}"></head><body><main><p>${paragraphs(text)}</p></main></body></html>`
const bare = (text: string) => `<html><body><main><p>${paragraphs(text)}</p></main></body></html>`
const INDEX = page('https://www.example.com/legal', sentences(12, 'teaser'))

describe('a page that a site shows in place of its documents', () => {
  const db = testDatabase({ each: true })
  const html = async (name: string) => fetches(db.sql, await declareDocument(db.sql, name), 'text/html')

  it('makes no event, and waits for a review', async () => {
    const [one, other] = [await html('one'), await html('other')]
    await one(0, page('/legal/one', sentences(30, 'rule')))
    await other(1, page('/legal/other', sentences(30, 'clause')))
    expect(await one(6, INDEX)).toMatchObject({ outcome: 'waiting' })
    expect(await other(7, INDEX)).toEqual({ outcome: 'quarantined', reason: 'another page of the site' })
    expect(await one(31, INDEX)).toEqual({ outcome: 'quarantined', reason: 'another page of the site' })
    expect((await documentState(db.sql, 'example-one')).open).toBeUndefined()
    expect(await one(31 + 73, INDEX)).toMatchObject({ outcome: 'quarantined', versionId: expect.any(String) })
    expect(await one(200, page('/legal/one', sentences(30, 'rule')))).toMatchObject({ outcome: 'unchanged' })
    expect([await eventsOf(db.sql, 'one'), await eventsOf(db.sql, 'other')]).toEqual([[], []])
  })

  it('is known by two documents that become one, where it gives no address', async () => {
    const [one, other] = [await html('one'), await html('other')]
    const own = bare(sentences(40, 'word'))
    await one(0, bare(sentences(30, 'rule')))
    await other(1, bare(sentences(30, 'clause')))
    expect(await one(6, own)).toMatchObject({ outcome: 'waiting' })
    expect(await other(7, own)).toEqual({ outcome: 'quarantined', reason: 'another page of the site' })
    expect(await one(31, own)).toEqual({ outcome: 'quarantined', reason: 'another page of the site' })
    expect([await eventsOf(db.sql, 'one'), await eventsOf(db.sql, 'other')]).toEqual([[], []])
  })

  it('is a document of two addresses where both had the same text before', async () => {
    const [one, other] = [await html('one'), await html('other')]
    for (const [hour, text] of [sentences(30, 'rule'), sentences(40, 'word'), sentences(40, 'word')].entries()) {
      await one(hour * 30, bare(text))
      await other(hour * 30 + 1, bare(text))
    }
    expect(await eventsOf(db.sql, 'one')).toHaveLength(1)
    expect(await eventsOf(db.sql, 'other')).toHaveLength(1)
  })

  it('introduces no second document', async () => {
    const [one, other] = [await html('one'), await html('other')]
    expect(await one(0, INDEX)).toMatchObject({ outcome: 'first' })
    expect(await other(1, INDEX)).toMatchObject({ outcome: 'quarantined' })
    expect(await one(6, INDEX)).toEqual({ outcome: 'unchanged' })
  })

  it('is read where no other document shows it, or it gives the address of this one', async () => {
    const [one, other] = [await html('one'), await html('other')]
    await one(0, page('/legal', sentences(30, 'rule')))
    await other(1, page('/legal', sentences(30, 'clause')))
    await other(6, page('/legal/other', sentences(30, 'rule')))
    expect(await other(31, page('/legal/other', sentences(30, 'rule')))).toMatchObject({ outcome: 'published' })
  })
})
