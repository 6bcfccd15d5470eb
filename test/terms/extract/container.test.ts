import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { adviceOn } from '../../../src/terms/compare/advice-rules.ts'
import { containerOf } from '../../../src/terms/extract/container.ts'
import type { Element } from '../../../src/terms/extract/elements.ts'
import { extractContainer, extractHtml } from '../../../src/terms/extract/html.ts'
import { proposeSelector } from '../../../src/terms/extract/propose-selector.ts'
import { readText } from '../../../src/terms/normalize/normal-form-rules.ts'

/** A paragraph of this many different words. */
const paragraph = (words: number, name = 'word') =>
  `<p>${Array.from({ length: words }, (_, i) => `${name}${i}`).join(' ')}</p>`
const TEXT = Array.from({ length: 8 }, (_, i) => paragraph(30, `clause${i}x`)).join('')
const NAV = '<div class="menu"><a href="/a">Products</a> <a href="/b">Pricing</a> <a href="/c">Docs</a></div>'
const found = (body: string) => {
  const $ = load(`<body>${body}</body>`)
  const element = containerOf($<Element, string>('body').get(0))
  return element && ($(element).attr('class') ?? element.name)
}
const read = (body: string, select: string[] = []) =>
  extractHtml(`<html><body>${body}</body></html>`, { select, remove: [] })

describe('the container of a page', () => {
  it('is the smallest element that holds nearly all text in blocks of 20 words', () => {
    expect(found(`<div class="page">${NAV}<div class="text">${TEXT}</div><div>Footer of the page</div></div>`)).toBe(
      'text',
    )
  })

  it('is found beside comments and line breaks, which hold none', () => {
    const text = `${TEXT}<!-- ${paragraph(40, 'hidden')} --><br>${paragraph(30)}`
    expect(found(`<!-- menu -->${NAV}<div class="text">${text}</div>`)).toBe('text')
  })

  it('holds 90 % of that text: less is a part of it', () => {
    const parts = (rest: string) =>
      found(`<div class="all"><div class="most">${TEXT}${paragraph(30)}</div>${rest}${NAV}${NAV}${NAV}</div>`)
    // 270 words of 300 are 90 %.
    expect(parts(`<div>${paragraph(29)}${'<p>label of a link</p>'.repeat(9)}</div>`)).toBe('most')
    expect(parts(`<div>${paragraph(31)}${'<p>label of a link</p>'.repeat(9)}</div>`)).toBe('all')
  })

  it('grows by a part beside it that is text: an introduction', () => {
    expect(found(`<div class="all"><div>${paragraph(25, 'intro')}</div><div class="most">${TEXT}</div></div>`)).toBe(
      'all',
    )
  })

  it('does not grow by a part that is labels with a sentence among them', () => {
    const banner = `<div>${paragraph(21, 'news')}<p>Try it now</p><p>Learn more</p><p>See all plans</p><p>Read the post</p><p>Ask us about it</p><p>Go there</p></div>`
    expect(found(`<div class="all">${banner}<div class="most">${TEXT}</div></div>`)).toBe('most')
  })

  it('has three quarters of the text where menus with teasers are a large part of it', () => {
    const teasers = `<div class="menu">${paragraph(22, 'a')}${paragraph(22, 'b')}${paragraph(22, 'c')}<p>More</p></div>`
    expect(found(`${teasers}<div class="text">${TEXT}</div>`)).toBe('text')
  })

  it('counts words in links as no text', () => {
    const cards = `<div>${'<a href="/x"><p>'.concat(paragraph(25).slice(3, -4), '</p></a>').repeat(3)}</div>`
    expect(found(`<div class="all">${cards}<div class="most">${TEXT}</div></div>`)).toBe('most')
  })

  it('does not count a part that asks for an e-mail address, unless that is most of the page', () => {
    const offer = (words: number) => `<section>${paragraph(words, 'offer')}<div><input type="email"></div></section>`
    expect(found(`<div class="page"><div class="text">${TEXT}</div>${offer(45)}${NAV}</div>`)).toBe('text')
    expect(found(`<div class="page"><div class="text">${TEXT}</div>${offer(201)}${NAV}</div>`)).toBe('page')
    expect(found(`${NAV}<div class="text">${paragraph(60)}<input type="email"></div>`)).toBe('text')
  })

  it('does not count an aside: the bar of an offer above the page', () => {
    const bar = `<aside>${paragraph(26, 'sale')}</aside>`
    expect(found(`<div class="page">${bar}<div class="text">${TEXT}</div></div>`)).toBe('text')
    expect(found(`<div class="page">${bar.replaceAll('aside', 'div')}<div class="text">${TEXT}</div></div>`)).toBe(
      'page',
    )
  })

  it('is where most words are on a page of short entries', () => {
    const rows = Array.from(
      { length: 30 },
      (_, i) => `<tr><td>Firm ${i}</td><td>Hosting</td><td>Ireland</td></tr>`,
    ).join('')
    expect(found(`${NAV}<div class="page"><table class="rows">${rows}</table></div>`)).toBe('page')
  })

  it('is not a paragraph, a list or a table, however much of the text that has', () => {
    expect(found(`<main>${paragraph(60)}<table><tr><td>Basic</td><td>$10</td></tr></table></main>`)).toBe('main')
  })

  it('is one of two copies of a text, for two sizes of screen', () => {
    const copy = (name: string) => `<div class="${name}">${TEXT}</div>`
    expect(found(`<div class="page">${copy('large')}${NAV}<p>Was this page helpful?</p>${copy('small')}</div>`)).toBe(
      'large',
    )
    const half = `<div class="half">${TEXT.replaceAll('clause', 'rule')}</div>`
    expect(found(`<div class="page">${copy('large')}${NAV}<p>Was this page helpful?</p>${half}</div>`)).toBe('page')
  })

  it('is not an element of a line, although some are put around paragraphs', () => {
    expect(found(`${NAV}<div class="page"><span class="line">${TEXT}</span></div>`)).toBe('page')
    expect(found(`${NAV}<div class="page"><span class="line"><div class="text">${TEXT}</div></span></div>`)).toBe(
      'page',
    )
  })

  it('is absent on a page without words', () => {
    expect(found('<div></div>')).toBeUndefined()
  })
})

