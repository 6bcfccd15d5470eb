import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { askedPage, donePage } from '../../src/pages/unsubscribe-view-rules.ts'
import type { WatchView } from '../../src/watches/schema.ts'

const CREATED = '2026-11-20T10:00:00.000Z' as Instant

const watch = (providerName: string, pausedAt: Instant | null = null): WatchView => ({
  watchId: providerName,
  provider: providerName.toLowerCase(),
  providerName,
  resource: null,
  document: null,
  title: null,
  group: null,
  frequency: 'daily',
  minChange: 0,
  pausedAt,
  createdAt: CREATED,
})

/** What is inside the page's body, without what surrounds every page. */
const main = (page: Buffer): string => /<h1>.*(?=\n?<\/main>)/s.exec(page.toString())![0].trim()
const titleOf = (page: Buffer): string => /<title>(.*)<\/title>/.exec(page.toString())![1]!

describe('the page of a link to unsubscribe', () => {
  it('asks first, and names what the mails are about', () => {
    const page = askedPage([watch('Acme'), watch('R&D')])
    expect(titleOf(page)).toBe('Unsubscribe · Pricetape')
    expect(main(page)).toBe(`<h1>Unsubscribe?</h1>
<p class="lead">You will get no more mails about changes of:</p>
<ul><li>Acme</li><li>R&amp;D</li></ul>
<form method="post"><button type="submit">Unsubscribe</button></form>`)
  })

  it('asks while one of them is still sent', () => {
    expect(main(askedPage([watch('Acme', CREATED), watch('Globex')]))).toMatch(/^<h1>Unsubscribe\?/)
  })

  it('says what is no longer sent, and where to have it again', () => {
    for (const page of [donePage([watch('Acme')]), askedPage([watch('Acme', CREATED)])]) {
      expect(titleOf(page)).toBe('Unsubscribed · Pricetape')
      expect(main(page)).toMatch(
        /^<h1>You are unsubscribed<\/h1>\n<p class="lead" role="status">You get no more mails about changes of:<\/p>\n<ul><li>Acme<\/li><\/ul>\n<p>Sign in to receive them again: <a href="\/account\/watches">what you watch<\/a>\.<\/p>$/,
      )
    }
  })

  it('lists nothing where the account watches nothing any more', () => {
    for (const page of [donePage([]), askedPage([])])
      expect(main(page)).toMatch(
        /^<h1>You are unsubscribed<\/h1>\n<p class="lead" role="status">You get no more of these mails\.<\/p>\n\n<p>Sign in/,
      )
  })
})
