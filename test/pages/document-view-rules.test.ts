import { describe, expect, it } from 'vitest'
import { documentPage } from '../../src/pages/document-view-rules.ts'
import { errorPage } from '../../src/pages/layout-rules.ts'
import type { SideBySideRow } from '../../src/terms/compare/side-by-side-rules.ts'
import type { VersionEntry } from '../../src/terms/read/list-documents.ts'

type View = Parameters<typeof documentPage>[0]
type ComparisonView = View['compared']

function version(versionId: string, given: Partial<VersionEntry> = {}): VersionEntry {
  const at = '2026-11-13T08:15:00.000Z' as VersionEntry['firstSeenAt']
  return {
    versionId,
    status: 'published',
    firstSeenAt: at,
    recordedAt: at,
    classification: null,
    significance: null,
    effectiveDate: null,
    updatedDate: null,
    reasons: [],
    explained: null,
    previousVersion: null,
    eventId: null,
    reviewedBy: null,
    reviewedAt: null,
    reviewNote: null,
    ...given,
  }
}
const at = (text: string) => text as VersionEntry['firstSeenAt']
const OLD = version('v1')
const NEW = version('v2', {
  recordedAt: at('2026-11-20T23:59:59.999Z'),
  previousVersion: 'v1',
  classification: 'substantive',
  effectiveDate: '2026-12-01',
  updatedDate: '2026-11-19',
})
const DOCUMENT = { provider: 'acme', document: 'terms', title: 'Terms & more', url: 'https://acme.example/terms?a&b' }
const change = { section: 'Fees', topics: [] as never[], wordsRemoved: 1, wordsAdded: 2 }
const FEES: SideBySideRow = { kind: 'changed', section: 'Fees', heading: false, left: 'old', right: 'new' }

function compared(
  given: Partial<ComparisonView['difference']> = {},
  more: Partial<ComparisonView> = {},
): ComparisonView {
  const difference = { wordsRemoved: 1, wordsAdded: 2, sections: [], changes: [change], rows: [], diff: '', ...given }
  const { difference: _, ...rest } = { rows: [FEES], truncated: false, ...more } as Partial<ComparisonView>
  const classification = 'substantive' as const
  return {
    classification,
    significance: 'high',
    difference: { truncated: false, ...difference },
    ...rest,
  } as ComparisonView
}

/** The page of two versions, or of one where `before` is undefined. */
function text(given: Partial<View> = {}): string {
  const view = { document: DOCUMENT, versions: [NEW, OLD], before: OLD, after: NEW, compared: compared(), ...given }
  const isText = view.before === undefined
  return documentPage({ isText, providerName: 'ACME', origin: 'https://p.example', ...view } as View).toString()
}
const main = (given: Partial<View> = {}) => /<main[^>]*>(.*)<\/main>/s.exec(text(given))![1]!
/** The part of the page between two texts. */
const between = (page: string, from: string, to: string) => page.split(from)[1]!.split(to)[0]!
const changes = (given: Parameters<typeof compared>[0], more?: Parameters<typeof compared>[1]) =>
  between(main({ compared: compared(given, more) }), '</form>', '<h2>Both versions</h2>').trim()

