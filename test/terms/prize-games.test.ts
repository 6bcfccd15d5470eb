import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../src/terms/compare/changes-rules.ts'
import { classify as classifyTexts } from '../../src/terms/compare/classify-rules.ts'
import { readText } from '../../src/terms/normalize/normal-form-rules.ts'

const TERMS = ['## Terms of Use', 'We sell shoes on this site.', '## Payment', 'You pay within 30 days.']
const LAW = ['## Law', 'The courts of Berlin decide.']
const GAME = [
  '## Prize draw "Win a pair of shoes"',
  'The prize draw begins on 1 June 2026 and ends on 30 June 2026.',
  '### 1. Prize',
  'The prize of the prize draw is one pair of shoes.',
]
const OTHER = [
  '## Gewinnspiel "Sommer am See"',
  'Das Gewinnspiel läuft vom 1.7.2026 bis zum 31.7.2026.',
  '### 1. Preis',
  'Wer am Gewinnspiel teilnimmt, muss 18 Jahre alt sein.',
]

function classify(before: string[], after: string[]) {
  const [a, b] = [before, after].map((parts) => readText(parts.join('\n\n')))
  return classifyTexts(a!, b!, changesBetween(a!, b!))
}

describe('the rules of a prize game that a page shows while it lasts', () => {
  it('are no change when they come, go, or are those of another game', () => {
    expect(classify(TERMS, [...TERMS, ...GAME])).toBe('cosmetic')
    expect(classify([...TERMS, ...GAME], TERMS)).toBe('cosmetic')
    expect(classify([...TERMS, ...GAME], [...TERMS, ...OTHER])).toBe('cosmetic')
    expect(classify([...TERMS, ...GAME, ...LAW], [...TERMS, ...LAW])).toBe('cosmetic')
  })

  it('are no change when a part of them is another', () => {
    const [title, dates, prize, what] = GAME as [string, string, string, string]
    const two = what.replace('one pair', 'two pairs')
    expect(classify([...TERMS, ...GAME], [...TERMS, title, dates, prize, two])).toBe('cosmetic')
    const longer = dates.replace('30 June', '31 July')
    expect(classify([...TERMS, ...GAME], [...TERMS, title, longer, prize, what])).toBe('cosmetic')
  })

  it.each([
    '## Sorteo de verano',
    '## Jeu-concours « Été »',
    '## Nagradna igra "Poletje"',
    '## Summer sweepstakes',
    '## Rules of the giveaway',
  ])('begin with %s', (title) => {
    const game = [title, 'From 1/6/2026 to 30/6/2026.', 'One pair of shoes is won.']
    expect(classify(TERMS, [...TERMS, ...game])).toBe('cosmetic')
  })
})

describe('beside the rules of a prize game, a change', () => {
  it('of the terms is one', () => {
    const later = TERMS.with(3, 'You pay within 14 days.')
    expect(classify([...TERMS, ...GAME], [...later, ...OTHER])).not.toBe('cosmetic')
    expect(classify([...TERMS, ...GAME], later)).not.toBe('cosmetic')
  })

  it('of a part below them that does not speak of the game is one', () => {
    const changed = ['## Law', 'The courts of Vienna decide.']
    expect(classify([...TERMS, ...GAME, ...LAW], [...TERMS, ...GAME, ...changed])).not.toBe('cosmetic')
    expect(classify([...TERMS, ...GAME, ...LAW], [...TERMS, ...OTHER])).not.toBe('cosmetic')
    expect(classify([...TERMS, ...GAME], [...TERMS, ...GAME, ...LAW])).not.toBe('cosmetic')
  })

  it('of a clause about games in general is one: it has no days', () => {
    const clause = ['## Sweepstakes', 'Sweepstakes on this site may have rules of their own.']
    const other = ['## Sweepstakes', 'Sweepstakes on this site have no rules of their own.']
    expect(classify(TERMS, [...TERMS, ...clause])).not.toBe('cosmetic')
    expect(classify([...TERMS, ...clause], [...TERMS, ...other])).not.toBe('cosmetic')
    const since = ['## Sweepstakes', 'Sweepstakes on this site have no rules since 1 June 2026.']
    expect(classify([...TERMS, ...clause], [...TERMS, ...since])).not.toBe('cosmetic')
    const twice = ['## Sweepstakes', 'Sweepstakes have rules since 1 June 2026. They are those of 1 June 2026.']
    expect(classify(TERMS, [...TERMS, ...twice])).not.toBe('cosmetic')
  })

  it('of a clause that only mentions one is one', () => {
    const mention = 'The prize draw of 1 June 2026 to 30 June 2026 is void.'
    expect(classify(TERMS, [...TERMS, mention])).not.toBe('cosmetic')
    expect(
      classify(TERMS, [...TERMS, '## Competition', 'From 1 June 2026 to 30 June 2026 we do not compete.']),
    ).not.toBe('cosmetic')
  })
})
