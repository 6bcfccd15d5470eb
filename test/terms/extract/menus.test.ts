import { describe, expect, it } from 'vitest'
import { extractHtml } from '../../../src/terms/extract/html.ts'

const CLAUSE =
  'You may use the service for your own business, as long as you follow these terms and the policies that they name, and pay all of the fees in time.'
const TEXT = `<div class="text">${`<p>${CLAUSE}</p>`.repeat(3)}<p>Either party may end this agreement at any time, with a notice of 30 days in writing.</p></div>`

/** What is read of a page whose body was declared. */
const read = (before: string, after = '') =>
  extractHtml(`<html><body><div id="app">${before}<main>${TEXT}</main>${after}</div></body></html>`, {
    select: ['body'],
    remove: [],
  }).markdown
const plain = read('')

describe('what stands beside the text', () => {
  it('is left out where it is mostly links: banners, menus, contents, other pages', () => {
    expect(plain).toContain(CLAUSE)
    expect(read('<div><a href="/new">Model 3 is here</a></div>')).toBe(plain)
    const menu =
      '<div><h4>Company</h4><div><a href="/board">Board</a></div><div><a href="/jobs">Careers</a></div></div>'
    expect(read('', `<div><h2>Start today</h2><a href="/sales">Contact sales</a>${menu}</div>`)).toBe(plain)
    expect(
      read('<div>Contents<div><a href="#1">1. The services</a></div><div><a href="#2">2. Your content</a></div></div>'),
    ).toBe(plain)
  })

  it('is left out where it is the head or foot of a page, or a form', () => {
    expect(read('<header>Example <b>for teams</b></header>', '<footer>Example Inc., made with care</footer>')).toBe(
      plain,
    )
    expect(read('', '<form><label>Your name</label><div>Oops! Something went wrong.</div></form>')).toBe(plain)
  })

  it('is left out where it asks for an e-mail address, whatever it offers', () => {
    const offer = (input: string) =>
      `<section><h2>10 % off your first order</h2><p>${CLAUSE.replace('You may', 'Subscribers may')}</p>${input}</section>`
    expect(read('', offer('<input type="email" placeholder="Your address">'))).toBe(plain)
    expect(read(offer('<div><input name="EMAIL"></div>'))).toBe(plain)
    expect(read('', offer('<input name="q">'))).toContain('10 % off')
  })

  it('is left out of the part that holds the text too, where that is divided', () => {
    const other = `<div><p>${CLAUSE.replace('may', 'must')}</p><p>${CLAUSE.replace('may', 'can')}</p></div>`
    const page = (before: string, after: string) =>
      extractHtml(`<body><div>${before}${TEXT}${other}${after}</div></body>`, { select: [], remove: [] }).markdown
    const menu =
      '<div><span>Product</span><a href="/a">Overview</a><a href="/b">Pricing</a><a href="/c">Careers</a><span>© Example 2026</span></div>'
    expect(page('', '')).toContain('You must use')
    expect(page(menu, menu)).toBe(page('', ''))
    const companies = ['alpha', 'beta', 'gamma'].map(
      (name) => `<div><a href="https://${name}.example">${name}</a></div>`,
    )
    expect(page('', `<div>${companies.join('')}</div>`)).toContain('gamma')
    const annex = '<div><a href="/annex">Annex I</a></div>'
    expect(page('', annex)).toContain('Annex I')
    expect(page('', `<p>We use these sub-processors:</p>${menu}`)).toContain('Careers')
  })

  it('is left out where the selector finds a menu beside the text too', () => {
    const menu =
      '<div class="part"><span>Product</span> <a href="/login">Log in</a> <a href="/start">Try for free</a></div>'
    const page = (parts: string) => extractHtml(`<body>${parts}</body>`, { select: ['.part'], remove: [] }).markdown
    const text = `<div class="part">${TEXT}</div>`
    expect(page(`${menu}${text}`)).toBe(page(text))
    expect(page(menu)).toContain('Log in')
  })

  it('stays in a part of short entries, none of which is text', () => {
    const entries = Array.from({ length: 40 }, (_, i) => `<div>Firm ${i}, hosting, Ireland</div>`).join('')
    const links = '<div><a href="/a">Overview</a><a href="/b">Pricing</a><a href="/c">Careers</a></div>'
    const { markdown } = extractHtml(`<body><div>${links}${entries}</div></body>`, { select: [], remove: [] })
    expect(markdown).toContain('Careers')
  })

  it('stays where it is the foot of a page with a paragraph', () => {
    expect(read('', `<footer><p>${CLAUSE.replace('may', 'must')}</p></footer>`)).toContain('You must use')
  })

  it('stays where a selector of its own finds it', () => {
    const list = '<aside class="list"><a href="https://alpha.example">Alpha</a></aside>'
    const { markdown } = extractHtml(`<body><main>${TEXT}</main>${list}</body>`, {
      select: ['main', '.list'],
      remove: [],
    })
    expect(markdown).toContain('Alpha')
  })

  it('stays where it is text, even short, or has a title, a date or a table', () => {
    expect(read('', '<div><p>We ask for:</p><ul><li>City</li><li>Country</li></ul></div>')).toContain('Country')
    expect(read('<header><h1>Terms of Use</h1><a href="/">Home</a></header>')).toContain('Terms of Use')
    expect(read('<header><a href="/versions">Updated on 3 March 2025</a></header>')).toContain('3 March 2025')
    expect(
      read('', '<div><table><tr><th>Name</th></tr><tr><td><a href="/a">Alpha</a></td></tr></table></div>'),
    ).toContain('Alpha')
  })

  it('stays where it is a list of links in the text, or one that the text introduces', () => {
    const names = '<a href="https://alpha.example">Alpha</a>'
    expect(read('', `<ul><li>${names}</li></ul>`)).toContain('Alpha')
    expect(read('', `<p>We use these sub-processors:</p><div>${names}</div>`)).toContain('Alpha')
  })
})