describe('the page of a document', () => {
  it('shows what changed between two versions, and both of them', () => {
    expect(text()).toContain('<title>Terms &amp; more, ACME · what changed</title>')
    expect(main()).toBe(`<p class="back"><a href="/documents">← Documents</a></p>
<h1><bdi>Terms &amp; more</bdi></h1>
<p class="lead">A document of <bdi>ACME</bdi> · <a href="https://acme.example/terms?a&amp;b" rel="noopener noreferrer nofollow">The text at its provider</a></p>
<nav class="views" aria-label="What is shown"><a href="?from=v1&amp;to=v2" aria-current="page">What changed</a><a href="?to=v2&amp;view=text">Text</a></nav>
<dl class="versions"><div><dt>Before</dt>
<dd>recorded <time datetime="2026-11-13T08:15:00.000Z">13 November 2026, 08:15 UTC</time></dd></div><div><dt>After</dt>
<dd>recorded <time datetime="2026-11-20T23:59:59.999Z">20 November 2026, 23:59 UTC</time></dd><dd>effective 2026-12-01</dd><dd>updated 2026-11-19</dd></div></dl>
<form method="get"><label>Compare <select name="from"><option value="v2">2026-11-20 23:59 UTC</option><option value="v1" selected>2026-11-13 08:15 UTC</option></select></label>
<label>with <select name="to"><option value="v2" selected>2026-11-20 23:59 UTC</option><option value="v1">2026-11-13 08:15 UTC</option></select></label><button type="submit">Show</button></form>
<h2>What changed</h2>
<p>A substantive change, significance high: 1 word removed, 2 words added.</p>
<ol class="changes"><li><span dir="auto"><a href="#part-1">Fees</a></span><span class="count">1 word removed, 2 added</span></li></ol>

<h2>Both versions</h2>
<div class="columns" aria-hidden="true"><p>Before</p><p>After</p></div>
<section class="part" id="part-1"><h3 dir="auto">Fees</h3><div class="pair changed"><div class="side"><p class="label">Before</p><p dir="auto"><del>old</del></p></div><div class="side"><p class="label">After</p><p dir="auto"><ins>new</ins></p></div></div></section>
<section class="cite" aria-labelledby="cite"><h2 id="cite">Cite this</h2>
<p><bdi>ACME</bdi>, <bdi>Terms &amp; more</bdi>, as recorded 2026-11-13T08:15:00.000Z and 2026-11-20T23:59:59.999Z, <a href="https://p.example/documents/acme/terms?from=v1&amp;to=v2">https://p.example/documents/acme/terms?from=v1&amp;to=v2</a></p></section>
<nav aria-labelledby="versions"><h2 id="versions">Versions</h2><ol class="history"><li><a href="?from=v1&amp;to=v2" aria-current="page"><time datetime="2026-11-20T23:59:59.999Z">20 November 2026, 23:59 UTC</time></a><span class="quiet">substantive</span></li><li><a href="?to=v1&amp;view=text"><time datetime="2026-11-13T08:15:00.000Z">13 November 2026, 08:15 UTC</time></a><span class="quiet">first version</span></li></ol></nav>`)
  })

  it('has the frame of the app, and says in links to it what it shows', () => {
    const page = text()
    expect(page).toContain('<html lang="en">')
    expect(page).toContain('<a class="skip" href="#main">Skip to the page</a>')
    expect(page).toContain(
      '<nav aria-label="Pages"><a href="/">What changed</a><a href="/prices">Prices</a><a href="/documents" aria-current="true">Documents</a><a href="/docs">API reference</a></nav><a class="button" href="/sign-in">Sign in</a>',
    )
    const about = (shown: string) => ['description', 'og:title', 'og:description', 'og:url', 'og:type'].map((name) => new RegExp(`="${name}" content="(.*)">`).exec(shown)?.[1]) // biome-ignore format: a list of names
    const changed = 'A substantive change recorded on 2026-11-20, significance high: 1 word removed, 2 words added.'
    const at = 'https://p.example/documents/acme/terms'
    const name = 'Terms &amp; more, ACME'
    expect(about(page)).toEqual([changed, `${name} · what changed`, changed, `${at}?from=v1&amp;to=v2`, 'article'])
    const alone = 'Its text as recorded on 2026-11-13.'
    expect(about(text({ before: undefined, after: OLD }))).toEqual([
      ...[alone, `${name} · text`, alone, `${at}?to=v1&amp;view=text`, 'article'],
    ])
    const error = errorPage('Not <found>', 'There is no & such.').toString()
    expect(error).toContain('<title>Not &lt;found&gt; · Pricetape</title>')
    expect(error).toContain('<h1>Not &lt;found&gt;</h1><p class="lead">There is no &amp; such.</p>')
    expect(about(error)).toEqual(Array(5).fill(undefined))
  })

  it('shows the text of its only version, with nothing to choose', () => {
    const only: Partial<View> = {
      versions: [OLD],
      before: undefined,
      after: OLD,
      compared: compared(
        { changes: [] },
        { rows: [{ ...FEES, kind: 'same', left: 'the <text>', right: 'the <text>' }] },
      ),
    }
    expect(text(only)).toContain('<title>Terms &amp; more, ACME · text</title>')
    expect(main(only).split('</p>\n').slice(2).join('')).toBe(`
<dl class="versions"><div><dt>Text</dt>
<dd>recorded <time datetime="2026-11-13T08:15:00.000Z">13 November 2026, 08:15 UTC</time></dd></div></dl>

<div class="reading"><section aria-labelledby="text"><h2 id="text">The text</h2><div class="text"><p dir="auto">the &lt;text&gt;</p></div></section></div>
<section class="cite" aria-labelledby="cite"><h2 id="cite">Cite this</h2>
<p><bdi>ACME</bdi>, <bdi>Terms &amp; more</bdi>, as recorded 2026-11-13T08:15:00.000Z, <a href="https://p.example/documents/acme/terms?to=v1&amp;view=text">https://p.example/documents/acme/terms?to=v1&amp;view=text</a></p></section>
<nav aria-labelledby="versions"><h2 id="versions">Versions</h2><ol class="history"><li><a href="?to=v1&amp;view=text" aria-current="page"><time datetime="2026-11-13T08:15:00.000Z">13 November 2026, 08:15 UTC</time></a><span class="quiet">first version</span></li></ol></nav>`)
  })

  it.each(['http://acme.example', 'HTTPS://acme.example/'])('links to %s', (url) => {
    expect(main({ document: { ...DOCUMENT, url } })).toContain(`<a href="${url}" rel="noopener noreferrer nofollow">`)
  })

  it.each(['javascript:alert(1)//https://x', 'ftp://acme.example', 'https:acme', 'httpx://acme', 'xhttps://acme'])(
    'shows the address %s and does not link to it',
    (url) => {
      const page = main({ document: { ...DOCUMENT, url } })
      expect(page).toContain(`<bdi>ACME</bdi> · Its address: ${url}</p>`)
      expect(page).not.toContain(`href="${url}`)
    },
  )
})

