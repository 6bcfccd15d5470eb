import { describe, expect, it } from 'vitest'
import type { FeedItem } from '../../src/events/list-feed.ts'
import { atomFeed } from '../../src/pages/atom-rules.ts'

const FEED = {
  origin: 'https://prices.example',
  self: 'https://prices.example/feed.atom?provider=acme&type=x',
  updated: '2026-11-22T12:00:00.000Z',
}
const common = { seq: '7', id: 'evt_1', provider: 'acme', at: '2026-11-22T10:00:00.000Z' }
const textOf = (...items: FeedItem[]): string => atomFeed(items, FEED).toString()

/** The title of a change and the address of its page. */
function entry(item: Omit<FeedItem, keyof typeof common>): [title: string, path: string] {
  const text = textOf({ ...common, ...item })
  const title = /<entry>.*<title>(.*?)<\/title>/s.exec(text)![1]!
  expect(text).toContain(`<summary>${title}</summary>`)
  return [title, /type="text\/html" href="https:\/\/prices\.example(.*?)"\/>\n<category/.exec(text)![1]!]
}

describe('the feed of changes', () => {
  it('is Atom: with who wrote it, its own address, and each change with its page', () => {
    expect(
      textOf({ ...common, type: 'provider.added', name: 'Acme & Sons' }),
    ).toBe(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>https://prices.example/</id>
<title>Pricetape: what changed</title>
<updated>2026-11-22T10:00:00.000Z</updated>
<author><name>Pricetape</name></author>
<link rel="self" type="application/atom+xml" href="https://prices.example/feed.atom?provider=acme&amp;type=x"/>
<link rel="alternate" type="text/html" href="https://prices.example/"/>
<entry>
<id>urn:pricetape:evt_1</id>
<title>Acme &amp; Sons is new</title>
<updated>2026-11-22T10:00:00.000Z</updated>
<link rel="alternate" type="text/html" href="https://prices.example/?providers=acme"/>
<category term="provider.added"/>
<summary>Acme &amp; Sons is new</summary>
</entry>
</feed>
`)
  })

  it('says in the summary where a price was read', () => {
    const read = { address: 'https://acme.example/p?a=1&b=2', at: common.at, rank: 'provider' as const }
    const [price, unit] = [
      { before: '2', after: '3' },
      { dimension: 'pages', currency: 'USD', per: 'page' },
    ]
    const text = textOf({ ...common, type: 'price.corrected', resource: 'm', ...price, ...unit, read })
    expect(text).toContain('USD per page, read at https://acme.example/p?a=1&amp;b=2</summary>')
    expect(text).toContain('USD per page</title>')
  })

  it('was updated with its newest change, and without one when it was asked for', () => {
    const [newest, older] = [
      { ...common, type: 'provider.added' as const },
      { ...common, id: 'evt_0', type: 'provider.added' as const, at: '2026-11-21T10:00:00.000Z' },
    ]
    const updated = (text: string) => [...text.matchAll(/<updated>(.*)<\/updated>/g)].map(([, at]) => at)
    expect(updated(textOf(newest, older))).toEqual([newest.at, newest.at, older.at])
    expect(updated(textOf())).toEqual(['2026-11-22T12:00:00.000Z'])
  })

  it('has no control characters, which XML cannot hold, and keeps tabs and line breaks', () => {
    const odd = 'a\u0000b\u0008c\u000bd\u000ce\u000ef\u001fg\ufffeh\uffffi\tj\nk\rl\u0020m'
    expect(entry({ type: 'provider.added', name: odd })[0]).toBe(
      'a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\ufffdh\ufffdi\tj\nk\rl m is new',
    )
  })
})

describe('a change in the feed', () => {
  const price = {
    resource: 'm1',
    dimension: 'cache_read_tokens',
    currency: 'USD',
    per: 'million tokens',
    before: '2',
    after: '2.5',
  }
  const PATH = '/prices/acme/m1'

  it.each<[string, Omit<FeedItem, keyof typeof common>]>([
    ['m1 at acme rose: cache read tokens 2.00 → 2.50 USD per million tokens (+25%)', { ...price, type: 'price.changed', direction: 'up', percent: '+25%' }],
    ['m1 at acme fell: cache read tokens (batch · kept 1h) 2.00 → 1.00 USD per million tokens', { ...price, type: 'price.changed', direction: 'down', after: '1', tier: { service: 'batch', ttl: '1h' } }],
    ['m1 at acme fell: cache read tokens 2.00 → 1.00 USD per million tokens', { ...price, type: 'price.changed', direction: 'down', after: '1' }],
    ['m1 at acme stayed: cache read tokens 2.00 → 2.00 USD per million tokens', { ...price, type: 'price.changed', direction: 'same', after: '2' }],
    ['m1 at acme stayed: cache read tokens 2.00 → 2.00 USD per million tokens', { ...price, type: 'price.changed', after: '2' }],
    ['m1 at acme has a new price: cache read tokens no price → 2.50 USD per million tokens', { ...price, type: 'price.changed', before: undefined }],
    ['m1 at acme has a price no longer: cache read tokens 2.00 → no price USD per million tokens', { ...price, type: 'price.changed', after: undefined }],
    ['m1 at acme: a price was withdrawn as wrong: cache read tokens 2.00 → no price USD per million tokens', { ...price, type: 'price.corrected', action: 'withdrawn', after: undefined }],
    ['m1 at acme: a price was restored: cache read tokens no price → 2.50 USD per million tokens', { ...price, type: 'price.corrected', action: 'restored', before: undefined }],
    ['m1 at acme: category, effectiveFrom of cache read tokens changed', { ...price, type: 'price.revised', revised: ['category', 'effectiveFrom'] }],
    ['m1 at acme: cache read tokens will be 2.50 USD per million tokens from 2027-01-01', { ...price, type: 'price.announced', action: 'announced', effectiveFrom: '2027-01-01' }],
    ['m1 at acme: cache read tokens will now be 2.50 USD per million tokens from 2027-01-01', { ...price, type: 'price.announced', action: 'changed', effectiveFrom: '2027-01-01', replaces: { price: '3', effectiveFrom: '2026-12-01' } }],
    ['m1 at acme: cache read tokens will not be 3.00 USD per million tokens from 2026-12-01', { ...price, after: undefined, type: 'price.announced', action: 'withdrawn', replaces: { price: '3', effectiveFrom: '2026-12-01' } }],
    ['m1 at acme is new, with 3 prices', { type: 'resource.added', resource: 'm1', lines: 3 }],
    ['m1 at acme is new, with 1 price', { type: 'resource.added', resource: 'm1', lines: 1 }],
    ['m1 at acme is no longer listed', { type: 'resource.removed', resource: 'm1' }],
    ['m0 at acme is now called m1', { type: 'resource.renamed', resource: 'm1', previousResource: 'm0' }],
    ['m1 at acme joined the group GPT', { type: 'alias.member_added', resource: 'm1', name: 'GPT' }],
    ['m1 at acme left the group GPT', { type: 'alias.member_removed', resource: 'm1', name: 'GPT' }],
  ])('is the line "%s", and leads to the prices of its resource', (line, item) => {
    expect(entry(item)).toEqual([line, PATH])
  }) // biome-ignore format: one change a line

  it('leads to a resource whatever its name is', () => {
    expect(entry({ type: 'resource.removed', resource: 'a/b?c d' })[1]).toBe('/prices/acme/a%2Fb%3Fc%20d')
  })

  it('of a provider leads to its prices, and names it by its slug where it has no name', () => {
    expect(entry({ type: 'provider.added' })).toEqual(['acme is new', '/?providers=acme'])
  })

  it('of a document leads to both versions beside each other', () => {
    const at = common.at
    const document = { type: 'tos.changed' as const, document: 'terms', title: 'Terms', classification: 'minor' }
    expect(
      entry({ ...document, from: { versionId: 'v1', recordedAt: at }, to: { versionId: 'v2', recordedAt: at } }),
    ).toEqual(['acme: Terms changed (minor)', '/documents/acme/terms?from=v1&amp;to=v2'])
    expect(entry({ ...document, significance: 'high' })[0]).toBe('acme: Terms changed (minor, significance high)')
    expect(entry(document)[1]).toBe('/documents/acme/terms?from=&amp;to=')
  })
})