describe('a page that is read by its container', () => {
  it('keeps the title and the date above it, and leaves out banners and footers', () => {
    const { markdown } = read(
      `<div><div>Summer sale: 20 % off</div><div><h1>Terms</h1><span>Updated 3 May 2026</span></div><div>${TEXT}</div><div>All rights reserved</div></div>`,
    )
    expect(markdown).toMatch(/^# Terms\n\nUpdated 3 May 2026\n\nclause0x0/)
    expect(markdown).not.toMatch(/sale|rights/)
  })

  it('keeps a line above it with many dates once', () => {
    const versions = Array.from({ length: 9 }, (_, i) => `<a href="/v${i}">${i + 1} May 2026</a>`).join(', ')
    const { markdown } = read(`<div><p>Versions since we began to keep them: ${versions}</p><div>${TEXT}</div></div>`)
    expect(markdown.match(/Versions/g)).toHaveLength(1)
  })

  it('keeps an introduction that begins with a date, and the heading right above it', () => {
    const header = (before: string) =>
      `<div>${before}<p><em>Updated 3 May 2026</em><br>${paragraph(40, 'intro').slice(3, -4)}</p></div>`
    const body = (before: string) =>
      `${header(before)}<div>${TEXT}</div>${NAV.repeat(9)}<p>${'Footer. '.repeat(30)}</p>`
    expect(read(body('<h2>Terms</h2>')).markdown).toMatch(
      /^## Terms\n\n_Updated 3 May 2026_\nintro0 [\s\S]+\n\nclause0x0/,
    )
    expect(read(body('<h2>Menu</h2><p>More</p>')).markdown).toMatch(/^_Updated 3 May 2026_\nintro0/)
  })

  it('takes the title from the header of the page', () => {
    const { markdown } = read(`<header><h1>Terms</h1><p>Menu</p></header><main>${TEXT}</main>`)
    expect(markdown).toMatch(/^# Terms\n\nclause0x0/)
    const two = read(`<header><h1>Terms</h1><h1>Acme</h1></header><main>${TEXT}</main>`)
    expect(two.markdown).toMatch(/^# Terms\n\nclause0x0/)
  })

  it('reads a card that leads to another page as one link', () => {
    const card = (name: string) => `<a href="/${name}"><div><h3>How to ${name}</h3><p>An article</p></div></a>`
    const { markdown } = read(`<main>${TEXT}${card('begin')}${card('end')}</main>`)
    expect(markdown).toMatch(/\n\n\[How to begin An article\]\(\/begin\)\s*\[How to end An article\]\(\/end\)$/)
    expect(readText(markdown).blocks.at(-1)!.text).toMatch(/^clause7x0/)
  })

  it('is the fallback of selectors that find nothing, and says so', () => {
    expect(read(`${NAV}<main>${TEXT}</main>`, ['.legal'])).toMatchObject({
      notFound: '.legal',
      markdown: read(`${NAV}<main>${TEXT}</main>`).markdown,
    })
    expect(read(`${NAV}<main>${TEXT}</main>`, ['main'])).not.toHaveProperty('notFound')
  })

  it.each([
    '<main></main>',
    '<main> <p>·</p> </main>',
    '<main><h1>Terms</h1></main>',
    '<main><a id="top"></a><h1>Terms</h1><h2>of <b>use</b></h2></main>',
  ])('is the fallback of selectors that find no text: %s', (main) => {
    const { markdown, notFound } = read(`${NAV}${main}<div class="legal">${TEXT}</div>`, ['main'])
    expect(notFound).toBe('main')
    expect(markdown).toContain('clause7x29')
  })

  it('is not the fallback of selectors that find some text', () => {
    const legal = `<div class="legal">${TEXT}</div>`
    expect(read(`<main>Terms</main>${legal}`, ['main']).markdown).toBe('Terms')
    expect(read(`<main><h1>Terms</h1>We</main>${legal}`, ['main']).markdown).toBe('# Terms\n\nWe')
    expect(read(`<main>${paragraph(20).replaceAll('p>', 'h6>')}</main>${legal}`, ['main']).markdown).toMatch(
      /^#{6} word0/,
    )
    expect(read(`<h1>Terms</h1><main></main>${legal}`, ['h1', '.legal']).markdown).toMatch(/^# Terms\n\nclause0x0/)
  })
})

describe('a selector for the container', () => {
  const proposed = (body: string) => extractContainer(`<html><body>${body}</body></html>`).selector

  it('is its id, its role, its tag or its class', () => {
    expect(proposed(`${NAV}<div id="legal-text">${TEXT}</div>`)).toBe('#legal-text')
    expect(proposed(`${NAV}<div role="main">${TEXT}</div>`)).toBe('[role=main]')
    expect(proposed(`${NAV}<main>${TEXT}</main>`)).toBe('main')
    expect(proposed(`${NAV}<div class="x9_z legal">${TEXT}</div>`)).toBe('div.legal')
  })

  it('leads there from an element around it', () => {
    expect(proposed(`${NAV}<article><div>${TEXT}</div><aside>See also</aside></article>`)).toBe('article > div')
  })

  it('is absent where nothing names it alone', () => {
    const $ = load('<body><div><div><div><div><div><p>a</p><p>b</p></div></div></div></div></div></body>')
    expect(proposeSelector($, $('p').get(0)!)).toBeUndefined()
  })
})

describe('the check of a declaration', () => {
  const text = (...parts: string[]) => readText(parts.join('\n\n'))
  const clause = (name: string) => Array.from({ length: 40 }, (_, i) => `${name}${i}`).join(' ')
  const whole = ['a', 'b', 'c', 'd'].map(clause)

  it('says nothing where it finds what the container has', () => {
    expect(adviceOn(text(...whole), text(...whole), { selector: 'main' })).toEqual({})
  })

  it('says that it finds less than the container', () => {
    expect(adviceOn(text(...whole.slice(1)), text(...whole), { selector: 'main' })).toEqual({
      proposed: 'main',
      worse: 'it finds 74 % of the text of the page',
    })
  })

  it('says that it finds the page around the document', () => {
    const advice = adviceOn(text(...whole, clause('menu'), clause('news')), text(...whole), { selector: 'main' })
    expect(advice).toMatchObject({ proposed: 'main', worse: expect.stringContaining('is not text') })
  })

  it('says that it finds nothing', () => {
    expect(adviceOn(text(...whole), text(...whole), { notFound: '.legal' })).toMatchObject({
      worse: 'it finds nothing',
    })
  })
})

describe('a notice that asks for consent to cookies', () => {
  const notice = (buttons: string, text = paragraph(40, 'privacy')) =>
    `<div class="fixed"><div><p>We use cookies.</p>${text}</div><div>${buttons}</div></div>`
  const both = '<button>Reject all</button><button>Accept all</button>'

  it('is left out, and counts as no text of the page', () => {
    const page = `<div class="text">${paragraph(60)}</div>`
    expect(read(`${page}${notice(both)}`).markdown).toBe(read(page).markdown)
    expect(
      read(`${page}${notice('<span role="button">Alle akzeptieren</span><button>Ablehnen</button>')}`).markdown,
    ).toBe(read(page).markdown)
  })

  it('is left out whole where its buttons name cookies too, in each language', () => {
    const page = `<div class="text">${paragraph(60)}</div>`
    for (const [accept, reject] of [
      ['Allow all cookies', 'Only allow essential cookies'],
      ['Autoriser tous les cookies', 'Uniquement autoriser les cookies essentiels'],
      ['Alle Cookies erlauben', 'Nur erforderliche Cookies'],
      ['Permitir todas las cookies', 'Solo cookies esenciales'],
      ['Consenti tutti i cookie', 'Solo cookie essenziali'],
      ['Alle cookies toestaan', 'Alleen essentiële cookies'],
      ['Permitir todos os cookies', 'Somente cookies essenciais'],
      ['Akceptuj wszystkie pliki cookie', 'Tylko niezbędne pliki cookie'],
    ])
      expect(read(`${page}${notice(`<button>${accept}</button><button>${reject}</button>`)}`).markdown, accept).toBe(
        read(page).markdown,
      )
  })

  it('is not a part of the document with a button, nor a long one', () => {
    const page = `<div class="text">${paragraph(60)}</div>`
    for (const part of [
      notice('<button>Accept all</button>'),
      notice('<button>Print</button><button>Save</button>'),
      notice(both, paragraph(200, 'privacy')),
      notice(both).replace('cookies', 'sessions'),
    ])
      expect(read(`${page}${part}`).markdown, part.slice(-80)).toContain('privacy39')
  })

  it('does not take what stands around it', () => {
    expect(read(`<div><p>${'Our cookie policy binds us. '.repeat(3)}</p>${notice(both)}</div>`).markdown).toContain(
      'binds us',
    )
  })
})
