import { describe, expect, it } from 'vitest'
import { simulateFetches } from './simulate.ts'
import { replaceIn, TERMS } from './texts.ts'

const other = replaceIn(TERMS, '30 days notice', '14 days notice')
const third = replaceIn(TERMS, 'twelve months', 'six months')

/** Fetches every six hours: each text for so many days. */
async function eventsOf(texts: [days: number, text: string][]) {
  const { fetched, events } = simulateFetches()
  let hour = 0
  for (const [days, text] of texts) for (let n = 0; n < days * 4; n++, hour += 6) await fetched(hour, text)
  return events.map(({ hour: at }) => at / 24)
}

describe('a document that goes back and forth', () => {
  it('makes no event for a text that stays for two days, once another went again', async () => {
    expect(
      await eventsOf([
        [2, TERMS],
        [0.5, other],
        [2, TERMS],
        [2, other],
        [2, TERMS],
      ]),
    ).toEqual([])
  })

  it('makes an event for a text that stays', async () => {
    expect(
      await eventsOf([
        [2, TERMS],
        [0.5, other],
        [2, TERMS],
        [5, third],
      ]),
    ).toEqual([7.5])
  })

  it('is not starved when two editions of it are edited', async () => {
    const edited = (text: string) => replaceIn(text, 'Welcome to Example', 'Welcome to all of Example')
    const turns = Array.from({ length: 6 }, (_, n): [number, string] => [2, edited(n % 2 ? TERMS : other)])
    const events = await eventsOf([[2, TERMS], [0.5, other], [1, TERMS], [0.5, other], [1, TERMS], ...turns])
    expect(events.length).toBeGreaterThanOrEqual(1)
  })
})
