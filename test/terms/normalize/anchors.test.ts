import { describe, expect, it } from 'vitest'
import { createAnchors } from '../../../src/terms/normalize/anchors-rules.ts'
import { sideBySide } from '../compare/read.ts'

const lines = (...all: string[]) => all.join('\n\n')
const TERMS = lines(
  '# Terms of Service',
  'These terms apply to everyone who uses the service.',
  '## 2. Use',
  '2.1 You may use the service for your own purposes only.',
  '2.2 You may not do any of the following:',
  '(a) copy the service or any part of it for others;',
  'Neither may others do it for you.',
  '### Notices & more',
  'We send notices by electronic mail to your address.',
)
const anchorsOf = (before: string, after: string) =>
  sideBySide(before, after).rows.flatMap(({ anchor, left, right }) => (anchor ? [[anchor.id, right ?? left]] : []))

describe('the anchors of a text', () => {
  it('name each clause by its number and each section without one by its heading, once', () => {
    expect(anchorsOf(TERMS, TERMS)).toEqual([
      ['section-terms-of-service', '# Terms of Service'],
      ['clause-2', '## 2. Use'],
      ['clause-2.1', '2.1 You may use the service for your own purposes only.'],
      ['clause-2.2', '2.2 You may not do any of the following:'],
      ['clause-2.2-a', '(a) copy the service or any part of it for others;'],
      ['section-notices-more', '### Notices & more'],
    ])
  })

  it('are the same whatever a version is compared with', () => {
    const earlier = TERMS.replace('2.1 You', '2.1 Only you').replace(
      '## 2. Use',
      '## 1. Old\n\nIt is gone.\n\n## 2. Use',
    )
    expect(anchorsOf(earlier, TERMS)).toEqual(anchorsOf(TERMS, TERMS))
    expect(sideBySide(earlier, TERMS).rows.map(({ kind }) => kind)).toContain('removed')
  })

  it('are told apart where names are the same, empty, long or of another script', () => {
    const anchorOf = createAnchors()
    const at = (section: string, clause?: string) => anchorOf({ section, clause, heading: true })
    expect(at('Fees')).toEqual({ id: 'section-fees' })
    expect(at('Fees')).toEqual({ id: 'section-fees-2' })
    expect(at('Fees 2')).toEqual({ id: 'section-fees-2-2' })
    expect(at('Fees')).toEqual({ id: 'section-fees-3' })
    expect(at('')).toBeUndefined()
    expect(at('!?')).toEqual({ id: 'section-' })
    expect(at('第一条 目的')).toEqual({ id: 'section-第一条-目的' })
    expect(at('x'.repeat(99))!.id).toHaveLength('section-'.length + 60)
    expect(at('Fees', '3.2(b)')).toEqual({ id: 'clause-3.2-b', clause: '§ 3.2(b)' })
    expect(at('Fees', '3.2.b')).toEqual({ id: 'clause-3.2.b', clause: '§ 3.2.b' })
    expect(at('Fees', 'Schedule 2, 1(a)')).toEqual({ id: 'clause-schedule-2-1-a', clause: 'Schedule 2, 1(a)' })
  })
})
