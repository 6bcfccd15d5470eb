import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../src/terms/compare/changes-rules.ts'
import { classify as classifyTexts } from '../../src/terms/compare/classify-rules.ts'
import { onlyFailedPart } from '../../src/terms/compare/page-notices-rules.ts'
import { type Block, readText } from '../../src/terms/normalize/normal-form-rules.ts'
import { block, change, item, row } from './blocks.ts'

const TEXT = ['## Privacy', 'We keep your address for a year.', 'You may object to it in writing at any time.']
const HINT = 'If you own this store, turn on customer accounts in your settings. Enable accounts'

function classify(before: string[], after: string[]) {
  const [a, b] = [before, after].map((parts) => readText(parts.join('\n\n')))
  return classifyTexts(a!, b!, changesBetween(a!, b!))
}
/** How it is classified when these lines come at the end, and when they go. */
const atEnd = (...lines: string[]) => [classify(TEXT, [...TEXT, ...lines]), classify([...TEXT, ...lines], TEXT)]

describe('the notice of a part that failed', () => {
  it.each(['Access Denied', 'Forbidden', 'Something went wrong', 'Une erreur'])(
    'is no change below the text: %s',
    (notice) => {
      expect(atEnd(notice, HINT)).toEqual(['cosmetic', 'cosmetic'])
    },
  )

  it('is no change with up to 60 words', () => {
    const [more, most] = [58, 59].map((count) => Array.from({ length: count }, (_, i) => `word${i}`).join(' '))
    expect(atEnd('Access Denied', more!)).toEqual(['cosmetic', 'cosmetic'])
    expect(atEnd('Access Denied', most!)).not.toContain('cosmetic')
  })
})

describe('what looks like such a notice is a change', () => {
  it.each([
    [['Access is denied to minors.']],
    [['Access denied', 'You agree that we may refuse you.']],
    [['Access denied', 'You must pay first.']],
    [['Access denied', 'You shall not complain.']],
    [['Access to forbidden content is banned']],
    [['Whoever is blocked is denied access', HINT]],
    [[HINT, 'Access Denied']],
  ])('at the end: %j', (lines) => {
    expect(atEnd(...lines)).not.toContain('cosmetic')
  })

  it('in a list, and in a row', () => {
    const came = (...blocks: Block[]) => onlyFailedPart(change([], blocks, 0), [])
    expect(came(block('Access Denied'))).toBe(true)
    expect(came(item('Access denied'), item('Account closed'))).toBe(false)
    expect(came(row('Access denied'))).toBe(false)
  })

  it('within the text', () => {
    const [title, ...rest] = TEXT as [string, ...string[]]
    expect(classify(TEXT, [title, 'Access Denied', HINT, ...rest])).not.toBe('cosmetic')
  })

  it('in place of a clause', () => {
    expect(classify(TEXT, [...TEXT.slice(0, 2), 'Access Denied'])).not.toBe('cosmetic')
  })
})
