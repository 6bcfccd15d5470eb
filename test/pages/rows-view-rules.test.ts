import { describe, expect, it } from 'vitest'
import { bounded, rowsView as viewOf } from '../../src/pages/rows-view-rules.ts'
import { contents, textView as textOf } from '../../src/pages/text-view-rules.ts'
import type { SideBySideRow } from '../../src/terms/compare/side-by-side-rules.ts'

type More = Partial<SideBySideRow>
const row = (given: More & Pick<SideBySideRow, 'kind'>): SideBySideRow => ({
  section: 'Fees',
  heading: false,
  ...given,
})
const same = (text: string, more: More = {}) => row({ kind: 'same', left: text, right: text, ...more })
const removed = (text: string, more: More = {}) => row({ kind: 'removed', left: text, ...more })
const added = (text: string, more: More = {}) => row({ kind: 'added', right: text, ...more })
const changed = (left: string, right: string, more: More = {}) => row({ kind: 'changed', left, right, ...more })
const heading = (text: string, more: More = {}) => same(`## ${text}`, { section: text, heading: true, ...more })
/** As many unchanged paragraphs: u1, u2 … */
const unchanged = (count: number, more: More = {}) => Array.from({ length: count }, (_, i) => same(`u${i + 1}`, more))

const addressOf = (anchor: string) => `?to=v2#${anchor}`
const rowsView = (rows: SideBySideRow[]) => viewOf(rows, addressOf)
const textView = (all: SideBySideRow[]) => {
  const { rows, cut } = bounded(all)
  return { view: textOf(rows, addressOf), cut }
}
const markup = (rows: SideBySideRow[]) => rowsView(rows).view.map((part) => part.markup)
const words = (text: string) => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim() // biome-ignore format: one step after another
/** What each part says, in words. */
const outline = (rows: SideBySideRow[]) => markup(rows).map(words)