describe('the changes of a document', () => {
  it('have the number of their clause, their topics and their words, and lead to where they are', () => {
    const located = {
      ...change,
      clause: '3.2(b)',
      topics: ['price', 'dates'] as const,
      wordsRemoved: 1_234,
      wordsAdded: 5_678,
    }
    const first = { ...change, section: '', wordsRemoved: 0, wordsAdded: 1 }
    expect(
      changes({ changes: [{ ...located, topics: [...located.topics] }, first], wordsRemoved: 1_234, wordsAdded: 1 }),
    ).toBe(`<h2>What changed</h2>
<p>A substantive change, significance high: 1,234 words removed, 1 word added.</p>
<ol class="changes"><li><span dir="auto"><span class="clause">§ 3.2(b)</span> <a href="#part-1">Fees</a> <span class="quiet">· price, dates</span></span><span class="count">1,234 words removed, 5,678 added</span></li><li><span dir="auto">Before the first heading</span><span class="count">0 words removed, 1 added</span></li></ol>`)
  })

  it('name the removed and added entries of tables and lists', () => {
    const rows = [
      { section: 'Sellers', removed: ['Old <Ltd>'], added: ['New', 'Newer'], changed: ['Kept'] },
      { section: 'Others', removed: ['Last'], added: [], changed: [] },
    ]
    expect(changes({ rows }).split('</ol>')[1]).toBe(
      '\n<h2>Entries removed, added and changed</h2><ul><li><del>Old &lt;Ltd&gt;</del></li><li><ins>New</ins></li><li><ins>Newer</ins></li><li>Kept <span class="quiet">says something else</span></li><li><del>Last</del></li></ul>',
    )
  })

  it('may be more than the 200 that are listed', () => {
    const listed = (count: number) => changes({ changes: Array.from({ length: count }, () => change) })
    expect(listed(199)).not.toContain('There may be more')
    expect(listed(200)).toContain('</ol><p class="quiet">There may be more changes than this list holds.</p>')
  })

  it('are none where both versions say the same', () => {
    expect(changes({ changes: [] })).toBe(
      '<h2>What changed</h2><p>Both versions say the same. What differs is layout or links.</p>',
    )
  })

  const NOTICE = '<p class="notice">This is too long for one page: a part of it is left out here.</p>'
  const huge = { ...FEES, kind: 'same' as const, left: 'x'.repeat(500_001) }

  it.each([
    ['the comparison was cut', compared({}, { truncated: true }), true],
    ['the page has no room for all of it', compared({}, { rows: [FEES, huge] }), true],
    ['all of it is shown', compared(), false],
  ])('say whether something is left out: %s', (_, given, isCut) => {
    expect(main({ compared: given }).includes(`${NOTICE}\n<section class="cite"`)).toBe(isCut)
    const only = main({ compared: given, before: undefined })
    expect(only.includes(`</div>${NOTICE}</section></div>`)).toBe(isCut)
    expect(only.includes('notice')).toBe(isCut)
  })
})

describe('the versions of a document', () => {
  const many = Array.from({ length: 101 }, (_, i) => version(`w${i}`, { previousVersion: `w${i + 1}` }))
  const options = (page: string) =>
    [...page.matchAll(/<option value="(\w+)"( selected)?>/g)].map(([, id, chosen]) => id + (chosen ?? ''))

  it('are listed and offered up to 100, with those that are shown among them', () => {
    const page = main({ versions: many, before: many[100], after: many[2] })
    expect(page.match(/<li><a href="\?from=/g)).toHaveLength(100)
    expect(page).toContain('<a href="?from=w100&amp;to=w99">')
    expect(page).not.toContain('to=w100"')
    expect(page).toContain('</ol><p class="quiet">Older versions are left out.</p></nav>')
    const [from, to] = [options(page).slice(0, 101), options(page).slice(101)]
    expect([from.length, from[99], from[100]]).toEqual([101, 'w99', 'w100 selected'])
    expect([to.length, to[2], to[100]]).toEqual([101, 'w2 selected', 'w100'])
    expect(page.split('<ol class="history">')[1]!.match(/aria-current/g)).toHaveLength(1)
    expect(page).toContain('<a href="?from=w3&amp;to=w2" aria-current="page">')
  })

  it('are all there up to 100', () => {
    const page = main({ versions: many.slice(1), before: many[1], after: many[100] })
    expect(page).not.toContain('Older versions')
    expect(options(page)).toHaveLength(200)
    expect(options(main({ versions: many, before: many[0], after: many[100] })).at(-1)).toBe('w100 selected')
  })

  it('can be chosen from two on, also where only one of them is shown', () => {
    const page = main({ before: undefined, after: OLD })
    expect(options(page)).toEqual(['v2', 'v1', 'v2', 'v1 selected'])
    expect(between(page, '<dl class="versions">', '</dl>')).toContain('<dt>Text</dt>')
    expect(between(page, '<dl class="versions">', '</dl>')).not.toContain('Before')
  })
})
