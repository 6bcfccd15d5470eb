import { describe, expect, it } from 'vitest'
import { type Screen, screenText } from '../../src/cli/banner.ts'
import { checkText } from '../../src/cli/check.ts'
import { sentenceOf } from '../../src/cli/error-message.ts'
import { plural, table } from '../../src/cli/output.ts'
import { AppError, OperatorError } from '../../src/lib/errors.ts'

const screen: Screen = {
  url: 'http://localhost:8080',
  temporalUi: 'http://localhost:8233',
  checkMinutes: 5,
  seconds: 3.14,
  role: 'all',
}

describe('the first screen', () => {
  it('shows a new key with a question at two instants, ready to paste', () => {
    const text = screenText({ ...screen, newKey: 'ptk_whole' })
    expect(text.match(/curl -s '[^']*' -H 'authorization: Bearer ptk_whole'/g)).toHaveLength(2)
    expect(text).toContain('shown this once')
  })

  it('never shows an old key, only how it ends', () => {
    expect(screenText({ ...screen, keyEnd: 'abcd' })).toMatch(/ends in abcd; another: npm run pricetape -- key create/)
  })

  it('says of a worker that it has no address', () => {
    expect(screenText({ ...screen, url: undefined, role: 'worker' })).not.toContain('API')
  })
})

describe('what a check tells', () => {
  it('names what each source gave, what became of it, and every problem', () => {
    const text = checkText({
      collected: {
        collected: [{ source: 'list', outcome: 'changed', published: 3, held: 1, from: 'bundled', durationMs: 5 }],
        slow: ['big'],
        left: 0,
      },
      fannedOut: { events: 1, deliveries: 2 },
      delivered: { started: 2, succeeded: 1, failed: 1, unclear: 0, unsent: 0 },
      problems: ['Repairing failed: no answer'],
    })
    expect(text).toBe(
      [
        'list: changed (3 prices published, 1 held for review, from bundled)',
        'Collected on their own: big.',
        '1 event became 2 deliveries.',
        '2 attempts made: 1 succeeded, 1 failed.',
        'Problem: Repairing failed: no answer',
      ].join('\n'),
    )
  })
})

describe('what a person is told of a failure', () => {
  it('is one sentence for what we foresaw, and everything for what we did not', () => {
    expect(sentenceOf(new OperatorError('Do this.'))).toBe('Do this.')
    expect(sentenceOf(new AppError('not_found', 'There is no such webhook.'))).toBe(
      'There is no such webhook. (not_found)',
    )
    expect(sentenceOf(new TypeError('x is undefined'))).toMatch(
      /^An unexpected fault: TypeError: x is undefined\n\s+at /,
    )
  })
})

describe('tables', () => {
  it('are as wide as what stands in them, without trailing spaces', () => {
    expect(table(['A', 'LONG'], [['wide', '']])).toBe('A     LONG\nwide')
    expect([plural(1, 'event'), plural(2, 'delivery', 'deliveries')]).toEqual(['1 event', '2 deliveries'])
  })
})