describe('a difference on a page', () => {
  it('shows a change under the heading of its section, with its words marked and its context beside it', () => {
    const rows = [
      heading('Fees', { clause: '3', anchor: { id: 'clause-3', clause: '§ 3' } }),
      changed('Pay in 30 days', 'Pay in 14 days', {
        words: [
          { text: 'Pay in ', kind: 'same' },
          { text: '30 ', kind: 'removed' },
          { text: '14 ', kind: 'added' },
          { text: 'days', kind: 'same' },
        ],
      }),
      same('3.1 Plan <Fee>', { clause: '3.1', anchor: { id: 'clause-3.1', clause: '§ 3.1' } }),
    ]
    expect(markup(rows)).toEqual([
      '<section class="part" id="part-1"><h3 dir="auto" id="clause-3"><span class="clause">§ 3</span> Fees</h3>' +
        '<div class="pair changed"><div class="side"><p class="label">Before</p><p dir="auto">Pay in <del>30</del> days</p></div>' +
        '<div class="side"><p class="label">After</p><p dir="auto">Pay in <ins>14</ins> days</p></div></div>' +
        '<div class="pair same" id="clause-3.1"><div class="side"><p class="label">Both</p><p dir="auto">3.1 Plan &lt;Fee&gt;</p></div>' +
        '<div class="side" aria-hidden="true"><p dir="auto">3.1 Plan &lt;Fee&gt;</p></div></div></section>',
    ])
  })

  it('shows what went and what is new on its own side, and the other side says nothing', () => {
    expect(
      markup([
        removed('old <b>'),
        added('(a) new <i>', { clause: '2(a)', depth: 2, anchor: { id: 'clause-2-a', clause: '§ 2(a)' } }),
      ]),
    ).toEqual([
      '<section class="part" id="part-1"><h3 dir="auto">Fees</h3>' +
        '<div class="pair removed"><div class="side"><p class="label">Removed</p><p dir="auto"><del>old &lt;b&gt;</del></p></div>' +
        '<div class="side" aria-hidden="true"></div></div>' +
        '<div class="pair added" id="clause-2-a">' +
        '<p class="where"><a href="?to=v2#clause-2-a" aria-label="Link to § 2(a), Fees">§ 2(a)</a></p>' +
        '<div class="side" aria-hidden="true"></div>' +
        '<div class="side"><p class="label">Added</p><p dir="auto" class="depth-2"><ins>(a) new &lt;i&gt;</ins></p></div></div></section>',
    ])
  })

  it('marks a whole paragraph where its words were not compared', () => {
    expect(markup([changed('old', 'new')])[0]).toContain('<del>old</del>')
    expect(markup([changed('old', 'new')])[0]).toContain('<ins>new</ins>')
  })

  it('shows headings without the mark that the text has for them, and paragraphs as they are', () => {
    const title = { heading: true, section: 'New' }
    expect(outline([removed('## Old', title), added('## New', title)])).toEqual(['New Removed Old Added New'])
    expect(outline([changed('## Old', '## New', title)])).toEqual(['New Before Old After New'])
    const compared: More = {
      ...title,
      words: [
        { text: '## Old ', kind: 'removed' },
        { text: '## New ', kind: 'added' },
        { text: '## fees', kind: 'same' },
      ],
    }
    expect(outline([changed('## Old ## fees', '## New ## fees', compared)])).toEqual([
      'New Before Old ## fees After New ## fees',
    ])
    expect(outline([removed('## no heading')])).toEqual(['Fees Removed ## no heading'])
    expect(outline([removed('a ## b', title)])).toEqual(['New Removed a ## b'])
  })

  it('names a change before the first heading as such', () => {
    expect(outline([added('new', { section: '' })])).toEqual(['Before the first heading Added new'])
  })

  it('shows one paragraph on each side of a change, and folds the others', () => {
    const rows = [...unchanged(3), added('new'), ...unchanged(2)]
    expect(outline(rows)).toEqual(['2 unchanged paragraphs u1 u2', 'Fees Both u3 u3 Added new Both u1 u1', '1 unchanged paragraph u2']) // biome-ignore format: one part after another
    expect(markup(rows)[2]).toBe('<details><summary>1 unchanged paragraph</summary><p dir="auto">u2</p></details>')
  })

  it('folds three paragraphs and more between the contexts of two changes, and shows fewer', () => {
    const between = (count: number) => outline([added('a'), ...unchanged(count), added('b')])
    expect(between(4)).toEqual(['Fees Added a Both u1 u1 Both u2 u2 Both u3 u3 Both u4 u4 Added b'])
    expect(between(5)).toEqual([
      'Fees Added a Both u1 u1',
      '3 unchanged paragraphs u2 u3 u4',
      'Fees Both u5 u5 Added b',
    ])
  })

  it('takes no context from another section, and folds what is between two sections', () => {
    const rows = [
      added('a', { section: 'One' }),
      same('end', { section: 'One' }),
      heading('Two'),
      same('begin', { section: 'Two' }),
      added('b', { section: 'Two' }),
    ]
    expect(outline(rows)).toEqual(['One Added a Both end end', 'Two Both begin begin Added b'])
    const apart = [
      added('a', { section: 'One' }),
      heading('Two'),
      ...unchanged(2, { section: 'Two' }),
      added('b', { section: 'Two' }),
    ]
    expect(outline(apart)).toEqual(['One Added a', 'Two Both u1 u1 Both u2 u2 Added b'])
    const next = [added('a', { section: 'One' }), added('b', { section: 'Two' })]
    expect(outline(next)).toEqual(['One Added a', 'Two Added b'])
  })

  it('shows the number of a section above its changes, and what a paragraph has of its own', () => {
    const rows = [
      heading('3. Fees', { section: 'Fees', clause: '3' }),
      added('of the section', { clause: '3' }),
      added('3.1 of its own', { clause: '3.1' }),
      heading('Law', { clause: undefined }),
      added('without', { section: 'Law' }),
    ]
    expect(outline(rows)).toEqual(['§ 3 Fees Added of the section § 3.1 Added 3.1 of its own', 'Law Added without'])
    const renumbered = row({ kind: 'same', left: '(b) kept', right: '(c) kept', depth: 9 })
    expect(markup([added('new'), renumbered])[0]).toContain(
      '<p dir="auto" class="depth-4">(b) kept</p></div><div class="side" aria-hidden="true"><p dir="auto" class="depth-4">(c) kept</p>',
    )
  })

  it('leads from the list of changes to the first one of each section and clause', () => {
    const rows = [
      ...unchanged(3, { section: 'One' }),
      added('a', { section: 'One' }),
      ...unchanged(9, { section: 'One' }),
      added('b', { section: 'One', clause: '2', anchor: { id: 'clause-2', clause: '§ 2' } }),
      removed('c', { section: 'One', clause: '3' }),
      added('d', { section: 'Two' }),
    ]
    const { view, find } = rowsView(rows)
    const found = [find('One', undefined), find('One', '2'), find('One', '3'), find('Two', '9')]
    expect(found).toEqual(['part-2', 'clause-2', 'part-4-3', 'part-5'])
    expect(find('Three', undefined)).toBeUndefined()
    const ids = view.flatMap((part) => [...part.markup.matchAll(/id="(.*?)"/g)].map(([, id]) => id))
    expect(ids).toEqual(['part-2', 'part-4', 'clause-2', 'part-4-3', 'part-5'])
  })

  it('has the anchors of what is folded too, so that a link to a clause opens it', () => {
    const folded = same('2.1 kept', { clause: '2.1', anchor: { id: 'clause-2.1', clause: '§ 2.1' } })
    expect(markup([folded, ...unchanged(2), added('new')])[0]).toBe(
      '<details><summary>2 unchanged paragraphs</summary><div class="place" id="clause-2.1">' +
        '<a class="cited" href="?to=v2#clause-2.1" aria-label="Link to § 2.1">§ 2.1</a><p dir="auto">2.1 kept</p></div>' +
        '<p dir="auto">u1</p></details>',
    )
  })
})

