import { describe, expect, it } from 'vitest'
import { UnreadableDocument } from '../../../src/terms/errors.ts'
import { extractText } from '../../../src/terms/extract/extract-text.ts'
import { readDocument } from '../../../src/terms/read/read-document.ts'
import { isolation } from '../../support/isolation.ts'
import { allowedMs } from '../../support/suite/allowed-time.ts'

const html = (body: string, head = '') =>
  `<!doctype html><html><head><title>Terms | Example</title>${head}</head><body>${body}</body></html>`
const read = async (page: string | Uint8Array, options: object = {}, contentType = 'text/html; charset=utf-8') => {
  const bytes = typeof page === 'string' ? Buffer.from(page) : page
  return extractText({ bytes, contentType, selectors: { select: [], remove: [], ...options } })
}

/** An address as a robot guard hides it: each byte XORed with the first. */
const guarded = (address: string) =>
  `2a${[...Buffer.from(address)].map((byte) => (byte ^ 0x2a).toString(16).padStart(2, '0')).join('')}`

const TEXT =
  'You may use the services as these terms allow, and you are responsible for what you do with them. '.repeat(4)
const PAGE = html(`
  <header><a href="/">Example</a> <nav><a href="/pricing">Pricing</a> <a href="/docs">Docs</a></nav></header>
  <main><article>
    <h1>Terms of Service</h1><p>Last updated: <time>March 3, 2025</time></p>
    <h2>1. Use</h2><p>${TEXT}</p><ol type="a"><li>First item of the list</li><li>Second item of the list</li></ol>
    <h2><button aria-expanded="false">2. Fees<svg><title>chevron</title></svg></button></h2>
    <div hidden><p>Fees are due in advance. ${TEXT}</p></div>
    <table><thead><tr><th>Plan</th><th>Fee</th></tr></thead><tbody><tr><td>Basic</td><td>$10.00</td></tr><tr><td>Team</td><td>$25.00</td></tr></tbody></table>
    <p>Write to <a class="__cf_email__" data-cfemail="${guarded('privacy-officer@legal.example.com')}">[email&#160;protected]</a>.</p>
    <p>See <a href="https://example.com/p">the policy<span class="sr-only"> (opens in a new window)</span></a>.</p>
    <button>Copy link</button><script>var secret = 1</script><style>.a{}</style>
  </article></main>
  <div id="onetrust-consent-sdk"><p>We use cookies. Accept all?</p></div>
  <footer><p>© 2026 Example, Inc.</p></footer>`)

