import { expect, it } from 'vitest'
import type { Isolation } from '../../../src/lib/isolation/isolation.ts'
import { rederiveVersions } from '../../../src/terms/ingest/rederive-versions.ts'
import { extractorOf } from '../../../src/terms/read/extractor-rules.ts'
import { documentOptions } from '../../../src/terms/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { isolation } from '../../support/isolation.ts'
import { addDocuments, addSilentVersions, addVersion, at } from '../document-rows.ts'

const db = testDatabase()

it('other selectors read the fifty newest versions of a document again, and leave what they cannot read', async () => {
  await addDocuments(db.sql)
  const source = 'one-terms'
  const oldest = await addVersion(db.sql, source, 'Terms.', { hour: 1 })
  await addSilentVersions(db.sql, oldest, 50)
  const read: unknown[] = []
  const unreadable: Isolation = {
    ...isolation,
    run: async (_, input) => {
      read.push(input)
      return { problem: 'no text' } as never
    },
  }
  const options = documentOptions.parse({ provider: 'one', document: 'terms', title: 'Terms', remove: ['nav'] })
  const declared = { source, url: 'https://one.example/terms' } as Parameters<typeof rederiveVersions>[1]
  expect(await rederiveVersions({ sql: db.sql, isolation: unreadable }, declared, options)).toBe(50)
  // Each from its snapshot, and from its stored text.
  expect(read).toHaveLength(100)
  const rows =
    await db.sql`select distinct extractor, markdown, first_seen_at = ${at(1)} as old from document_version order by old`
  expect(rows).toEqual([
    { extractor: extractorOf(options), markdown: 'Terms.', old: false },
    { extractor: 'x1', markdown: 'Terms.', old: true },
  ])
})
