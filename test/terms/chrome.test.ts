import { describe, expect, it } from 'vitest'
import { withoutPageChrome } from '../../src/terms/normalize/page-chrome-rules.ts'
import type { PlainLine } from '../../src/terms/normalize/plain-text-rules.ts'
import { line, links, plainOf, title } from './lines.ts'

const kept = (...lines: PlainLine[]) => plainOf(withoutPageChrome(lines))
const TEXT = line('You keep all rights in what you send to the services.')
const away = (...names: string[]) =>
  line(names.join(''), { names, targets: names.map((name) => `https://${name}.example.net/`) })

describe('a row of links', () => {
  it('is left out, wherever it is', () => {
    expect(kept(TEXT, links('A', 'B'), TEXT)).toEqual([TEXT.plain, TEXT.plain])
    expect(kept(TEXT, links('A'), TEXT)).toEqual([TEXT.plain, 'A', TEXT.plain])
  })

  it('is part of the document when the line before says so', () => {
    const before = line('We use these sub-processors:')
    expect(kept(before, links('A', 'B'), TEXT)).toEqual([before.plain, 'A', 'B', TEXT.plain])
    expect(kept(TEXT, before, links('A', 'B'), links('C', 'D'))).toEqual([TEXT.plain, before.plain, 'A', 'B', 'C', 'D'])
    expect(kept(before, TEXT, links('A', 'B'))).toEqual([before.plain, TEXT.plain])
  })

  it('is an index when it leads to parts of the page, or is a heading', () => {
    const before = line('We use these sub-processors:')
    const parts = line('AB', { names: ['A', 'B'], targets: ['#a', 'https://example.com/x#b'] })
    expect(kept(before, parts, TEXT)).toEqual([before.plain, TEXT.plain])
    expect(kept(before, { ...links('A'), heading: true }, TEXT)).toEqual([before.plain, 'A', TEXT.plain])
  })
})

describe('a menu in lines of their own', () => {
  const menu = (...names: string[]) => names.map((name) => links(name))

  it('has four links', () => {
    expect(kept(TEXT, ...menu('A', 'B', 'C', 'D'), TEXT)).toEqual([TEXT.plain, TEXT.plain])
    expect(kept(TEXT, ...menu('A', 'B', 'C'), TEXT)).toEqual([TEXT.plain, 'A', 'B', 'C', TEXT.plain])
  })

  it('may have one title above it and between its links', () => {
    expect(kept(TEXT, line('About us'), ...menu('A', 'B'), line('More'), ...menu('C', 'D'), TEXT)).toEqual([
      TEXT.plain,
      TEXT.plain,
    ])
    const apart = kept(TEXT, ...menu('A', 'B'), line('One'), line('Two'), ...menu('C', 'D'), TEXT)
    expect(apart).toHaveLength(8)
    expect(kept(TEXT, line('All about us and you'), ...menu('A', 'B', 'C', 'D'), TEXT)).toHaveLength(3)
    expect(kept(TEXT, ...menu('A', 'B'), line('All about us and you'), ...menu('C', 'D'), TEXT)).toHaveLength(7)
  })

  it('leads to pages of the site in half of its lines', () => {
    const others = ['p', 'q', 'r', 's'].map((name) => away(name))
    const home = [links('A'), links('B'), links('C'), links('D'), links('E')]
    expect(kept(...home, TEXT, ...others, TEXT)).toEqual([TEXT.plain, 'p', 'q', 'r', 's', TEXT.plain])
    const networks = ['x.com', 'www.youtube.com', 'github.com', 'facebook.com'].map((host) =>
      line(host, { names: [host], targets: [`https://${host}/example`] }),
    )
    expect(kept(...home, TEXT, ...networks, TEXT)).toEqual([TEXT.plain, TEXT.plain])
    const within = ['/a', '/b', '/c', '/d'].map((target) => line(target, { names: [target], targets: [target] }))
    expect(kept(...home, TEXT, ...within, TEXT)).toEqual([TEXT.plain, TEXT.plain])
  })
})

describe('the edges of a page', () => {
  it('are labels with at least as many links, three of them', () => {
    expect(kept(line('Menu one'), links('A'), links('B'), links('C'), TEXT)).toEqual([TEXT.plain])
    expect(kept(TEXT, links('A'), links('B'), links('C'))).toEqual([TEXT.plain])
    expect(kept(links('A'), links('B'), TEXT)).toEqual(['A', 'B', TEXT.plain])
    expect(kept(TEXT, links('A'), links('B'))).toEqual([TEXT.plain, 'A', 'B'])
  })

  it('end where labels are more than links', () => {
    const labels = Array.from({ length: 4 }, (_, i) => line(`Label number ${i}`))
    expect(kept(...labels, links('A'), links('B'), links('C'), TEXT)).toHaveLength(8)
    expect(kept(...labels.slice(1), links('A'), links('B'), links('C'), TEXT)).toEqual([TEXT.plain])
  })

  it('keep headings and dates above the document', () => {
    expect(kept(title('Terms'), line('3 May 2025'), links('A'), links('B'), links('C'), TEXT)).toEqual([
      'Terms',
      '3 May 2025',
      TEXT.plain,
    ])
  })

  it('have a title above the last links', () => {
    expect(kept(TEXT, line('Company news'), links('A'), links('B'), links('C'))).toEqual([TEXT.plain])
    const long = 'The company and its news'
    expect(kept(TEXT, line(long), links('A'), links('B'), links('C'))).toEqual([TEXT.plain, long])
  })

  it('do not lead elsewhere', () => {
    const home = [links('A', 'B', 'C', 'D')]
    expect(kept(TEXT, ...home, TEXT, away('p'), away('q'), away('r'))).toEqual([TEXT.plain, TEXT.plain, 'p', 'q', 'r'])
  })
})

describe('what a site writes about its page', () => {
  const summary = (count: number) => Array.from({ length: count }, () => TEXT)

  it('is left out up to the next heading, of 15 lines', () => {
    expect(kept(title('Key takeaways'), TEXT, TEXT, title('Scope'), TEXT)).toEqual(['Scope', TEXT.plain])
    expect(kept(title('Page summary'), ...summary(14), title('Scope'))).toEqual(['Scope'])
    expect(kept(title('AI summary'), ...summary(15), title('Scope'))).toHaveLength(16)
    expect(kept(title('Key takeaways'), TEXT)).toEqual([TEXT.plain])
    expect(kept(title('Scope'), line('Key takeaways of this'), TEXT)).toHaveLength(3)
    expect(kept(line('AI summary'), TEXT, title('Scope'))).toHaveLength(3)
  })
})

describe('a bar that announces an update above the title', () => {
  const bar = line('We updated our Privacy Policy, and you can read it here if you want to.')

  it('is left out up to the title, within three lines', () => {
    expect(kept(bar, title('Terms'), TEXT)).toEqual(['Terms', TEXT.plain])
    expect(kept(TEXT, bar, TEXT, TEXT, title('Terms'))).toEqual([TEXT.plain, 'Terms'])
    expect(kept(bar, TEXT, TEXT, TEXT, title('Terms'))).toHaveLength(5)
    expect(kept(bar, line('Since 3 May 2025, for all of you and for us.'), title('Terms'))).toEqual([
      'Since 3 May 2025, for all of you and for us.',
      'Terms',
    ])
  })

  it('is part of the document below its title, or where there is none', () => {
    expect(kept(title('Terms'), bar)).toHaveLength(2)
    expect(kept(bar, TEXT)).toHaveLength(2)
  })
})
