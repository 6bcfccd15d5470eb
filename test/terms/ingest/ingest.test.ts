import { describe, expect, it } from 'vitest'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { tosChanged } from '../../../src/events/payloads/tos-changed.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import { ingestDocument } from '../../../src/terms/ingest/ingest-document.ts'
import { ingestUnchanged } from '../../../src/terms/ingest/ingest-unchanged.ts'
import { approveVersion } from '../../../src/terms/review/approve-version.ts'
import { listHeldVersions } from '../../../src/terms/review/list-held-versions.ts'
import { documentVersions, listDocuments } from '../../../src/terms/store/document-store.ts'
import { testDatabase } from '../../support/database.ts'
import { isolation } from '../../support/isolation.ts'
import { replaceIn, SUBSTANTIVE, sentences, TERMS } from '../texts.ts'
import { declareDocument, eventsOf, fetches, START } from './pages.ts'

const LOGIN = '# Welcome back\n\nLog in to continue. Email. Password. Forgot your password?'
/** Long enough for two editions of it to differ in a few words only. It states no date. */
const EDITION = replaceIn(
  replaceIn(TERMS, 'Last updated: March 3, 2025\n\n', ''),
  'Welcome to Example',
  'Welcome to Example. We organize it by color and by the behavior of all who use it, and you can end it by written notice.\n\nYou pay at the end of each month',
)
const BRITISH = replaceIn(
  replaceIn(replaceIn(EDITION, 'organize', 'organise and run'), 'color', 'colour'),
  'behavior',
  'behaviour',
)
const LONGER =
  'in twelve equal parts over the year, each of which is due on the first working day, whatever was used in the month before it and whoever used it'
const THIRD = replaceIn(SUBSTANTIVE, '16 years', '18 years')

/** A page of which a part differs at every fetch. */
const shown = (text: string, n: number) => `${text}\n\nOffer of the hour: ${'great '.repeat(n)}things.`