describe('a text on a page', () => {
  it('is its headings of each level and its paragraphs, with their numbers', () => {
    const { view, cut } = textView([
      heading('3. Fees', { level: 2 }),
      same('a & b'),
      row({ kind: 'same', heading: true, level: 3, left: '### 3.1 Rates' }),
      row({ kind: 'same', heading: true, level: 6, left: '###### Notes' }),
      same('• c', { depth: 2 }),
    ])
    expect(view.map((part) => part.markup)).toEqual([
      '<h3 dir="auto">3. Fees</h3>',
      '<p dir="auto">a &amp; b</p>',
      '<h4 dir="auto">3.1 Rates</h4>',
      '<h5 dir="auto">Notes</h5>',
      '<p dir="auto" class="depth-2">• c</p>',
    ])
    expect(cut).toBe(false)
    expect(textView([row({ kind: 'same' })]).view[0]!.markup).toBe('<p dir="auto"></p>')
  })

  it('links to each clause by its number, and to each section', () => {
    const { view } = textView([
      heading('Fees', { anchor: { id: 'section-fees' } }),
      same('Title', { section: 'Title', anchor: { id: 'section-title' } }),
      same('4.2 a', { clause: '4.2', anchor: { id: 'clause-4.2', clause: '§ 4.2' } }),
    ])
    const link = (id: string, name: string, said: string) =>
      `<div class="place" id="${id}"><a class="cited" href="?to=v2#${id}" aria-label="Link to ${name}">${said}</a>`
    expect(view.map(({ markup }) => markup)).toEqual([
      `${link('section-fees', 'Fees', '#')}<h3 dir="auto">Fees</h3></div>`,
      `${link('section-title', 'Title', '#')}<p dir="auto">Title</p></div>`,
      `${link('clause-4.2', '§ 4.2', '§ 4.2')}<p dir="auto">4.2 a</p></div>`,
    ])
  })

  it('has a table of contents from five sections on', () => {
    const section = (n: number) => heading(`Part ${n}`, { level: n, anchor: { id: `section-part-${n}` } })
    const four = [1, 2, 3, 4].flatMap((n) => [section(n), same('text', { section: `Part ${n}` })])
    expect(contents(four)).toBeUndefined()
    const title = same('Last <part>', { section: 'Last <part>', anchor: { id: 'section-last-part' } })
    const { markup } = contents([...four, title, same('text', { section: 'Last <part>' })])!
    expect(markup.match(/<li.*?<\/li>/g)).toEqual([
      ...[1, 2, 3, 3].map(
        (level, n) => `<li class="level-${level}"><a href="#section-part-${n + 1}"><bdi>Part ${n + 1}</bdi></a></li>`,
      ),
      '<li class="level-2"><a href="#section-last-part"><bdi>Last &lt;part&gt;</bdi></a></li>',
    ])
  })
})

it('a table of contents has 300 sections at most', () => {
  const section = (n: number) => heading(`Part ${n}`, { anchor: { id: `section-${n}` } })
  const listed = (count: number) => contents(Array.from({ length: count }, (_, n) => section(n)))!.markup
  for (const [count, shown] of [
    [299, 299],
    [300, 300],
    [301, 300],
  ] as const)
    expect(listed(count).match(/<li/g)).toHaveLength(shown)
  expect(listed(301)).not.toContain('#section-300"')
})

describe('what is too long for one page', () => {
  const long = (length: number) => 'x'.repeat(length)

  it('is cut after 500,000 characters that did not change: later changes are still shown', () => {
    const whole = textView([same(long(499_999)), same('y')])
    expect([whole.view.length, whole.cut]).toEqual([2, false])
    const more = textView([same(long(499_999)), same('yy'), same('z')])
    expect([more.view.length, more.cut]).toEqual([1, true])
    const { view, cut } = rowsView([same(long(500_000)), same('y'), added('new')])
    expect([view.length, cut]).toEqual([1, true])
    expect(view[0]!.markup).toContain('<ins>new</ins>')
    expect(view[0]!.markup).not.toContain('<p dir="auto">y</p>')
  })

  it('is cut after 1,000,000 characters that changed, of both sides together', () => {
    const shown = (...rows: SideBySideRow[]) => {
      const { view, cut } = rowsView(rows)
      return [view.map((part) => words(part.markup).replace(/x{9,}/g, 'x…')), cut]
    }
    const [half, more] = [long(500_000), long(500_001)]
    expect(shown(changed(half, half), same('end'))).toEqual([['Fees Before x… After x… Both end end'], false])
    expect(shown(added('first'), changed(half, half), same('end'))).toEqual([['Fees Added first'], true])
    expect(shown(changed(half, more), same('end'))).toEqual([[], true])
    expect(shown(removed(half), added(half), added('y'))).toEqual([['Fees Removed x… Added x…'], true])
  })
})
