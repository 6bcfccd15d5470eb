import { describe, expect, it } from 'vitest'
import { replaceIn, TERMS } from '../texts.ts'
import { simulateFetches } from './simulate.ts'
import { ALL_VOLATILE, aboveLiability, invented } from './volatile-pages.ts'

const changed = replaceIn(TERMS, '30 days notice', '14 days notice')
/** The change comes after two days, and the page is fetched for ten. */
const CHANGED_AFTER = 9
const FETCHES = 40

describe('a page of which a part differs at every fetch, or more slowly', () => {
  it.each(Object.entries(ALL_VOLATILE))('%s: its real change is published once', async (_, page) => {
    const { fetched, events } = simulateFetches()
    for (let n = 0; n < FETCHES; n++) await fetched(n * 6, page(n < CHANGED_AFTER ? TERMS : changed, n))
    const real = events.filter(({ diff }) => /^\+.*14 days notice/m.test(diff))
    expect(real).toHaveLength(1)
    expect(real[0]!.hour - CHANGED_AFTER * 6).toBeLessThanOrEqual(96)
    expect(events).toHaveLength(1)
  })
})

describe('a change that is taken back', () => {
  it.each(Object.entries(ALL_VOLATILE))('%s: its reversal is published', async (_, page) => {
    const { fetched, events } = simulateFetches()
    for (let n = 0; n < 110; n++) await fetched(n * 6, page(n < CHANGED_AFTER || n >= 40 ? TERMS : changed, n))
    const reversed = events.filter(({ diff }) => /^\+.*30 days notice/m.test(diff))
    expect(reversed).toHaveLength(1)
    expect(events).toHaveLength(2)
  })
})

describe('another language, on a page of which a part differs at every fetch', () => {
  const french = `# Conditions\n\n${'Les présentes conditions régissent votre utilisation de nos services et vous les acceptez. '.repeat(40)}`

  it('is published when it stays for three days, and makes no event when it is gone within them', async () => {
    for (const [hours, count] of [
      [60, 0],
      [240, 1],
    ] as const) {
      const { fetched, events } = simulateFetches()
      for (let n = 0; n < 60; n++) {
        const since = (n - CHANGED_AFTER) * 6
        await fetched(n * 6, aboveEnd(since >= 0 && since < hours ? french : TERMS, n))
      }
      expect(events.filter(({ hour }) => hour < (CHANGED_AFTER + 40) * 6)).toHaveLength(count)
      if (count > 0) expect(events[0]!.hour).toBe(CHANGED_AFTER * 6 + 72)
    }
  })
  const aboveEnd = (text: string, n: number) => `${text}\n\n${invented(n)}`
})

const count = (n: number) => 1_000 + ((n * 7_919 + 104_729) % 99_991)
/** Passages that are new, and have a number or a date inside that differs at every fetch. */
const NEW_PASSAGES: Record<string, [passage: (n: number) => string, says: RegExp]> = {
  'a sentence with a counter': [
    (n) => `We sell your data to ${count(n)} partners in other countries, and you agree to it.`,
    /^\+.*We sell your data to/m,
  ],
  'a sentence with the date and time of the fetch': [
    (n) =>
      `You owe us the fees that are listed on 2025-0${1 + (n % 9)}-${10 + (n % 18)} at ${n % 24}:15 in our price list.`,
    /^\+.*You owe us the fees/m,
  ],
  'a heading, clauses and a counter below': [
    (n) =>
      `## 3a. Partners\n\nWe sell your data to partners. You may object in writing.\n\nSo far ${count(n)} customers have objected to it in writing.`,
    /^\+.*We sell your data to partners[\s\S]*^\+.*customers have objected to it/m,
  ],
  'two sentences with a counter each': [
    (n) =>
      `We sell your data to ${count(n)} partners in other countries. They keep the data of ${count(n + 50)} customers as long as they want.`,
    /^\+.*We sell your data to[\s\S]*They keep the data of/m,
  ],
  'a sentence that turns, beside a clause': [
    (n) => `We sell your data to partners in other countries. ${invented(n)}`,
    /^\+.*We sell your data to/m,
  ],
}

describe('a new passage with a part that differs at every fetch', () => {
  it.each(Object.entries(NEW_PASSAGES))('%s: the rest is published once', async (_, [passage, says]) => {
    const { fetched, events } = simulateFetches()
    for (let n = 0; n < FETCHES; n++)
      await fetched(n * 6, n < CHANGED_AFTER ? TERMS : aboveLiability(TERMS, passage(n)))
    expect(events.map(({ diff }) => diff).join('\n')).toMatch(says)
    expect(events).toHaveLength(1)
    expect(events[0]!.hour - CHANGED_AFTER * 6).toBeLessThanOrEqual(96)
  })

  it.each(Object.entries(NEW_PASSAGES))('%s: what is changed there later is published', async (_, [passage]) => {
    const { fetched, events } = simulateFetches()
    const reworded = (n: number) => passage(n).replace('sell', 'rent').replace('owe us', 'may withhold')
    for (let n = 0; n < FETCHES; n++) await fetched(n * 6, aboveLiability(TERMS, n < 3 ? '' : passage(n)))
    for (let n = FETCHES; n < 2 * FETCHES; n++) await fetched(n * 6, aboveLiability(TERMS, reworded(n)))
    expect(events).toHaveLength(2)
    expect(events[1]!.diff).toMatch(/^\+.*(?:We rent your data|You may withhold the fees)/m)
    expect(events[1]!.hour - FETCHES * 6).toBeLessThanOrEqual(96)
  })
})