describe('a legal document', () => {
  const db = testDatabase({ each: true })
  /** Instants go on from test to test, because history is recorded in order: after the present, at which items are opened. */
  let day = 2_000
  const track = async (name: string, options?: object, interval?: number) => {
    const source = await declareDocument(db.sql, name, options, interval)
    const fetch = fetches(db.sql, source)
    day += 100
    const from = day * 24
    return {
      source,
      at: (hour: number, text: string) => fetch(from + hour, text),
      now: (hour: number) => plus(START, (from + hour) * 3_600_000),
    }
  }

  it('is recorded without an event when it is first read', async () => {
    const { at } = await track('first')
    expect(await at(0, TERMS)).toMatchObject({ outcome: 'first' })
    expect(await eventsOf(db.sql, 'first')).toEqual([])
    expect(await listDocuments(db.sql, 'example')).toContainEqual(
      expect.objectContaining({ doc: 'first', url: 'https://example.com/legal/first', title: 'Terms of Service' }),
    )
  })

  it('makes an event when a new text has stayed for a day and was fetched again', async () => {
    const { at } = await track('confirmed')
    await at(0, TERMS)
    expect(await at(6, SUBSTANTIVE)).toMatchObject({ outcome: 'waiting', recheckAt: expect.any(String) })
    expect(await at(12, SUBSTANTIVE)).toMatchObject({ outcome: 'waiting' })
    expect(await at(31, SUBSTANTIVE)).toMatchObject({ outcome: 'published', classification: 'substantive' })
    expect(await at(37, SUBSTANTIVE)).toEqual({ outcome: 'unchanged' })
    const events = await eventsOf(db.sql, 'confirmed')
    expect(events).toHaveLength(1)
    const event = tosChanged.strict().parse(events[0])
    expect(event).toMatchObject({
      version: 'tos-change.v1',
      type: 'tos.changed.example',
      document: 'confirmed',
      classification: 'substantive',
      significance: 'high',
      summary: { wordsAdded: 14, wordsRemoved: 5, truncated: false },
      current: { updatedDate: '2025-03-03', recordedAt: event.eligibleAt },
    })
    expect(event).not.toHaveProperty('differenceUrl')
    const stored = await db.sql`
      select v.significance, e.significance as "ofEvent" from document_version v join event e using (event_id)
      where v.version_id = ${event.current.versionId}`
    expect(stored).toEqual([{ significance: 'high', ofEvent: 'high' }])
    expect(event.previous.recordedAt < event.current.recordedAt).toBe(true)
  })

  it('is confirmed by its second fetch when its source is requested more often than every six hours', async () => {
    const { at } = await track('quick', {}, 300)
    await at(0, TERMS)
    expect(await at(0.1, SUBSTANTIVE)).toMatchObject({ outcome: 'waiting' })
    expect(await at(0.2, SUBSTANTIVE)).toMatchObject({ outcome: 'published' })
  })

  it('counts an answer that nothing changed as another fetch', async () => {
    const { source, at, now } = await track('not-modified')
    await at(0, TERMS)
    await at(6, SUBSTANTIVE)
    const unchanged = { source, snapshotHash: sha256(SUBSTANTIVE), pagesUrl: 'https://pricetape.example' }
    expect(await ingestUnchanged({ sql: db.sql, isolation }, { ...unchanged, at: now(31) })).toMatchObject({
      outcome: 'published',
    })
    expect((await eventsOf(db.sql, 'not-modified'))[0]!.differenceUrl).toMatch(
      /^https:\/\/pricetape\.example\/documents\/example\/not-modified\?from=[-0-9a-f]{36}&to=[-0-9a-f]{36}$/,
    )
  })

  it('makes no event when only links, layout or boilerplate change', async () => {
    const { at } = await track('dressed')
    await at(0, TERMS)
    const tracked = (id: string) =>
      replaceIn(TERMS, 'pricing page', `[pricing page](https://example.com/r/${id}?utm=1)`)
    expect(await at(6, tracked('7a51ab3c'))).toEqual({ outcome: 'cosmetic', reason: 'formatting or links' })
    expect(await at(12, tracked('99ffab3c'))).toMatchObject({ outcome: 'cosmetic' })
    expect(await eventsOf(db.sql, 'dressed')).toEqual([])
  })

  it('makes no event of a text that is gone within a day, nor of its return', async () => {
    const { at } = await track('flap')
    await at(0, TERMS)
    await at(6, SUBSTANTIVE)
    expect(await at(18, TERMS)).toMatchObject({ outcome: 'unchanged', gone: { status: 'candidate' } })
    await at(24, SUBSTANTIVE)
    await at(47, TERMS)
    await at(90, TERMS)
    expect(await eventsOf(db.sql, 'flap')).toEqual([])
  })

  it('makes an event of a reversal when the earlier text has stayed for days, and longer each time', async () => {
    const { at } = await track('reversal')
    await at(0, TERMS)
    await at(6, SUBSTANTIVE)
    await at(31, SUBSTANTIVE)
    expect(await at(40, TERMS)).toMatchObject({ outcome: 'waiting', reason: 'seen before' })
    expect(await at(70, TERMS)).toMatchObject({ outcome: 'waiting' })
    expect(await at(40 + 13 * 24, TERMS)).toMatchObject({ outcome: 'waiting' })
    expect(await at(40 + 14 * 24 + 1, TERMS)).toMatchObject({ outcome: 'published' })
    const [, back] = await eventsOf(db.sql, 'reversal')
    expect(back!.returnsTo).toEqual(expect.any(String))
    const again = 40 + 15 * 24
    expect(await at(again, SUBSTANTIVE)).toMatchObject({ outcome: 'waiting' })
    expect(await at(again + 12 * 24 + 1, SUBSTANTIVE)).toMatchObject({ outcome: 'waiting' })
    expect(await at(again + 29 * 24, SUBSTANTIVE)).toMatchObject({ outcome: 'waiting' })
    expect(await at(again + 30 * 24 + 1, SUBSTANTIVE)).toMatchObject({ outcome: 'published' })
  })

  it('that goes back and forth is distinguished from the earlier text that it nearly is', async () => {
    const longer = replaceIn(EDITION, 'at the end of each month', LONGER)
    const edited = replaceIn(longer, 'written notice', 'signed notice')
    const { at } = await track('back-and-forth')
    await at(0, EDITION)
    await at(6, longer)
    await at(31, longer)
    await at(40, EDITION)
    expect(await at(41 + 14 * 24, EDITION)).toMatchObject({ outcome: 'published' })
    await at(400, edited)
    expect(await at(400 + 2 * 24, edited)).toMatchObject({ outcome: 'waiting' })
    expect(await at(401 + 3 * 24, edited)).toMatchObject({ outcome: 'published', classification: 'minor' })
    const [, , event] = await eventsOf(db.sql, 'back-and-forth')
    expect(event!.diff).toContain('signed notice')
    expect(event!.diff).not.toMatch(/^[-+].*twelve equal parts/m)
    expect(event!.previous).toMatchObject({ versionId: event!.returnsTo })
  })

  it('makes one event of everything when a text is replaced before it was confirmed', async () => {
    const { at } = await track('replaced')
    await at(0, TERMS)
    await at(6, SUBSTANTIVE)
    expect(await at(12, THIRD)).toMatchObject({ outcome: 'waiting', gone: { status: 'candidate' } })
    expect(await at(37, THIRD)).toMatchObject({ outcome: 'published' })
    const [event, ...more] = await eventsOf(db.sql, 'replaced')
    expect(event!.diff).toContain('18 years')
    expect(event!.diff).toContain('You can object')
    expect(more).toEqual([])
  })

  it('makes an event in time of what lasts while other parts of the page differ at every fetch', async () => {
    const { at } = await track('lasting')
    await at(0, shown(TERMS, 1))
    const { recheckAt } = await at(6, shown(SUBSTANTIVE, 2))
    expect(await at(12, shown(SUBSTANTIVE, 3))).toMatchObject({ outcome: 'waiting', recheckAt })
    expect(await at(18, shown(THIRD, 4))).toMatchObject({ outcome: 'waiting', recheckAt })
    expect(await at(31, shown(THIRD, 5))).toMatchObject({ outcome: 'published', waits: expect.any(String) })
    expect(await at(37, shown(THIRD, 6))).toMatchObject({ outcome: 'waiting' })
    expect(await at(56, shown(THIRD, 7))).toMatchObject({ outcome: 'published' })
    const [first, second, ...more] = await eventsOf(db.sql, 'lasting')
    expect(first!.diff).toContain('You can object')
    expect(first!.diff).not.toContain('18 years')
    expect(second!.diff).not.toContain('You can object')
    expect(second!.diff).toContain('18 years')
    expect(more).toEqual([])
  })

  it('does not publish sooner what lasts where that seems to be for readers in another region', async () => {
    const { at } = await track('lasting-elsewhere')
    await at(0, shown(EDITION, 1))
    await at(6, shown(BRITISH, 2))
    expect(await at(31, shown(BRITISH, 3))).toMatchObject({ outcome: 'waiting' })
    expect(await eventsOf(db.sql, 'lasting-elsewhere')).toEqual([])
  })

  it('is not touched by a login page, and the source says why', async () => {
    const { at } = await track('login')
    await at(0, TERMS)
    await at(6, SUBSTANTIVE)
    expect(await at(12, LOGIN)).toEqual({ outcome: 'quarantined', reason: 'login page' })
    expect(await at(31, SUBSTANTIVE)).toMatchObject({ outcome: 'published' })
    expect(await eventsOf(db.sql, 'login')).toHaveLength(1)
  })

  it('is not introduced by an error page', async () => {
    const { at } = await track('error-first')
    expect(await at(0, 'Something went wrong. Please try again later.')).toMatchObject({ outcome: 'quarantined' })
    expect(await at(6, TERMS)).toMatchObject({ outcome: 'first' })
  })

  it('is published after a day whatever is unusual about it, and says so', async () => {
    const { at } = await track('unusual')
    await at(0, TERMS)
    const large = `${TERMS}\n\n${sentences(90, 'rule')}`
    await at(6, large)
    expect(await at(31, large)).toMatchObject({ outcome: 'published', classification: 'substantive' })
    const [event] = await eventsOf(db.sql, 'unusual')
    expect(event).toMatchObject({ doubt: ['more than twice the size'] })
    const [version] = await documentVersions(db.sql, 'example', 'unusual')
    expect(version).toMatchObject({ reasons: ['more than twice the size'] })
  })

  it('that collapsed is held, and published when it has stayed for three days since it was first seen', async () => {
    const { at } = await track('shrunk')
    await at(0, sentences(120, 'rule'))
    const short = sentences(8, 'rule')
    const reason = 'most of the text is missing, less than half the size'
    expect(await at(6, short)).toMatchObject({ outcome: 'waiting' })
    expect(await at(31, short)).toMatchObject({ outcome: 'held', reason })
    expect(await listHeldVersions(db.sql)).toContainEqual(expect.objectContaining({ document: 'shrunk' }))
    expect(await at(6 + 71, short)).toMatchObject({ outcome: 'held', reason: 'waits for review' })
    expect(await eventsOf(db.sql, 'shrunk')).toEqual([])
    expect(await at(6 + 72, short)).toMatchObject({ outcome: 'published' })
    expect((await eventsOf(db.sql, 'shrunk'))[0]).toMatchObject({ doubt: reason.split(', ') })
  })

  it('that states no day on which it takes effect has none, whatever the former text stated', async () => {
    const { at } = await track('undated')
    const effective = (line: string) => replaceIn(TERMS, 'Last updated: March 3, 2025', line)
    await at(0, effective('Effective: March 2, 2025'))
    for (const hour of [6, 31]) await at(hour, replaceIn(effective(''), '30 days notice', '14 days notice'))
    const [event] = await eventsOf(db.sql, 'undated')
    expect(event).toMatchObject({ previous: { effectiveDate: '2025-03-02' } })
    expect(event!.effectiveDate ?? null).toBeNull()
    expect((event!.current as { effectiveDate?: string }).effectiveDate ?? null).toBeNull()
  })

  it('that is in another language for a day makes no event, and one when it stays for three days', async () => {
    const french = 'Les présentes conditions régissent votre utilisation de nos services et vous les acceptez. '.repeat(
      12,
    )
    const { at } = await track('translated')
    await at(0, TERMS)
    await at(6, french)
    expect(await at(31, french)).toMatchObject({ outcome: 'held', reason: expect.stringContaining('another language') })
    expect(await at(37, TERMS)).toMatchObject({ outcome: 'unchanged', gone: { status: 'held' } })
    expect(await eventsOf(db.sql, 'translated')).toEqual([])
    await at(100, french)
    await at(125, french)
    expect(await at(173, french)).toMatchObject({ outcome: 'published' })
  })

  it('that is edited while it is in another language waits since it came in it', async () => {
    const { at } = await track('edited')
    const translated = 'Diese Bedingungen gelten für Ihre Nutzung der Dienste, und Sie stimmen ihnen zu. '.repeat(12)
    await at(0, TERMS)
    for (const hour of [6, 31]) await at(hour, translated)
    for (const hour of [40, 65]) await at(hour, `${translated}Sie gelten auch künftig.`)
    const [came, edited, ...others] = await db.sql<{ seen: string; held: string | null }[]>`
      select first_seen_at as seen, held_at as held from document_version
      where source like '%edited' and markdown like 'Diese%' order by first_seen_at`
    expect([came!.held, edited!.held, others]).toEqual([came!.seen, came!.seen, []])
  })

  it('that replaces a translation which was shown for days makes no event', async () => {
    const { at } = await track('translated')
    const translated = 'Diese Bedingungen gelten für Ihre Nutzung der Dienste, und Sie stimmen ihnen zu. '.repeat(12)
    await at(0, TERMS)
    for (const hour of [6, 31, 79]) await at(hour, translated)
    expect(await eventsOf(db.sql, 'translated')).toHaveLength(1)
    await at(100, TERMS)
    expect(await at(173, TERMS)).toMatchObject({ outcome: 'cosmetic' })
    expect(await eventsOf(db.sql, 'translated')).toHaveLength(1)
    expect(await at(180, SUBSTANTIVE)).toMatchObject({ outcome: 'waiting' })
    expect(await at(205, SUBSTANTIVE)).toMatchObject({ outcome: 'published' })
  })

  it('for another region that is gone within two weeks makes no event', async () => {
    const { at } = await track('elsewhere')
    await at(0, EDITION)
    for (const hour of [6, 31, 341]) expect(await at(hour, BRITISH)).toMatchObject({ outcome: 'waiting' })
    expect(await at(347, EDITION)).toMatchObject({ outcome: 'unchanged' })
    expect(await eventsOf(db.sql, 'elsewhere')).toEqual([])
  })

  it('for another region that stays for two weeks is published with that doubt, and its end makes no event', async () => {
    const { at } = await track('moved')
    await at(0, EDITION)
    await at(6, BRITISH)
    expect(await at(343, BRITISH)).toMatchObject({ outcome: 'published' })
    expect(await eventsOf(db.sql, 'moved')).toMatchObject([{ doubt: ['another region'] }])
    await at(349, EDITION)
    expect(await at(422, EDITION)).toMatchObject({ outcome: 'cosmetic' })
    expect(await eventsOf(db.sql, 'moved')).toHaveLength(1)
  })

  it('that collapsed is published although it is edited meanwhile', async () => {
    const { at } = await track('edited')
    await at(0, sentences(120, 'rule'))
    const edited = (edition: number) => `${sentences(8, 'rule')}\n\nThis is edition ${edition} of the rules.`
    for (let hour = 24; hour < 12 * 24; hour += 12) await at(hour, edited(Math.floor(hour / 60)))
    const events = await eventsOf(db.sql, 'edited')
    expect(events.length).toBeGreaterThan(0)
    expect(events[0]!.doubt).toContain('less than half the size')
  })

  it('whose selectors find nothing is read from the container of its page when most of it is there', async () => {
    const source = await declareDocument(db.sql, 'redesigned', { select: ['.legal'] })
    day += 200
    const fetch = fetches(db.sql, source, 'text/html')
    const text = sentences(30, 'rule').replaceAll('\n\n', '</p><p>')
    const changed = text.replace('The rule number 7', 'The rule with number 7')
    const page = (name: string, said: string) => `<html><body><div class="${name}"><p>${said}</p></div></body></html>`
    expect(await fetch(day * 24, page('legal', text))).toMatchObject({ outcome: 'first' })
    expect(await fetch(day * 24 + 6, page('new', text))).toEqual({ outcome: 'unchanged' })
    await fetch(day * 24 + 12, page('new', changed))
    expect(await fetch(day * 24 + 40, page('new', changed))).toMatchObject({ outcome: 'published' })
    expect((await eventsOf(db.sql, 'redesigned'))[0]).toMatchObject({ doubt: ['its selectors find nothing'] })
  })

  const page = (name: string, text: string) =>
    `<html><body><div class="${name}"><p>${text.replaceAll('\n\n', '</p><p>')}</p></div></body></html>`

  it('that was held because its selectors find nothing is confirmed after a day once they are right', async () => {
    const source = await declareDocument(db.sql, 'mended-selector', { select: ['.legal'] })
    day += 200
    const other = page('new', sentences(20, 'rule'))
    const first = fetches(db.sql, source, 'text/html')
    await first(day * 24, page('legal', sentences(30, 'rule')))
    const { versionId } = await first(day * 24 + 6, other)
    const right = { ...source, options: { ...source.options, select: ['.new'] } }
    const again = fetches(db.sql, right, 'text/html')
    expect(await again(day * 24 + 12, other)).toMatchObject({ outcome: 'waiting', versionId })
    expect(await again(day * 24 + 30, other)).toMatchObject({ outcome: 'published', versionId })
    expect(await listHeldVersions(db.sql)).not.toContainEqual(expect.objectContaining({ versionId }))
  })

  it('whose first text was held leaves nothing to review once its selectors are right', async () => {
    const source = await declareDocument(db.sql, 'first-held', { select: ['.legal'] })
    day += 200
    const other = page('new', sentences(20, 'rule'))
    const { versionId } = await fetches(db.sql, source, 'text/html')(day * 24, other)
    expect(versionId).toBeDefined()
    const right = { ...source, options: { ...source.options, select: ['.new'] } }
    expect(await fetches(db.sql, right, 'text/html')(day * 24 + 6, other)).toMatchObject({ outcome: 'first' })
    expect(await listHeldVersions(db.sql)).not.toContainEqual(expect.objectContaining({ document: 'first-held' }))
  })

  it('is changed a day later although its selectors found nothing in one fetch', async () => {
    const source = await declareDocument(db.sql, 'one-layout', { select: ['.legal'] })
    day += 200
    const at = fetches(db.sql, source, 'text/html')
    const changed = page('legal', `${sentences(30, 'rule')}\n\nYou waive the right to a trial by jury.`)
    await at(day * 24, page('legal', sentences(30, 'rule')))
    await at(day * 24 + 6, changed)
    expect(await at(day * 24 + 12, page('new', sentences(9, 'rule')))).toMatchObject({ outcome: 'quarantined' })
    expect(await at(day * 24 + 18, changed)).toMatchObject({ outcome: 'waiting' })
    // The fetch that would have confirmed it shows the layout again: the next one still confirms it.
    const reason = 'none of its selectors finds anything: .legal'
    expect(await at(day * 24 + 33, page('new', sentences(9, 'rule')))).toEqual({ outcome: 'quarantined', reason })
    expect(await at(day * 24 + 39, changed)).toMatchObject({ outcome: 'published' })
    // A layout that stays is held when the change has had its day.
    await at(day * 24 + 42, page('legal', sentences(30, 'rule')))
    await at(day * 24 + 48, page('new', sentences(9, 'rule')))
    const held = await at(day * 24 + 78, page('new', sentences(9, 'rule')))
    expect(held.reason).toContain('waits for review')
  })

  it('whose selectors find nothing, on a page without most of it, waits for a review at once', async () => {
    const source = await declareDocument(db.sql, 'lost', { select: ['.legal'] })
    day += 200
    const fetch = fetches(db.sql, source, 'text/html')
    await fetch(day * 24, page('legal', sentences(30, 'rule')))
    const report = await fetch(day * 24 + 6, page('new', sentences(20, 'rule')))
    const reason = 'none of its selectors finds anything: .legal'
    expect(report).toMatchObject({ outcome: 'quarantined', reason: `${reason}; it stays, so it waits for review` })
    expect(await listHeldVersions(db.sql)).toContainEqual(
      expect.objectContaining({ document: 'lost', reasons: [`looks like: ${reason}`] }),
    )
  })

  it('that looks like an error page is held when it stays for days, and only a person publishes it', async () => {
    const { at } = await track('notice')
    await at(0, TERMS)
    expect(await at(6, LOGIN)).toEqual({ outcome: 'quarantined', reason: 'login page' })
    expect(await at(30, LOGIN)).toEqual({ outcome: 'quarantined', reason: 'login page' })
    const stays = await at(6 + 73, LOGIN)
    expect(stays).toMatchObject({ outcome: 'quarantined', reason: expect.stringContaining('waits for review') })
    expect(await listHeldVersions(db.sql)).toMatchObject([
      { versionId: stays.versionId, reasons: ['looks like: login page'] },
    ])
    expect(await at(60 * 24, LOGIN)).toMatchObject({ outcome: 'quarantined', versionId: stays.versionId })
    expect(await at(60 * 24 + 6, TERMS)).toMatchObject({ outcome: 'unchanged', gone: { status: 'held' } })
    expect(await eventsOf(db.sql, 'notice')).toEqual([])
  })

  it('whose first text looks like an error page is introduced by a person', async () => {
    const { at } = await track('first-notice')
    await at(0, LOGIN)
    const { versionId } = await at(80, LOGIN)
    const review = { versionId: versionId!, by: 'ada@example.com', note: 'it is all there is' }
    expect(await approveVersion({ sql: db.sql, isolation }, review)).toMatchObject({ outcome: 'first' })
    expect(await at(100, LOGIN)).toEqual({ outcome: 'unchanged' })
    expect(await eventsOf(db.sql, 'first-notice')).toEqual([])
  })

  it('is listed under its new title and address when its declaration changes', async () => {
    const { source, at, now } = await track('renamed')
    await at(0, TERMS)
    const renamed = { ...source, url: 'https://example.com/new', options: { ...source.options, title: 'User Terms' } }
    const unchanged = { source: renamed, snapshotHash: sha256(TERMS), at: now(6) }
    expect(await ingestUnchanged({ sql: db.sql, isolation }, unchanged)).toEqual({ outcome: 'unchanged' })
    expect(await listDocuments(db.sql, 'example')).toContainEqual(
      expect.objectContaining({ doc: 'renamed', url: 'https://example.com/new', title: 'User Terms' }),
    )
  })

  it('is listed under its new provider alone when its declaration names another one', async () => {
    const { source, at, now } = await track('moved')
    await at(0, TERMS)
    const moved = { ...source, options: { ...source.options, provider: 'other' } }
    await ingestUnchanged({ sql: db.sql, isolation }, { source: moved, snapshotHash: sha256(TERMS), at: now(6) })
    expect(await listDocuments(db.sql, 'other')).toMatchObject([{ doc: 'moved' }])
    expect(await listDocuments(db.sql, 'example')).toEqual([])
    const named = await db.sql`select provider from source_provider where source = ${source.source}`
    expect(named).toEqual([{ provider: 'other' }])
  })

  it('that only moved its paragraphs is recorded without an event, with the rule that explained it', async () => {
    const { at } = await track('moved')
    await at(0, TERMS)
    const item = '- You keep all rights in what you send to the services.\n'
    const moved = replaceIn(
      replaceIn(TERMS, item, ''),
      '- We do not use your content',
      `${item}- We do not use your content`,
    )
    await at(6, moved)
    expect(await at(31, moved)).toMatchObject({ outcome: 'cosmetic', classification: 'cosmetic' })
    expect(await eventsOf(db.sql, 'moved')).toEqual([])
    const [version, ...earlier] = await documentVersions(db.sql, 'example', 'moved')
    expect(version).toMatchObject({ status: 'cosmetic', explained: [{ rule: 'moved paragraphs', words: 22 }] })
    expect(earlier).toMatchObject([{ status: 'published', explained: null }])
  })

  it('makes no event when the selectors change what is read of the same page', async () => {
    const source = await declareDocument(db.sql, 'selectors')
    // Reading it again with other selectors is recorded as of now: these fetches come later.
    day += 2_000
    const from = day * 24
    const html = `<html><body><main><p>${sentences(30, 'rule').replaceAll('\n\n', '</p><p>')}</p><div class="promo">Buy our new and shiny product today.</div></main></body></html>`
    const changed = html.replace('The rule number 7', 'The rule with number 7')
    await fetches(db.sql, source, 'text/html')(from, html)
    const narrower = { ...source, options: { ...source.options, remove: ['.promo'] } }
    const fetch = fetches(db.sql, narrower, 'text/html')
    expect(await fetch(from + 6, html.replace('shiny', 'bright'))).toEqual({ outcome: 'unchanged' })
    await fetch(from + 12, changed)
    expect(await fetch(from + 40, changed)).toMatchObject({ outcome: 'published', classification: 'minor' })
    expect(await eventsOf(db.sql, 'selectors')).toHaveLength(1)
  })
})

describe('two fetches of one document', () => {
  const db = testDatabase({ each: true })

  it('are decided one after the other, and make one event', async () => {
    const source = await declareDocument(db.sql, 'twice', {}, 300)
    const fetch = async (text: string, at?: Instant) => {
      const bytes = Buffer.from(text)
      const snapshotHash = await storeSnapshot(db.sql, { bytes, at: START, contentType: 'text/markdown' })
      return ingestDocument(
        { sql: db.sql, isolation },
        { source, snapshotHash, bytes, contentType: 'text/markdown', at },
      )
    }
    await fetch(TERMS)
    await fetch(SUBSTANTIVE)
    const outcomes = await Promise.all([fetch(SUBSTANTIVE), fetch(SUBSTANTIVE), fetch(SUBSTANTIVE)])
    expect(outcomes.map((report) => report.outcome).sort()).toEqual(['published', 'unchanged', 'unchanged'])
    expect(await eventsOf(db.sql, 'twice')).toHaveLength(1)
  })
})
