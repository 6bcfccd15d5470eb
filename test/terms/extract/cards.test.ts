import { describe, expect, it } from 'vitest'
import { extractHtml } from '../../../src/terms/extract/html.ts'
import { blocksOf, differenceOf } from '../compare/read.ts'

/** The names of the rows of a text. */
const names = (markdown: string) => blocksOf(markdown).flatMap(({ row }) => row ?? [])
const markdownOf = (html: string, select: string[] = []) =>
  extractHtml(`<body>${html}</body>`, { select, remove: [] }).markdown

describe('cards of sub-processors', () => {
  const card = (...parts: string[]) => `<div>${parts.map((part) => `<div>${part}</div>`).join('')}</div>`
  const cards = [
    card('Alpha', 'Hosting', 'US'),
    card('Beta', 'Mail', 'Ireland', 'beta.example'),
    card('Gamma', 'Billing', 'US'),
  ]
  const page = (title: string, all: string[]) =>
    `<main><h1>Trust</h1><div id="list"><div>${title}</div>${all.join('')}</div></main>`
  const rows = (html: string) => names(markdownOf(html))

  it('are the rows of a table, each with its name', () => {
    expect(rows(page('All subprocessors', cards))).toEqual(['Alpha', 'Beta', 'Gamma'])
    const markdown = markdownOf(page('All subprocessors', cards), ['#list'])
    expect(markdown).toContain('| Beta | Mail | Ireland | beta.example |')
    const [before, after] = [cards, [...cards, card('Delta', 'Search', 'US')]].map((all) =>
      markdownOf(page('All subprocessors', all), ['#list']),
    )
    expect(differenceOf(before!, after!).rows).toEqual([
      { section: 'All subprocessors', added: ['Delta'], removed: [], changed: [] },
    ])
  })

  it('are found below a heading beside the element around them, and with pictures and wrappers', () => {
    const wrapped = cards.map((one) => `<section><img src="a.png">${one}</section>`).join('')
    expect(rows(`<main><h2>Our sub-processors</h2><div><div>${wrapped}</div></div></main>`)).toEqual([
      'Alpha',
      'Beta',
      'Gamma',
    ])
  })

  it('are not cards of other things, no paragraphs, and no fewer than three', () => {
    expect(rows(page('Related articles', cards))).toEqual([])
    expect(rows(page('All subprocessors', cards.slice(1)))).toEqual([])
    const texts = ['We use them.', 'We inform you.', 'You may object.'].map((text) => card(text, 'It is so.'))
    expect(rows(page('All subprocessors', texts))).toEqual([])
    const lists = ['Alpha', 'Beta', 'Gamma'].map((name) => card(name, '<ul><li>One</li></ul>'))
    expect(rows(page('All subprocessors', lists))).toEqual([])
  })

  /** Three such cards, and whether they become a table. */
  const isTable = (card: string, above = '<div>All subprocessors</div>', before = '') =>
    markdownOf(`<main>${above}<div>${before}${card.repeat(3)}</div></main>`, ['main']).includes('|')

  it.each<[what: string, card: string, is: boolean]>([
    ['two parts, with spaces around', '<div> <b>Alpha</b> <span>Mail</span> </div>', true],
    ['comments around its parts', '<div><!----><b>Alpha</b><!----><!----><!----><!----><span>Mail</span></div>', true],
    ['signs between its parts', '<div><b>Alpha</b> • <span>Mail</span></div>', true],
    ['words of its own', '<div><b>Alpha</b> sends mail from <span>Ireland</span></div>', false],
    ['one part', '<div><b>Alpha</b></div>', false],
    ['eight parts', card(...'ABCDEFGH'), true],
    ['nine parts', card(...'ABCDEFGHI'), false],
    ['a name of ten words', card('a b c d e f g h i j', 'Mail'), true],
    ['a name of eleven words', card('a b c d e f g h i j k', 'Mail'), false],
    ['no name', card('', 'Mail', 'Ireland'), false],
    ['a question as its name', card('Alpha?', 'Mail'), false],
    ['a name alone', card('Alpha', '', ''), false],
    ['an empty part', card('Alpha', '', 'Mail'), true],
    ['a part of 600 characters', card('Alpha', 'm'.repeat(600)), true],
    ['a part of 601 characters', card('Alpha', 'Mail', 'm'.repeat(601)), false],
    ['a paragraph as a part', card('Alpha', '<p>Mail</p>'), true],
    ['two paragraphs in a part', card('Alpha', '<p>Mail</p><p>Post</p>'), false],
    ['a table in a part', card('Alpha', '<table><tr><td>Mail</td></tr></table>'), false],
    ['a list as a part', '<div><b>Alpha</b><ul><li>Mail</li></ul></div>', false],
    ['an element that holds no text', '<div><b>Alpha</b><section>Mail</section></div>', false],
  ])('have parts: with %s', (_, one, is) => {
    expect(isTable(one)).toBe(is)
  })

  it('are those at the end of a list that are of one kind', () => {
    const other = '<section><b>Note</b><span>of the page</span></section>'
    expect(markdownOf(`<main><h2>Subprocessors</h2><div>${other}${cards.join('')}</div></main>`)).not.toMatch(/\| Note/)
    expect(
      rows(`<main><h2>Subprocessors</h2><div><b>${'All of them '.repeat(4)}</b>${cards.join('')}</div></main>`),
    ).toEqual([])
  })

  it.each<[what: string, above: string, is: boolean]>([
    ['right above', '<h2>Sub-processors</h2>', true],
    ['above an empty element', '<h2>Sub-processors</h2><div> </div>', true],
    ['above another text', '<h2>Sub-processors</h2><div>Related articles</div>', false],
    ['within the last 300 characters above', `<p>subprocessors${'x'.repeat(287)}</p>`, true],
    ['further above', `<p>subprocessors${'x'.repeat(288)}</p>`, false],
  ])('are introduced by words %s', (_, above, is) => {
    expect(isTable(card('Alpha', 'Mail'), above)).toBe(is)
  })

  it('are introduced by words beside one of five elements around them', () => {
    const within = (levels: number) => {
      const list = `${'<div>'.repeat(levels)}${card('Alpha', 'Mail').repeat(3)}${'</div>'.repeat(levels)}`
      return markdownOf(`<main><h2>Sub-processors</h2>${list}</main>`, ['main']).includes('|')
    }
    expect([within(5), within(6)]).toEqual([true, false])
  })
})
