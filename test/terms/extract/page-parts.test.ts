import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import type { Element } from '../../../src/terms/extract/elements.ts'
import { openFoldedParts } from '../../../src/terms/extract/folded-parts.ts'
import { extractHtml } from '../../../src/terms/extract/html.ts'
import { writeLetters } from '../../../src/terms/extract/lettered-lists.ts'
import { tidyMarkdown } from '../../../src/terms/extract/markdown.ts'
import { above } from '../../../src/terms/extract/page-head.ts'
import { assertFewTags, assertParsable } from '../../../src/terms/extract/page-limits.ts'
import { placeShadowRoots } from '../../../src/terms/extract/shadow-roots.ts'

const words = (count: number, name = 'word') => Array.from({ length: count }, (_, i) => `${name}${i}`).join(' ')
const read = (body: string) =>
  extractHtml(`<body><main>${body}</main></body>`, { select: ['main'], remove: [] }).markdown
/** The body of a page after something was done to it. */
const changed = (body: string, work: ($: ReturnType<typeof load>) => void) => {
  const $ = load(`<body>${body}</body>`)
  work($)
  return $('body').html()
}

describe('a page that is too large', () => {
  it('has more than 250,000 tags, 60,000 elements or 400 levels', () => {
    expect(() => assertFewTags('<'.repeat(250_000))).not.toThrow()
    expect(() => assertFewTags('<'.repeat(250_001))).toThrow('it has more than 250000 tags')
    // The document, its head and its body are elements too; texts are none.
    const many = (count: number) => () => assertParsable(load(`<body>${'<i>a</i>'.repeat(count - 4)}</body>`))
    expect(many(60_000)).not.toThrow()
    expect(many(60_001)).toThrow('it has more than 60000 elements')
    const deep = (levels: number) => () => assertParsable(load(`<body>${'<div>'.repeat(levels - 2)}a</body>`))
    expect(deep(400)).not.toThrow()
    expect(deep(401)).toThrow('its elements are nested more than 400 deep')
  })
})

describe('a part that is not shown', () => {
  it('is kept from 31 words on: shorter ones are labels', () => {
    for (const hidden of ['hidden', 'aria-hidden="true"', 'role="status"', 'aria-live="assertive"']) {
      const part = (count: number) => read(`<p>Shown.</p><p ${hidden}>${words(count)}</p>`)
      expect([hidden, part(30)]).toEqual([hidden, 'Shown.'])
      expect([hidden, part(31)]).toEqual([hidden, `Shown.\n\n${words(31)}`])
    }
  })
})

describe('a link around blocks', () => {
  it('is one link up to 60 words, with a space between its blocks and a break behind it', () => {
    const card = (first: number) => `<a href="/x"><h3>${words(first)}</h3> <p>More</p></a><p>Text</p>`
    expect(read(card(59))).toBe(`[${words(59)} More](/x)\n\nText`)
    expect(read(card(60))).not.toContain(`${words(60)} More]`)
    expect(read('<a href="/x"> <b>Plain</b>  link</a> and <a href="/y">text</a>')).toBe(
      '[**Plain** link](/x) and [text](/y)',
    )
  })
})

describe('a notice that asks for consent', () => {
  const notice = (button: string, length: number) => {
    const text = 'We use cookies. '.padEnd(length - button.length - 'Reject'.length, 'x')
    return `<p>Terms.</p><div>${text}<button>${button}</button><button>Reject</button></div>`
  }
  it('has up to 1,200 characters, and a button of up to 40 that accepts', () => {
    expect(read(notice('Accept all', 1_200))).toBe('Terms.')
    expect(read(notice('Accept all', 1_201))).toContain('cookies')
    expect(read(notice('Accept all'.padEnd(39).concat('!'), 300))).toBe('Terms.')
    expect(read(notice('Accept all'.padEnd(40).concat('!'), 300))).toContain('cookies')
  })

  it('names cookies beside its button, and has another one', () => {
    const page = (part: string) => read(`<p>Terms of the cookie shop. ${words(300)}</p><div>${part}</div>`)
    expect(page('<p>Your data.</p><button>Accept cookies</button><button>No</button>')).toContain('Your data.')
    expect(page('<p>Our cookies.</p><button>Accept cookies</button>')).toContain('Our cookies.')
    expect(page('<p>Our cookies.</p><div role="button">Accept</div><button>No</button>')).not.toContain('Our cookies.')
  })
})

