import { beforeAll, describe, expect, it } from 'vitest'
import type { SourceDeclaration } from '../../../src/catalog/schema.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { endDocument } from '../../../src/terms/ingest/end-document.ts'
import { introduceDocuments, updateDeclaration } from '../../../src/terms/ingest/introduce-document.ts'
import { rederiveVersions } from '../../../src/terms/ingest/rederive-versions.ts'
import { documentOptions } from '../../../src/terms/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { footprint } from '../../support/footprint.ts'
import { isolation } from '../../support/isolation.ts'
import { expectGolden } from '../../support/suite/goldens.ts'
import { replaceIn, SUBSTANTIVE, sentences, TERMS } from '../texts.ts'
import { declareDocument, fetches } from './pages.ts'

const LOGIN = '# Welcome back\n\nLog in to continue. Email. Password. Forgot your password?'
const [LONG, SHORT] = [sentences(120, 'rule'), sentences(8, 'rule')]
/** Hours, and what the page showed then. */
type Fetches = [hour: number, text: string][]

describe('what a fetch of a document changes, where another document has the same texts', () => {
  const db = testDatabase()
  let terms: SourceDeclaration, privacy: SourceDeclaration, abuse: SourceDeclaration, copy: SourceDeclaration
  beforeAll(async () => {
    abuse = await declareDocument(db.sql, 'abuse', { providerName: 'Example, Inc.' })
    copy = await declareDocument(db.sql, 'copy', { document: 'terms' })
    privacy = await declareDocument(db.sql, 'privacy', { provider: 'other' })
    terms = await declareDocument(db.sql, 'terms')
  })

  const show = async (sql: Sql, source: SourceDeclaration, shown: Fetches) => {
    const fetch = fetches(sql, source)
    for (const [hour, text] of shown) await fetch(hour, text)
  }
  /** The last of these fetches; the other document had all of them before. */
  const last = (shown: Fetches) =>
    footprint(
      db.sql,
      (sql) => show(sql, terms, shown.slice(-1)),
      async (sql) => {
        const beside = shown.map(([hour, text]): Fetches[number] => [hour - 0.25, `${text}\n\nOf our own.`])
        for (const [i, one] of shown.entries()) {
          await show(sql, privacy, [beside[i]!])
          if (i < shown.length - 1) await show(sql, terms, [one])
        }
      },
    )

  it('is what its texts lead to', async () => {
    const shown: Record<string, Fetches> = {
      'a first text': [[1, TERMS]],
      'the same text': [[1, TERMS], [6, TERMS]],
      'another layout': [[1, TERMS], [6, replaceIn(TERMS, 'pricing page', '[pricing page](https://example.com/new)')]],
      'a new text': [[1, TERMS], [6, SUBSTANTIVE]],
      'a new text that stays': [[1, TERMS], [6, SUBSTANTIVE], [12, SUBSTANTIVE]],
      'a new text that stays for a day': [[1, TERMS], [6, SUBSTANTIVE], [31, SUBSTANTIVE]],
      'a new text that is gone': [[1, TERMS], [6, SUBSTANTIVE], [12, TERMS]],
      'a new text in place of another': [[1, TERMS], [6, SUBSTANTIVE], [12, replaceIn(SUBSTANTIVE, '16 years', '18 years')]],
      'a text that collapsed, after a day': [[1, LONG], [6, SHORT], [31, SHORT]],
      'a text that collapsed, after three days': [[1, LONG], [6, SHORT], [31, SHORT], [80, SHORT]],
      'a text that collapsed and is gone': [[1, LONG], [6, SHORT], [31, SHORT], [40, LONG]],
      'an earlier text': [[1, TERMS], [6, SUBSTANTIVE], [31, SUBSTANTIVE], [40, TERMS]],
      'a login page': [[1, TERMS], [6, LOGIN]],
      'a login page that stays': [[1, TERMS], [6, LOGIN], [12, LOGIN]],
      'a login page that stays for days': [[1, TERMS], [6, LOGIN], [80, LOGIN]],
      'a login page in place of a new text': [[1, TERMS], [6, SUBSTANTIVE], [12, LOGIN], [90, LOGIN]],
      'a text after a login page': [[1, TERMS], [6, LOGIN], [12, TERMS]],
    } // biome-ignore format: a table reads best in lines
    const found: Record<string, string[]> = {}
    for (const [name, one] of Object.entries(shown)) found[name] = await last(one)
    await expectGolden('footprints/documents', found)
  })

  it('is nothing but what its declaration says, and ends with it', async () => {
    const both = async (sql: Sql, shown: Fetches) => {
      for (const [hour, text] of shown) {
        await show(sql, terms, [[hour, text]])
        await show(sql, privacy, [[hour + 0.25, `${text}\n\nOf our own.`]])
      }
    }
    const options = documentOptions.parse({ ...terms.options, title: 'User Terms' })
    const taken = documentOptions.parse(privacy.options)
    const narrower = documentOptions.parse({ ...terms.options, remove: ['.promo'] })
    const waiting: Fetches = [[1, TERMS], [6, SUBSTANTIVE]] // biome-ignore format: a table reads best in lines
    const locked: Fetches = [[1, TERMS], [6, LOGIN]] // biome-ignore format: a table reads best in lines
    const inForce: Fetches = [[1, TERMS]]
    const nothing = async () => {}
    const actions: Record<string, [given: Fetches, does: (sql: Sql) => Promise<unknown>]> = {
      'a source that ended': [waiting, (sql) => endDocument(sql, terms.source)],
      'another title': [inForce, (sql) => updateDeclaration(sql, terms, options)],
      'the same title': [inForce, (sql) => updateDeclaration(sql, terms, documentOptions.parse(terms.options))],
      'another title of what is not known': [[], (sql) => updateDeclaration(sql, terms, options)],
      'declared documents': [inForce, (sql) => introduceDocuments(sql, [terms, abuse])],
      'the document of another source': [waiting, (sql) => introduceDocuments(sql, [copy])],
      'the document of another source, beside a login page': [locked, (sql) => introduceDocuments(sql, [copy])],
      'the name of another document': [waiting, (sql) => updateDeclaration(sql, terms, taken)],
      'known documents': [inForce, (sql) => introduceDocuments(sql, [terms, privacy])],
      'other selectors': [waiting, (sql) => rederiveVersions({ sql, isolation }, terms, narrower)],
      'no more than that': [waiting, nothing],
    }
    const found: Record<string, string[]> = {}
    for (const [name, [given, does]] of Object.entries(actions))
      found[name] = await footprint(db.sql, does, (sql) => both(sql, given))
    expect(found['no more than that']).toEqual([])
    await expectGolden('footprints/declared-documents', found)
  })
})
