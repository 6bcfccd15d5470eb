import { describe, expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { declareDocument, eventsOf, fetches } from './ingest/pages.ts'
import { sentences } from './texts.ts'

const CLAUSES = sentences(30, 'rule').split('\n\n')
const CHANGED = CLAUSES.map((clause) => clause.replace('rule number 7', 'new rule number 7'))
const paragraphs = (clauses: string[]) => clauses.map((clause) => `<p>${clause}</p>`).join('')
const html = (body: string, head = '') => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
const MENU = '<div class="top"><a href="/a">Products</a><a href="/b">Pricing</a></div>'
const page = (clauses: string[], banner = '') =>
  html(`${MENU}<div class="promo">${banner}</div><div class="legal"><h1>Terms</h1>${paragraphs(clauses)}</div>`)
/** A banner of this many words, another one for each number. */
const banner = (n: number) =>
  `<p>Offer ${n}: meet model ${n} of our family, faster than all before it. Try it for free!</p>`
const LOGIN = html(
  '<h1>Welcome back</h1><form><input type="password"></form><p>Log in to continue. Forgot your password?</p>',
)
const CONSENT = html(
  '<p>We use cookies. We and our 812 partners value your privacy.</p><p>Accept all</p><p>Reject all</p>',
)
const SCRIPTED = html('<div id="root"></div>', `<script>${'var a = 1;'.repeat(400)}</script>`)
const TABS = html(
  `<div class="new"><h1>Terms</h1><div role="tablist"><button role="tab">A</button><button role="tab">B</button></div>
   <div role="tabpanel">${paragraphs(CLAUSES.slice(0, 15))}</div><div role="tabpanel" hidden>${paragraphs(CLAUSES.slice(15))}</div></div>`,
)

/** What a page shows on each of some days, fetched twice a day. */
type Days = (day: number) => string
const SCENARIOS: [what: string, days: number, shows: Days, events: number, select?: string[]][] = [
  ['a banner that rotates by the day', 12, (day) => page(CLAUSES, banner(day)), 0],
  ['a banner that rotates by the week', 36, (day) => page(CLAUSES, banner(Math.floor(day / 7))), 0],
  ['a banner that rotates by the month', 95, (day) => page(CLAUSES, banner(Math.floor(day / 30))), 0],
  [
    'a real change below a banner that rotates by the day',
    8,
    (day) => page(day < 3 ? CLAUSES : CHANGED, banner(day)),
    1,
  ],
  ['two editions that alternate by the half day', 10, () => page(CLAUSES), 0],
  [
    'a redesign that moves the text',
    6,
    (day) => (day < 2 ? page(CLAUSES) : page(CLAUSES).replace('legal', 'new')),
    0,
    ['.legal'],
  ],
  ['a redesign that splits the text over tabs', 6, (day) => (day < 2 ? page(CLAUSES) : TABS), 0],
  ['a redesign that loads the text by script', 6, (day) => (day < 2 ? page(CLAUSES) : SCRIPTED), 0],
  ['a consent page for a day', 6, (day) => (day === 2 ? CONSENT : page(CLAUSES)), 0],
  ['a login for a day', 6, (day) => (day === 2 ? LOGIN : page(CLAUSES)), 0],
  ['an empty answer for a day', 6, (day) => (day === 2 ? html('') : page(CLAUSES)), 0],
  ['a real change after a login for a day', 8, (day) => (day === 2 ? LOGIN : page(day < 2 ? CLAUSES : CHANGED)), 1],
]

describe('a page that behaves badly', () => {
  const db = testDatabase()
  let from = 0

  it.each(SCENARIOS)(
    '%s makes the events that a lawyer wants',
    { timeout: 120_000 },
    async (what, days, shows, events, select = []) => {
      const name = what.replace(/[^a-z]+/g, '-')
      const fetch = fetches(db.sql, await declareDocument(db.sql, name, { select }), 'text/html')
      const isAlternating = what.startsWith('two editions')
      for (let half = 0; half < days * 2; half++) {
        const shown = isAlternating && half % 2 === 1 ? page(CHANGED) : shows(Math.floor(half / 2))
        await fetch(from + half * 12, shown)
      }
      from += days * 24 + 100
      expect(await eventsOf(db.sql, name)).toHaveLength(events)
    },
  )
})
