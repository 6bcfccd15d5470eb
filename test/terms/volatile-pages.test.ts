import { describe, expect, it } from 'vitest'
import { simulateFetches } from './simulate.ts'
import { replaceIn, TERMS } from './texts.ts'
import { ALL_VOLATILE } from './volatile-pages.ts'

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