describe('shadow roots', () => {
  const placed = (children: string, shadow: string) =>
    changed(`<x-a><template shadowrootmode="open">${shadow}</template>${children}</x-a>`, placeShadowRoots)

  it.each([
    [
      'children in their slots',
      '<p slot="a">A</p><p>B</p>',
      '<slot></slot><slot name="a"></slot>',
      '<p>B</p><p slot="a">A</p>',
    ],
    ['each child once', '<p>B</p>', '<slot></slot><slot>none</slot>', '<p>B</p>none'],
    ['what a slot shows without children', '  ', '<i><slot>none</slot></i>', '<i>none</i>'],
    ['a text without an element', 'text', '<slot>none</slot>', 'text'],
    ['no label that no slot shows', `<p slot="x">${words(30)}</p>`, '<b>in</b>', '<b>in</b>'],
    ['a text that no slot shows', `<p slot="x">${words(31)}</p>`, '<b>in</b>', `<b>in</b><p slot="x">${words(31)}</p>`],
  ])('show %s', (_, children, shadow, shown) => {
    expect(placed(children, shadow)).toBe(`<x-a>${shown}</x-a>`)
  })

  it('are placed within each other', () => {
    const inner = '<x-b><template shadowrootmode="open"><b>in</b><slot></slot></template><p>B</p></x-b>'
    expect(placed('<i>A</i>', `${inner}<slot></slot>`)).toBe('<x-a><x-b><b>in</b><p>B</p></x-b><i>A</i></x-a>')
  })
})

describe('a list with letters', () => {
  const labels = (attributes: string, entries = 3) =>
    changed(`<ol ${attributes}>${'<li>x</li>'.repeat(entries)}</ol>`, writeLetters)

  it.each([
    ['type="a"', 'a. b. c.'],
    ['type="A"', 'A. B. C.'],
    ['type="i"', 'i. ii. iii.'],
    ['type="I" start="4"', 'IV. V. VI.'],
    ['type="i" start="8"', 'viii. ix. x.'],
    ['type="i" start="13"', 'xiii. xiv. xv.'],
    ['type="i" start="19"', 'xix. xx. xxi.'],
    ['type="a" start="25"', 'y. z. aa.'],
    ['type="a" start="52"', 'az. ba. bb.'],
    ['type="a" start="701"', 'zy. zz. aaa.'],
    ['style="list-style-type:lower-alpha"', 'a. b. c.'],
    ['style="margin: 0; list-style-type: upper-latin;"', 'A. B. C.'],
    ['style="list-style: inside lower-roman" start="2"', 'ii. iii. iv.'],
    ['type="a" style="LIST-STYLE-TYPE: UPPER-ROMAN"', 'I. II. III.'],
  ])('has them: %s', (attributes, expected) => {
    const entries = expected.split(' ').map((label) => `<li>${label} x</li>`)
    expect(labels(attributes)).toBe(`<ul ${attributes}>${entries.join('')}</ul>`)
  })

  it('is another list where it counts in digits, or begins with none', () => {
    const others = ['type="1"', 'type="a" start="1000"', 'type="a" start="x"', 'type="disc"', 'style="color: red"']
    for (const attributes of [...others, 'type="a" style="list-style-type: decimal"'])
      expect(labels(attributes)).toBe(`<ol ${attributes}>${'<li>x</li>'.repeat(3)}</ol>`)
    expect(changed('<ol type="a"><li><p>One</p><p>two</p></li></ol>', writeLetters)).toContain(
      '<p>a. One</p><p>two</p>',
    )
    expect(changed('<ol type="a"><li>One<p>two</p></li></ol>', writeLetters)).toContain('<li>a. One<p>')
  })
})

