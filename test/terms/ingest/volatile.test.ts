import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../support/database.ts'
import { replaceIn, TERMS } from '../texts.ts'
import { declareDocument, eventsOf, fetches } from './pages.ts'
import { aboveLiability, invented, VOLATILE } from './volatile-pages.ts'

/** All such pages go through the same rules in volatile-pages.test.ts; these go through the database too. */
const STORED = ['a sentence that never repeats', 'a list whose entries take turns', 'two such parts']

describe('a document with a part that differs at every fetch', () => {
  const db = testDatabase({ each: true })
  const track = async (name: string) => fetches(db.sql, await declareDocument(db.sql, name))

  it.each(STORED)('%s: its real change is published, and nothing else', async (what) => {
    const page = VOLATILE[what]!
    const at = await track('volatile')
    const changed = replaceIn(TERMS, '30 days notice', '14 days notice')
    for (let n = 0; n < 9; n++) await at(n * 6, page(TERMS, n))
    expect(await eventsOf(db.sql, 'volatile')).toEqual([])
    const published: number[] = []
    for (let n = 9; n < 22; n++) {
      const { outcome } = await at(n * 6, page(changed, n))
      if (outcome === 'published') published.push(n)
    }
    const events = (await eventsOf(db.sql, 'volatile')) as { diff: string }[]
    expect(events).toHaveLength(1)
    expect(events[0]!.diff).toMatch(/^\+.*14 days notice/m)
    expect(published[0]).toBeLessThanOrEqual(9 + 4 + 3)
  })

  it('publishes a change that came at the second fetch', async () => {
    const at = await track('early')
    const changed = replaceIn(TERMS, '30 days notice', '14 days notice')
    for (let n = 0; n < 16; n++) await at(n * 6, aboveLiability(n < 2 ? TERMS : changed, invented(n)))
    expect(await eventsOf(db.sql, 'early')).toHaveLength(1)
  })

  it('publishes a clause that was added right beside it', async () => {
    const at = await track('beside')
    for (let n = 0; n < 10; n++) await at(n * 6, aboveLiability(TERMS, invented(n)))
    for (let n = 10; n < 30; n++)
      await at(n * 6, aboveLiability(TERMS, `${invented(n)}\n\nYou waive the right to a trial by jury.`))
    const events = (await eventsOf(db.sql, 'beside')) as { diff: string }[]
    expect(events).toHaveLength(1)
    expect(events[0]!.diff).toContain('+You waive the right to a trial by jury.')
  })

  it('hides no edit that was made three times in a day once it stays', async () => {
    const at = await track('hasty')
    await at(0, TERMS)
    for (let n = 1; n <= 6; n++) await at(n * 6, replaceIn(TERMS, '30 days', `${n} days`))
    for (let n = 7; n < 30; n++) await at(n * 6, replaceIn(TERMS, '30 days', '6 days'))
    const events = (await eventsOf(db.sql, 'hasty')) as { diff: string }[]
    expect(events).toHaveLength(1)
    expect(events[0]!.diff).toContain('with 6 days notice')
  })
})
