import { describe, expect, it } from 'vitest'
import { onlyAddressesShown } from '../../../src/terms/compare/addresses-rules.ts'
import { withoutEdgeLinks } from '../../../src/terms/normalize/edge-links-rules.ts'
import { withoutLinkHints } from '../../../src/terms/normalize/link-hints-rules.ts'
import { expandLinkLists } from '../../../src/terms/normalize/link-lists-rules.ts'
import { plainLines } from '../../../src/terms/normalize/plain-text-rules.ts'
import { applyLineRules } from '../../../src/terms/normalize/text-table-rules.ts'
import { labelsAroundTitle } from '../../../src/terms/normalize/title-rules.ts'
import { block, change } from './blocks.ts'

describe('addresses that a page shows or hides', () => {
  const shown = (before: string, after: string) => onlyAddressesShown(change([block(before)], [block(after)]))

  it('are those that a script writes where a word waits for them', () => {
    expect(shown('You can contact our officer at', 'You can contact our officer at privacy@example.com')).toBe(true)
    expect(shown('Contact us at', 'Contact us at privacy@example.com')).toBe(false)
  })

  it('are not other addresses in their place', () => {
    const at = (address: string) => `You can contact our officer at ${address} at any time`
    expect(shown(at('a@example.com'), at('b@example.com'))).toBe(false)
    expect(onlyAddressesShown(change([], [block(at('a@example.com'))]))).toBe(false)
  })
})

describe('labels around the title', () => {
  const left = (markdown: string) => labelsAroundTitle(plainLines(markdown)).map(({ plain }) => plain)
  const filler = (count: number) => Array.from({ length: count }, (_, i) => `Label ${i}`).join('\n\n')

  it('are left out, sentences and dates are not', () => {
    expect(left('France\n\n# Terms\n\nFrance')).toEqual(['Terms', 'France'])
    expect(left('These terms bind.\n\nUpdated 3 May 2026\n\n# Terms')).toHaveLength(3)
    expect(left('one two three four five six seven eight nine\n\n# Terms')).toHaveLength(2)
    expect(left('one two three four five six seven eight\n\n# Terms')).toHaveLength(1)
  })

  it('are up to two words between the title and the first sentence', () => {
    const below = (label: string) => left(`# Terms\n\nUpdated 3 May 2026\n\n${label}\n\nYou pay each month.\n\nEnglish`)
    expect(below('English')).toEqual(['Terms', 'Updated 3 May 2026', 'You pay each month.', 'English'])
    expect(below('For all customers')).toHaveLength(5)
    expect(below('- English')).toHaveLength(5)
  })

  it('are within twelve lines of the top', () => {
    expect(left(`${filler(11)}\n\n# Terms`)).toEqual(['Terms'])
    expect(left(`${filler(12)}\n\n# Terms`)).toHaveLength(13)
  })

  it('are entries of a list above a title of the first level: where the page is in the site', () => {
    expect(left('- Legal\n\n# Notice\n\n- Legal')).toEqual(['Notice', 'Legal'])
    expect(left('- Legal\n\n## Notice')).toEqual(['Legal', 'Notice'])
    expect(left('- one two three four five six seven eight nine\n\n# Notice')).toHaveLength(2)
  })

  it('are nothing where no heading follows', () => {
    expect(left('France\n\nYou pay each month.')).toHaveLength(2)
  })
})

describe('the rules about lines', () => {
  it('leave the number of a clause, and nothing else, before a line where clause numbers count', () => {
    const counted = applyLineRules(plainLines('3.2 You pay us.\n\nWe pay you.'), new Set(['clause numbers']))
    expect(counted.map(({ plain }) => plain)).toEqual(['3.2 You pay us.', 'We pay you.'])
  })
})

describe('hints about links', () => {
  it.each([
    ['as these terms(opens in a new window) say', 'as these terms say'],
    ['as these terms (opens in a new tab) say', 'as these terms say'],
    ['siehe Bedingungen (öffnet in neuem Fenster)', 'siehe Bedingungen'],
    ['voir les conditions (s’ouvre dans un nouvel onglet)'.replace('’', "'"), 'voir les conditions'],
  ])('are left out: %s', (line, rest) => {
    expect(withoutLinkHints(line)).toBe(rest)
  })

  it('are not what a document says of windows', () => {
    expect(withoutLinkHints('The store opens in a new building.')).toBe('The store opens in a new building.')
  })
})

describe('links at the edges of a text', () => {
  const left = (markdown: string) => withoutEdgeLinks(expandLinkLists(plainLines(markdown))).map(({ plain }) => plain)
  const CLAUSE = 'You may use the services for your own business, as these terms say.'

  it('are left out when they are two lines or more, with labels between them', () => {
    expect(left(`[Home](/)\n\nProducts\n\n[Pricing](/p)\n\n${CLAUSE}`)).toEqual([CLAUSE])
    expect(left(`${CLAUSE}\n\n[How to begin](/a)\n\n[How to end](/b)`)).toEqual([CLAUSE])
    expect(left(`${CLAUSE}\n\n[How to begin](/a)`)).toEqual([CLAUSE, 'How to begin'])
  })

  it('go with the title of those below the text, and a heading that has nothing below it', () => {
    const links = '[How to begin](/a)\n\n[How to end](/b)'
    expect(left(`${CLAUSE}\n\n## Related articles\n\n${links}`)).toEqual([CLAUSE])
    expect(left(`${CLAUSE}\n\nRelated articles\n\n${links}`)).toEqual([CLAUSE])
    expect(left(`${CLAUSE}\n\nExample Inc\n\nRelated articles\n\n${links}`)).toEqual([CLAUSE, 'Example Inc'])
    expect(left(`${CLAUSE}\n\n## Related articles\n\n${links}\n\n## Was this article helpful?`)).toEqual([CLAUSE])
    // A title with a menu above it is a title, and a heading without links is part of the text.
    expect(left(`${links}\n\n# Terms\n\n${CLAUSE}`)).toEqual(['Terms', CLAUSE])
    expect(left(`${CLAUSE}\n\n## Annex`)).toEqual([CLAUSE, 'Annex'])
    expect(left(`${CLAUSE}\n\n## 12. Notices\n\n${links}`)).toHaveLength(2)
  })

  it('have labels of eight words between them, and a title of four', () => {
    const [first, second] = ['[How to begin](/a)', '[How to end](/b)']
    const between = (label: string) => left(`${CLAUSE}\n\n${first}\n\n${label}\n\n${second}\n\n${second}`)
    expect(between('one two three four five six seven eight')).toEqual([CLAUSE])
    expect(between('one two three four five six seven eight nine')).toHaveLength(3)
    expect(between('## 12. Notices')).toHaveLength(3)
    const titled = (title: string) => left(`${CLAUSE}\n\n${title}\n\n${first}\n\n${second}`)
    expect(titled('More from this section')).toEqual([CLAUSE])
    expect(titled('More pages from this section')).toHaveLength(2)
    expect(titled('## More pages from this section')).toEqual([CLAUSE])
  })

  it('stay where the document introduces them, and between its paragraphs', () => {
    const list = '- [Alpha](https://alpha.example)\n- [Beta](https://beta.example)'
    expect(left(`${CLAUSE}\n\nWe use these sub-processors:\n\n${list}`)).toHaveLength(4)
    expect(left(`${CLAUSE}\n\n${list}\n\n${CLAUSE}`)).toHaveLength(4)
  })

  it('stay on a page of nothing else', () => {
    expect(left('[Alpha](/a)\n\n[Beta](/b)\n\n[Gamma](/c)')).toHaveLength(3)
  })
})
