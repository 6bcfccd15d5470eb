import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { boundedComparer, changesBetween } from '../../src/terms/compare/changes-rules.ts'
import { leaveOut, readText } from '../../src/terms/normalize/normal-form-rules.ts'
import { unitsOf } from '../../src/terms/normalize/units-rules.ts'
import { learn } from '../../src/terms/volatile/learn-rules.ts'
import type { Volatility } from '../../src/terms/volatile/schema.ts'
import { replaceIn, TERMS } from './texts.ts'

const HOUR = 3_600_000
const START = '2025-01-01T00:00:00.000Z' as Instant
const HEADLINES = ['Alpha News', 'Beta Story', 'Gamma Report', 'Delta Notes', 'Epsilon Brief']
const above = (part: string, text = TERMS) => replaceIn(text, '## 4. Liability', `${part}\n\n## 4. Liability`)
const list = (names: string[]) => names.map((name) => `- ${name} of the week`).join('\n')
const turned = (names: string[], n: number) => [...names.slice(n % names.length), ...names.slice(0, n % names.length)]

/** Fetches pages every six hours, the first is in force. Returns what differs at the last, as lines of a difference. */
function differenceAfter(pages: string[]): string[] {
  const [inForce, ...fetched] = pages.map((page) => readText(page))
  let known: Volatility = { places: [] }
  let lines: string[] = []
  for (const [n, text] of fetched.entries()) {
    const time = { at: plus(START, (n + 1) * 6 * HOUR), confirmMs: 24 * HOUR }
    const learned = learn(known, unitsOf(inForce!.allLines), unitsOf(text.allLines), time, boundedComparer())
    known = learned.volatility
    const changes = changesBetween(leaveOut(inForce!, learned.currentLeftOut), leaveOut(text, learned.leftOut))
    lines = changes.flatMap(({ before, after }) => [
      ...before.map((block) => `- ${block.text}`),
      ...after.map((block) => `+ ${block.text}`),
    ])
  }
  return lines
}
const pages = (count: number, page: (n: number) => string) => Array.from({ length: count }, (_, n) => page(n))

describe('a list whose entries take turns', () => {
  it('is left out after four orders, however long it takes to turn', () => {
    expect(differenceAfter(pages(5, (n) => above(list(turned(HEADLINES, n)))))).toEqual([])
  })

  it('is left out when it takes turns in paragraphs', () => {
    expect(differenceAfter(pages(5, (n) => above(list(turned(HEADLINES, n)).replace(/- (.*)/g, '$1.\n'))))).toEqual([])
  })

  it('still shows an entry that came and one that went', () => {
    const names = (n: number) => (n < 6 ? HEADLINES : [...HEADLINES.slice(1), 'Zeta Paper'])
    expect(differenceAfter(pages(10, (n) => above(list(turned(names(n), n)))))).toEqual([
      '- Alpha News of the week',
      '+ Zeta Paper of the week',
    ])
  })

  it('shows a change beside it', () => {
    const text = (n: number) => (n < 6 ? TERMS : replaceIn(TERMS, '30 days', '14 days'))
    expect(differenceAfter(pages(8, (n) => above(list(turned(HEADLINES, n)), text(n))))).toEqual([
      expect.stringContaining('30 days'),
      expect.stringContaining('14 days'),
    ])
  })
})

describe('a part that is replaced once a day', () => {
  it('is left out after four of them, though each stayed as long as a confirmation takes', () => {
    const tip = (n: number) => above(`The tip of day ${Math.floor(n / 4)} is to rest ${7 * Math.floor(n / 4)} hours.`)
    expect(differenceAfter(pages(17, tip))).toEqual([])
  })
})
