import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lacks } from '../support/suite/needs.ts'
import { hashOf, missingOf, rowsOf, SPECIFICATION, sentencesOf, titlesOf } from '../support/suite/sentences.ts'

const table = readFileSync(join(import.meta.dirname, 'sentences.txt'), 'utf8')
const rows = rowsOf(table)

describe('the table of the specification’s sentences', () => {
  it('numbers its rows from 1, each once and in order', () => {
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ nr }) => nr)).toEqual(rows.map((_, n) => n + 1))
    expect(new Set(rows.map(({ section, hash }) => `${hash} in ${section}`)).size).toBe(rows.length)
  })

  it('names for each sentence the tests that prove it, or says why none can', () => {
    expect(rows.filter(({ tests, explanatory }) => tests.length > 0 === (explanatory !== undefined))).toEqual([])
  })

  it('names tests that exist', () => {
    const missing = rows.flatMap(({ nr, tests }) =>
      tests.flatMap((test) => {
        const problem = missingOf(test)
        return problem ? [`${nr} ${problem}: ${test}`] : []
      }),
    )
    expect(missing).toEqual([])
  })

  it('has no section without a row', () => {
    const headings = [...table.matchAll(/^# (.+)$/gm)].map(([, heading]) => heading!)
    expect(headings).toEqual([...new Set(rows.map(({ section }) => section))])
  })

  it.skipIf(lacks('the specification'))(
    'has a row for each sentence of each section, and for no other (needs the specification)',
    () => {
      const sentences = sentencesOf(readFileSync(SPECIFICATION, 'utf8'))
      const listed = rows.map(({ section, hash }) => `${hash} in ${section}`)
      const written = sentences.map((sentence) => `${hashOf(sentence)} in ${sentence.section}`)
      const lacking = sentences.filter((_, n) => !listed.includes(written[n]!))
      expect(lacking, 'sentences without a row').toEqual([])
      expect(listed.filter((row) => !written.includes(row))).toEqual([])
    },
  )
})

describe('a test that a row names', () => {
  it('is missing where its file, its title or its case is', () => {
    const file = 'test/documentation/limits.test.ts'
    const title = '"…" is what the service uses, and what our pages say'
    expect(titlesOf(file)).toEqual([title])
    expect(missingOf(`${file} › ${title}`)).toBeUndefined()
    expect(missingOf(`${file} › ${title} › API keys per workspace: 20`)).toBeUndefined()
    expect(missingOf(`${file} › ${title} › API keys per workspace: 21`)).toBe('has no such case')
    expect(missingOf(`${file} › is right`)).toBe('has no such title')
    expect(missingOf(`${file}x › ${title}`)).toBe('has no such file')
    expect(missingOf(file)).toBe('names no title')
  })

  it('may be a title that is nothing but its case, also of a table in another file', () => {
    const rule = 'rule 1: a webhook lists providers by slug'
    expect(missingOf(`test/webhooks/matching/fan-out-rules.test.ts › ${rule}`)).toBeUndefined()
    expect(missingOf(`test/webhooks/matching/fan-out-rules.test.ts › ${rule} twice`)).toBe('has no such case')
    expect(missingOf('test/app/access/authorization.test.ts › …: … › POST /v1/keys?workspace=')).toBeUndefined()
  })
})

describe('the sentences of a text', () => {
  it('are those of its paragraphs, items and tables, below their headings', () => {
    const text = '# One\n\nFirst one. Second: `x`.\n\n1. An item.\n\n## Two\n\n| a | b |\n|---|---|\n| c | d |\n'
    expect(sentencesOf(text)).toEqual([
      { section: 'One', text: 'First one.' },
      { section: 'One', text: 'Second:' },
      { section: 'One', text: '`x`.' },
      { section: 'One', text: 'An item.' },
      { section: 'Two', text: 'c ¦ d' },
    ])
    expect(hashOf({ section: 'One', text: 'First  one.' })).toBe(hashOf({ section: 'Two', text: 'First one.' }))
  })
})