describe('folded parts', () => {
  const opened = (body: string) => changed(body, openFoldedParts)
  const folded = (opener: string, panel: string) => `${opener}<div id="p" hidden="" aria-hidden="true">${panel}</div>`
  const button = (text: string, panel = 'p') =>
    `<button aria-controls="${panel}" aria-expanded="false">${text}</button>`

  it.each([
    ['of a button, where it has a paragraph', button('Law'), '<p>x</p>', '<p>Law</p>'],
    ['of a heading in a button', button('<h3>Law</h3>'), 'x', '<h3>Law</h3>'],
    ['of a button in a heading', `<h3>${button('Law')}</h3>`, 'x', '<h3><span>Law</span></h3>'],
    ['of a button in a term', `<dl><dt>${button('Law')}</dt></dl>`, 'x', '<dl><dt><span>Law</span></dt></dl>'],
    [
      'of another opener, which stays',
      '<a aria-controls="p" aria-expanded="true">Law</a>',
      '<p>x</p>',
      '<a aria-controls="p" aria-expanded="true">Law</a>',
    ],
  ])('are opened: %s', (_, opener, panel, shown) => {
    expect(opened(folded(opener, panel))).toBe(`${shown}<div id="p">${panel}</div>`)
  })

  it('stay closed where they are a menu, or no one knows what is opened', () => {
    for (const body of [
      folded(button('Menu'), '<a>x</a>'),
      folded(`<nav>${button('Menu')}</nav>`, '<p>x</p>'),
      folded(`<div role="dialog">${button('Menu')}</div>`, '<p>x</p>'),
      folded(button('Law', 'q'), '<p>x</p>'),
    ])
      expect(opened(body)).toBe(body)
  })

  it('are opened as panels of tabs, regions and details', () => {
    expect(opened('<div role="tabpanel" hidden aria-hidden="true">x</div>')).toBe('<div role="tabpanel">x</div>')
    expect(opened('<div role="region" aria-labelledby="l" hidden>x</div>')).toBe(
      '<div role="region" aria-labelledby="l">x</div>',
    )
    expect(opened('<details><p aria-hidden="true">x</p></details>')).toBe('<details><p>x</p></details>')
    expect(opened('<details><summary><button>Law</button></summary></details>')).toBe(
      '<details><summary><span>Law</span></summary></details>',
    )
    expect(opened('<button><h2>Law</h2></button><button>Save</button>')).toBe('<h2>Law</h2><button>Save</button>')
  })
})

describe('what stands above the text', () => {
  const found = (before: string) => {
    const $ = load(`<body><div>${before}<main>Text</main><h1>Below</h1></div></body>`)
    return above($<Element, string>('main').get(0)!).map((element) => $.html(element))
  }

  it.each<[what: string, before: string, taken: string[]]>([
    ['a title', '<h1>Terms</h1>', ['<h1>Terms</h1>']],
    ['a title in a part', '<div><p>Menu</p><h1>Terms</h1></div>', ['<h1>Terms</h1>']],
    ['a long title', `<h1>${words(40)}</h1>`, [`<h1>${words(40)}</h1>`]],
    ['no empty title', '<h1> </h1>', []],
    ['a line with a date', '<p>Menu</p><p>Updated 3 May 2026</p>', ['<p>Updated 3 May 2026</p>']],
    ['the whole line of a date', '<p>Updated <b>3 May 2026</b></p>', ['<p>Updated <b>3 May 2026</b></p>']],
    [
      'the line around an inline date',
      `<p><i>3 May 2026</i> ${words(40)}</p>`,
      [`<p><i>3 May 2026</i> ${words(40)}</p>`],
    ],
    ['a heading right above a date', '<h2>Terms</h2> <p>3 May 2026</p>', ['<h2>Terms</h2>', '<p>3 May 2026</p>']],
    ['no heading further above', '<h2>Menu</h2><p>More</p><p>3 May 2026</p>', ['<p>3 May 2026</p>']],
    ['no heading above a title', '<h2>Menu</h2><h1>Terms</h1>', ['<h1>Terms</h1>']],
    [
      'a line of 119 characters',
      `<p>${'3 May 2026 '.padEnd(119, 'x')}</p>`,
      [`<p>${'3 May 2026 '.padEnd(119, 'x')}</p>`],
    ],
    ['no longer one', `<p>${'3 May 2026 '.padEnd(120, 'x')}</p>`, []],
    [
      'a line with two dates once',
      `<p><i>3 May 2026</i> <i>4 May 2026</i> ${words(40)}</p>`,
      [`<p><i>3 May 2026</i> <i>4 May 2026</i> ${words(40)}</p>`],
    ],
  ])('is a part of it: %s', (_, before, taken) => {
    expect(found(before)).toEqual(taken)
  })
})

describe('Markdown', () => {
  it('has one kind of line end, no trailing spaces and one empty line at most', () => {
    expect(tidyMarkdown('\n a \t\r\nb\u00a0c\r\rd\n\n\n\ne  \t ')).toBe('a\nb c\n\nd\n\ne')
  })
})
