import { describe, expect, it } from 'vitest'
import { withoutCutParagraphs } from '../../src/terms/compare/cut-paragraphs-rules.ts'
import { block, change, row } from './blocks.ts'
import { classify } from './read.ts'

const MEMBERS =
  'We run a network for professionals from many countries, and our privacy policy applies to any member or'
const WHOLE = `${MEMBERS} visitor to our services.`
const SOCIAL = 'Our premium services help those who pay to find and reach members and to promote content through social'
const left = (...pairs: [string, string][]) =>
  withoutCutParagraphs(pairs.map(([a, b]) => change([block(a)], [block(b)]))).length

describe('a paragraph that lacks its end', () => {
  it('says nothing where it ends with a word with which no sentence ends', () => {
    expect([left([MEMBERS, WHOLE]), left([WHOLE, MEMBERS])]).toEqual([0, 0])
    const text = (paragraph: string) => `# Privacy\n\n${paragraph}\n\nYou keep your rights in what you send to us.\n`
    expect([classify(text(WHOLE), text(MEMBERS)), classify(text(MEMBERS), text(WHOLE))]).toEqual([
      'cosmetic',
      'cosmetic',
    ])
  })

  it('may end with any word where another one is cut so', () => {
    expect(left([MEMBERS, WHOLE], [SOCIAL, `${SOCIAL} media.`])).toBe(0)
    expect(left([SOCIAL, `${SOCIAL} media.`])).toBe(1)
  })

  it('is left out beside another change, which counts', () => {
    const other = change([block('We keep it for a day.')], [block('We keep it for a year.')])
    expect(withoutCutParagraphs([change([block(MEMBERS)], [block(WHOLE)]), other])).toEqual([other])
  })

  it.each<[string, string, string]>([
    ['14 words', MEMBERS.split(' ').slice(4).join(' '), WHOLE.split(' ').slice(4).join(' ')],
    ['other words', MEMBERS, `${MEMBERS.replace('many', 'some')} visitor.`],
    ['a stop', `${MEMBERS}.`, `${MEMBERS}. We do.`],
    ['no stop when it is whole', MEMBERS, `${MEMBERS} visitor`],
    ['a longer last word', MEMBERS, `${MEMBERS}der of things.`],
  ])('says something with %s', (_what, a, b) => {
    expect(left([a, b])).toBe(1)
  })

  it('says something in a row, and where paragraphs came', () => {
    expect(withoutCutParagraphs([change([row(MEMBERS)], [row(WHOLE)])])).toHaveLength(1)
    expect(withoutCutParagraphs([change([block(MEMBERS)], [block(WHOLE), block('And so on.')])])).toHaveLength(1)
    expect(withoutCutParagraphs([change([block(MEMBERS), block('A.')], [block(WHOLE), block('B.')])])).toHaveLength(1)
  })
})
