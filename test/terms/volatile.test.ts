import { describe, expect, it } from 'vitest'
import { storedPlaces } from '../../src/terms/read/volatile-places.ts'
import { testDatabase } from '../support/database.ts'
import { declareDocument, eventsOf, fetches } from './pages.ts'
import { replaceIn, TERMS } from './texts.ts'

const QUOTES = [
  'Fortune favours the bold and the patient alike.',
  'A journey of many miles begins below your feet.',
  'Nothing is so painful as a great and sudden thing.',
  'Measure twice before you cut the cloth once.',
  'Even monkeys fall out of the trees sometimes.',
  'Still waters run deep under every old bridge.',
  'The early bird eats what the late bird missed.',
]
const WORDS = 'amber birch cedar delta ember fjord grove heath inlet juniper knoll lagoon meadow'.split(' ')
const pick = (n: number, from: string[]) => from[(n * 7 + 3) % from.length]!
const random = (n: number) => (n * 7_919 + 104_729) % 99_991
const invented = (n: number) =>
  `The ${pick(random(n), WORDS)} offers ${pick(random(n + 1), WORDS)} and ${pick(random(n + 2), WORDS)} number ${random(n)} today.`

const aboveLiability = (text: string, part: string) => replaceIn(text, '## 4. Liability', `${part}\n\n## 4. Liability`)

/** Pages of which a part differs at every fetch, the n-th time. */
const VOLATILE: Record<string, (text: string, n: number) => string> = {
  'a sentence that never repeats': (text, n) => aboveLiability(text, invented(n)),
  'a quote from a small pool': (text, n) => aboveLiability(text, pick(n, QUOTES)),
  'an advertisement above the text': (text, n) => `Advertisement: ${invented(n)}\n\n${text}`,
  'a line below the text': (text, n) => `${text}\n\nServed by node ${random(n)} for session ${random(n + 9)}x${n}.`,
  'the number of visitors': (text, n) =>
    aboveLiability(text, `${1_000 + random(n)} people have read this page so far.`),
  'the date and time of the fetch': (text, n) =>
    aboveLiability(
      text,
      `This page was generated on 2025-0${1 + (Math.floor(n / 28) % 9)}-${10 + (n % 18)} at ${n % 24}:15.`,
    ),
  'a banner that is there at every second fetch': (text, n) =>
    n % 2 ? text : replaceIn(text, 'Welcome', 'Join us at our conference in the autumn, seats are limited.\n\nWelcome'),
  'a sentence at the end of a paragraph of the document': (text, n) =>
    replaceIn(text, 'keep your password secret.', `keep your password secret. ${invented(n)}`),
  'a sentence beside the one that changes': (text, n) =>
    text.replace(/(We may change them with \d+ days notice\.)/, `$1 ${invented(n)}`),
  'a paragraph right above the one that changes': (text, n) =>
    text.replace('You pay the fees', `${invented(n)}\n\nYou pay the fees`),
  'quotes of one to three sentences': (text, n) =>
    aboveLiability(text, QUOTES.slice(n % 4, (n % 4) + 1 + (random(n) % 3)).join(' ')),
  'two such parts': (text, n) => aboveLiability(`${invented(n)}\n\n${text}`, invented(n + 50)),
  'two servers that word a paragraph differently': (text, n) =>
    n % 2 ? text : replaceIn(text, 'Tell us at once when you think', 'Notify us without delay when you believe'),
  'a headline': (text, n) => aboveLiability(text, `### ${invented(n)}`),
  'a list whose entries take turns': (text, n) => {
    const links = ['Alpha News', 'Beta Story', 'Gamma Report', 'Delta Notes', 'Epsilon Brief']
    const turned = [...links.slice(n % 5), ...links.slice(0, n % 5)]
    return aboveLiability(text, turned.map((name) => `- ${name} of the week`).join('\n'))
  },
  'a number inside a sentence that changes': (text, n) =>
    text.replace(
      /We may change them with (\d+) days notice\./,
      `As ${random(n)} customers know, we may change them with $1 days notice.`,
    ),
}

describe('a document with a part that differs at every fetch', () => {
  const db = testDatabase({ each: true })
  const track = async (name: string) => fetches(db.sql, await declareDocument(db.sql, name))

  it.each(Object.entries(VOLATILE))('%s: its real change is published, and nothing else', async (what, page) => {
    const at = await track('volatile')
    const changed = replaceIn(TERMS, '30 days notice', '14 days notice')
    for (let n = 0; n < 9; n++) await at(n * 6, page(TERMS, n))
    expect(await eventsOf(db.sql, 'volatile')).toEqual([])
    const published: number[] = []
    for (let n = 9; n < 33; n++) {
      const { outcome } = await at(n * 6, page(changed, n))
      if (outcome === 'published') published.push(n)
    }
    const events = (await eventsOf(db.sql, 'volatile')) as { diff: string }[]
    expect(events).toHaveLength(1)
    expect(events[0]!.diff).toMatch(/^\+.*14 days notice/m)
    expect(events[0]!.diff.split('\n').filter((line) => /^[-+]/.test(line))).toHaveLength(2)
    // A day after it was first seen, as ever, and some fetches to tell it from what changes beside it. Quotes from a
    // pool of which the text in force is one look like a return to an earlier text.
    const learning = what.startsWith('quotes') ? 12 : 3
    expect(published[0]).toBeLessThanOrEqual(9 + 4 + learning)
  })

  it('publishes a change that came while the part was not yet known to be volatile', async () => {
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

  it('shows which part it is, and compares it again once it stays the same', async () => {
    const at = await track('calm')
    for (let n = 0; n < 10; n++) await at(n * 6, aboveLiability(TERMS, invented(n)))
    expect(await storedPlaces(db.sql, 'example', 'calm')).toMatchObject([
      { volatileSince: expect.any(String), texts: expect.arrayContaining([invented(9)]) },
    ])
    for (let n = 10; n < 30; n++) await at(n * 6, aboveLiability(TERMS, 'You pay a fee for every export.'))
    expect(await storedPlaces(db.sql, 'example', 'calm')).toEqual([])
    const events = (await eventsOf(db.sql, 'calm')) as { diff: string }[]
    expect(events).toHaveLength(1)
    expect(events[0]!.diff).toContain('+You pay a fee for every export.')
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
