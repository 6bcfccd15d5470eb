import { describe, expect, it } from 'vitest'
import { readSources } from '../../src/collectors/sources-file.ts'
import { DOCUMENT_INTERVAL_MS, documentOptions } from '../../src/terms/schema.ts'

describe('the declaration of a document', () => {
  it('has a title of 200 characters, and 50 selectors of 300 characters, at most', () => {
    const accepted = (more: object) =>
      documentOptions.safeParse({ provider: 'example', document: 'terms', title: 'Terms', ...more }).success
    expect([0, 1, 200, 201].map((length) => accepted({ title: 'x'.repeat(length) }))).toEqual([
      false,
      true,
      true,
      false,
    ])
    for (const name of ['select', 'remove']) {
      const ofLengths = [0, 1, 300, 301].map((length) => accepted({ [name]: ['x'.repeat(length)] }))
      expect(ofLengths).toEqual([false, true, true, false])
      expect([50, 51].map((count) => accepted({ [name]: Array(count).fill('p') }))).toEqual([true, false])
    }
  })
})

describe('the documents that come with the product', () => {
  const documents = readSources().all.filter((source) => source.kind === 'terms')

  it('are declared beside the prices, each once, on a secure address', () => {
    expect(documents.length).toBeGreaterThan(40)
    expect(new Set(documents.map((source) => source.url)).size).toBe(documents.length)
    for (const { url } of documents) expect(url).toMatch(/^https:\/\//)
    const slugs = documents
      .map(({ options }) => documentOptions.parse(options))
      .map((o) => `${o.provider}/${o.document}`)
    expect(new Set(slugs).size).toBe(documents.length)
  })

  it('are asked politely: every six hours at most, and not all at the same moment', () => {
    for (const { intervalSeconds } of documents)
      expect(intervalSeconds * 1000).toBeGreaterThanOrEqual(DOCUMENT_INTERVAL_MS)
    expect(new Set(documents.map((source) => source.intervalSeconds)).size).toBeGreaterThan(documents.length / 2)
  })
})
