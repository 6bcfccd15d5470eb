import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../src/terms/compare/changes-rules.ts'
import { classify } from '../../../src/terms/compare/classify-rules.ts'
import { siteOf } from '../../../src/terms/compare/site-heads-rules.ts'
import { readText } from '../../../src/terms/normalize/normal-form-rules.ts'
import { testDatabase } from '../../support/database.ts'
import { declareDocument, eventsOf, fetches } from '../ingest/pages.ts'
import { sentences } from '../texts.ts'

const HUB = '# Legal Hub\n\nWe now describe cookies in our privacy notice.'
const terms = `# Terms of Use\n\n${sentences(30, 'rule')}`
const privacy = `# Privacy Notice\n\n${sentences(30, 'notice')}`

describe('what a site shows above its documents', () => {
  const db = testDatabase({ each: true })
  const markdown = async (name: string) => fetches(db.sql, await declareDocument(db.sql, name))

  it('makes no event when it comes, when it changes and when it goes', async () => {
    const [one, other] = [await markdown('terms'), await markdown('privacy')]
    const shown = ['# Legal Hub', HUB, HUB.replace('cookies', 'partners'), '']
    for (const [i, head] of shown.entries()) {
      for (const hour of [0, 6, 30, 36].map((hours) => i * 48 + hours)) {
        await one(hour + 1, `${head}\n\n${terms}`)
        await other(hour + 1.5, `${head}\n\n${privacy}`)
      }
    }
    expect([await eventsOf(db.sql, 'terms'), await eventsOf(db.sql, 'privacy')]).toEqual([[], []])
  })

  it('does not hide a clause that changes meanwhile', async () => {
    const [one, other] = [await markdown('terms'), await markdown('privacy')]
    for (const hour of [0, 6]) {
      await one(hour + 1, terms)
      await other(hour + 1.5, privacy)
    }
    for (const hour of [24, 54]) {
      await one(hour + 1, `${HUB}\n\n${terms} You must pay twice.`)
      await other(hour + 1.5, `${HUB}\n\n${privacy}`)
    }
    expect(await eventsOf(db.sql, 'terms')).toMatchObject([{ classification: 'substantive' }])
    expect(await eventsOf(db.sql, 'privacy')).toEqual([])
  })
})

describe('what is not a head of the site', () => {
  const CLAUSE = 'We may share your data with partners.'
  const change = (before: string, after: string, other: string) => {
    const [a, b] = [readText(before), readText(after)]
    return classify(a, b, changesBetween(a, b), siteOf([readText(other)]))
  }

  it('is not a label below the title that its other documents have too: that makes no event', () => {
    expect(
      change(
        terms,
        terms.replace('\n\n', '\n\nSee the whole table of contents\n\n'),
        `# Privacy\n\nSee the whole table of contents`,
      ),
    ).toBe('cosmetic')
  })

  it.each<[what: string, before: string, after: string, other: string]>([
    ['a line that only this document has', terms, `# Legal Hub\n\n${CLAUSE}\n\n${terms}`, `# Legal Hub\n\n${privacy}`],
    [
      'the beginning of two editions with one title',
      `# Terms\n\nWe sell.\n\n## 1. Here`,
      `# Terms\n\n${CLAUSE}\n\n## 1. Here`,
      `# Terms\n\n${CLAUSE}\n\n## 1. There`,
    ],
    [
      'what stands below the date',
      `# Terms\n\nUpdated 3 May 2025\n\nWe sell.\n\n# Here`,
      `# Terms\n\nUpdated 3 May 2025\n\n${CLAUSE}\n\n# Here`,
      `# Terms\n\n${CLAUSE}\n\n# There`,
    ],
    [
      'a text that is longer than what stands above a title',
      `${sentences(30, 'rule')}\n\n# Here`,
      `${CLAUSE}\n\n${sentences(30, 'rule')}\n\n# Here`,
      `${CLAUSE}\n\n${sentences(30, 'rule')}\n\n# There`,
    ],
    ['a clause below the title', terms, `${terms}\n\n${CLAUSE}`, `${privacy}\n\n${CLAUSE}`],
  ])('%s', (_what, before, after, other) => {
    expect(change(before, after, other)).toBe('substantive')
    expect(change(after, before, other)).toBe('substantive')
  })
})