describe('an HTML page', () => {
  it('is read without menus, banners, scripts and styles', async () => {
    const { markdown, kind } = await read(PAGE)
    expect(kind).toBe('html')
    for (const gone of [
      'Pricing',
      'cookies',
      'secret',
      '.a{}',
      'Copy link',
      '© 2026',
      'chevron',
      'new window',
      'Terms | Example',
    ])
      expect(markdown).not.toContain(gone)
  })

  it('keeps headings, lists, folded parts and the address behind a robot guard', async () => {
    const { markdown } = await read(PAGE)
    expect(markdown).toContain('# Terms of Service')
    expect(markdown).toMatch(/## 2\\?\. Fees/)
    expect(markdown).toContain('Fees are due in advance.')
    expect(markdown).toContain('Second item of the list')
    expect(markdown).toContain('privacy-officer@legal.example.com')
    expect(markdown).not.toContain('protected')
  })

  it('keeps tables as tables, with and without a heading row', async () => {
    const { markdown } = await read(PAGE)
    expect(markdown).toMatch(/\| Plan \| Fee \|\n\| --- \| --- \|\n\| Basic \| \$10\.00 \|/)
    const bare = await read(html(`<main><p>${TEXT}</p><table><tr><td>Basic</td><td>$10.00</td></tr></table></main>`))
    expect(bare.markdown).toMatch(/\| Basic \| \$10\.00 \|/)
  })

  it('is read where its declaration says, without what it removes', async () => {
    const { markdown } = await read(PAGE, { select: ['article'], remove: ['table', 'h2:nth-of-type(1)'] })
    expect(markdown).not.toContain('Basic')
    expect(markdown).not.toMatch(/1\\?\. Use/)
    expect(markdown).toContain('Fees are due')
  })

  it.each([
    '<div role="alert">Terms of Service</div>',
    '<p aria-live="assertive">Terms of Service</p>',
    '<title>Terms of Service</title>',
  ])('is read without what a page says of itself: %s', async (said) => {
    const page = (more: string) => `<body><main><p>You may use the service.</p>${more}</main></body>`
    expect((await read(page(said))).markdown).toBe('You may use the service.')
  })

  it('is not taken for a challenge because a form on it is scored in the background', async () => {
    const script = '<script src="https://www.google.com/recaptcha/api.js?render=6LduvTgo"></script>'
    const { signals } = await read(`<body>${script}<main><p>You may use the service.</p></main></body>`)
    expect(signals).not.toContain('captcha')
  })

  it('is refused when a selector cannot be read', async () => {
    await expect(read(PAGE, { select: ['div['] })).rejects.toThrow(UnreadableDocument)
  })

  it('is read whole when what calls itself the main part holds little of it', async () => {
    const page = html(`<article>Related reading for you</article><div class="x"><h1>Terms</h1><p>${TEXT}</p></div>`)
    expect((await read(page)).markdown).toContain('You may use the services')
  })

  it('is read with what its shadow roots show: slots filled, tabs that are not open kept', async () => {
    const closed = 'These words are in a tab which no one has opened. '.repeat(5)
    const page = html(`<main><p>Before.</p><x-tabs><template shadowrootmode="open"><style>p { color: red }</style>
      <p>Inside.</p><slot name="open"></slot><p><slot>Nothing given.</slot></p></template>
      <p slot="open">The open tab.</p><p slot="other">${closed}</p><p slot="label">Label</p></x-tabs></main>`)
    const { markdown } = await read(page, { select: ['main'] })
    expect(markdown.split('\n\n')).toEqual(['Before.', 'Inside.', 'The open tab.', 'Nothing given.', closed.trim()])
  })

  it('is read with the questions that unfold its answers, and without the menus that buttons open', async () => {
    const folded = (id: string, button: string, panel: string) =>
      `<div><button aria-expanded="false" aria-controls="${id}">${button}</button><div id="${id}" aria-hidden="true">${panel}</div></div>`
    const page = html(`<main><h1>Terms</h1>${folded('a', '<h3>Who owns the output?</h3>', '<p>You do.</p>')}
      ${folded('b', 'Which law applies?', '<p>The law of Ireland.</p>')}
      ${folded('c', 'English', '<ul><li>Deutsch</li><li>Français</li></ul>')}</main>`)
    const { markdown } = await read(page, { select: ['main'] })
    expect(markdown.split('\n\n')).toEqual([
      '# Terms',
      '### Who owns the output?',
      'You do.',
      'Which law applies?',
      'The law of Ireland.',
    ])
  })

  it('is read once when it holds its text for each size of screen', async () => {
    const copy = `<main><article><h1>Terms</h1><p>${TEXT}</p></article></main>`
    const page = html(`<div class="desktop">${copy}</div><div class="mobile">${copy}</div>`)
    for (const select of [[], ['main']]) {
      const { markdown } = await read(page, { select })
      expect(markdown.split('# Terms')).toHaveLength(2)
      expect(markdown.match(/You may use the services/g)).toEqual(TEXT.match(/You may use the services/g))
    }
  })

  it('is read with short panels of tabs and folded parts, and without other short hidden parts', async () => {
    const page = html(
      `<main><div role="tabpanel" hidden>Fees are due.</div><details><summary>More</summary><p hidden>Kept.</p></details><p hidden>Label</p></main>`,
    )
    const { markdown } = await read(page, { select: ['main'] })
    expect(markdown.split('\n\n')).toEqual(['Fees are due.', 'More', 'Kept.'])
  })

  it.each([
    ['login page', '<form><input type="password"></form>'],
    ['captcha', '<div class="cf-turnstile"></div><p>Please wait</p>'],
    ['captcha', '<script src="https://www.google.com/recaptcha/api.js?render=explicit"></script><p>Please wait</p>'],
    [
      'needs a browser',
      `<div id="root"></div><script>${'x'.repeat(3000)}</script><noscript>Enable JavaScript</noscript>`,
    ],
    ['needs a browser', '<div id="__next"></div><script src="/app.js"></script>'],
  ])('says of itself: %s', async (signal, body) => {
    expect((await read(html(body))).signals).toContain(signal)
  })

  it('that breaks the rules of HTML is read as a browser would', async () => {
    const { markdown } = await read(`<h1>Terms<p>${TEXT}<table><tr><td>One<td>Two<ul><li>Item<li>Other`)
    expect(markdown).toContain('# Terms')
    expect(markdown).toContain('Other')
  })
})

describe('the charset of a page', () => {
  const text = `<p>Überschrift – “Größe” ${TEXT}</p>`
  it.each([
    [
      'its header',
      Buffer.from(html(text).replaceAll('–', '-').replace(/[“”]/g, '"'), 'latin1'),
      'text/html; charset=ISO-8859-1',
    ],
    [
      'its own declaration',
      Buffer.from(html(text, '<meta charset="iso-8859-15">').replaceAll('–', '-').replace(/[“”]/g, '"'), 'latin1'),
      'text/html',
    ],
    [
      'what fits',
      Buffer.from(html(text).replaceAll('–', '-').replace(/[“”]/g, '"'), 'latin1'),
      'text/html; charset=utf-8',
    ],
    [
      'its byte order mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(html(text), 'utf16le')]),
      'text/html; charset=latin1',
    ],
    ['UTF-8 where nothing is said', Buffer.from(html(text)), 'text/html'],
  ])('is taken from %s', async (_what, bytes, contentType) => {
    expect((await read(bytes, {}, contentType)).markdown).toMatch(/Überschrift [–-] ["“]Größe["”]/)
  })
})

describe('a hostile page', () => {
  const bounded = async (reading: Promise<unknown>) => {
    const started = performance.now()
    const result = await reading.catch((error: Error) => error)
    expect(performance.now() - started).toBeLessThan(allowedMs(20_000))
    return result
  }

  it('with megabytes of script is read for its text', async () => {
    const page = html(`<script>${'var a="</div>";'.repeat(200_000)}</script><main><h1>Terms</h1><p>${TEXT}</p></main>`)
    expect(await bounded(read(page))).toMatchObject({ markdown: expect.stringContaining('You may use') })
  })

  it.each([
    ['elements nested too deep', html('<div>'.repeat(450))],
    ['open elements without end', '<b>'.repeat(30_000)],
    ['half a million elements', html('<i></i>'.repeat(500_000))],
    ['lists in lists in lists', html('<ul><li>'.repeat(2_000))],
    ['tables in tables', html('<table><tr><td>'.repeat(2_000))],
  ])('with %s is refused in bounded time', async (_what, page) => {
    const reading = read(page)
    expect(await bounded(reading)).toBeInstanceOf(UnreadableDocument)
  })

  it('with an attribute of a megabyte is read in bounded time', async () => {
    expect(await bounded(read(html(`<p title="${'a '.repeat(500_000)}">${TEXT}</p>`)))).toMatchObject({ kind: 'html' })
  })
})

describe('a page that takes too long to read', () => {
  it('is refused when its processor time is used up', async () => {
    const bytes = Buffer.from(html('<ul><li>'.repeat(100_000)))
    const content = { bytes, contentType: 'text/html', selectors: { select: [], remove: [] } }
    expect(await readDocument(isolation, { content })).toEqual({ problem: expect.stringMatching(/to read$|nested/) })
  })
})

describe('what is not a page', () => {
  it('is text or Markdown by its type or its address', async () => {
    const selectors = { select: [], remove: [] }
    const bytes = Buffer.from('# Terms\r\n\r\nText')
    expect(await extractText({ bytes, contentType: 'text/plain', selectors })).toMatchObject({ kind: 'text' })
    expect(
      await extractText({ bytes, contentType: 'text/plain', url: 'https://example.com/TERMS.md', selectors }),
    ).toEqual({
      kind: 'markdown',
      markdown: '# Terms\n\nText',
      signals: [],
    })
    expect(
      await extractText({ bytes: Buffer.from('<!DOCTYPE html><p>Hi'), contentType: 'text/plain', selectors }),
    ).toMatchObject({ kind: 'html' })
  })

  it.each([
    ['a picture', 'image/png', Buffer.from([0x89, 0x50])],
    ['an archive', 'application/zip', Buffer.from('PK')],
    ['bytes without a type', '', Buffer.from([1, 0, 2, 0, 3])],
    ['something that is said to be a PDF', 'application/pdf', Buffer.from('<html>Not found</html>')],
    ['a broken PDF', 'application/pdf', Buffer.from('%PDF-1.7 and nothing more')],
  ])('%s is refused', async (_what, contentType, bytes) => {
    await expect(read(bytes, {}, contentType)).rejects.toThrow(UnreadableDocument)
  })

  it('is refused when it has more than ten megabytes, or a text of more than three million characters', async () => {
    const selectors = { select: [], remove: [] }
    const text = (bytes: number) =>
      extractText({ bytes: Buffer.alloc(bytes, 'a'), contentType: 'text/plain', selectors })
    await expect(text(10_485_761)).rejects.toThrow('it is larger than 10485760 bytes')
    await expect(text(10_485_760)).rejects.toThrow('its text is longer than 3000000 characters')
    await expect(text(3_000_001)).rejects.toThrow(UnreadableDocument)
    expect((await text(3_000_000)).markdown).toHaveLength(3_000_000)
  })
})
