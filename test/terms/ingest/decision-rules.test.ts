import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import {
  type ConfirmationDelays,
  cameWith,
  confirmationDelays,
  decide,
} from '../../../src/terms/ingest/decision-rules.ts'
import type { DocumentState, KnownVersion, OpenVersion } from '../../../src/terms/schema.ts'

const HOUR = 3_600_000
const DAY = 86_400_000
const NOW = '2026-03-31T00:00:00.000Z' as Instant
const ago = (days: number): Instant => plus(NOW, -days * DAY)
const ahead = (days: number): Instant => plus(NOW, days * DAY)
const DELAYS: ConfirmationDelays = { confirmMs: DAY, returnMs: 14 * DAY, knownMs: 3 * DAY, reviewMs: 3 * DAY }
const COLLAPSE = 'most of the text is missing'
const LANGUAGE = 'another language'

const version = (normalHash: string, more: Partial<KnownVersion> = {}): KnownVersion => ({
  versionId: normalHash,
  status: 'published',
  normalHash,
  firstSeenAt: ago(100),
  recordedAt: ago(99),
  reasons: [],
  ...more,
})
const unrecorded = (normalHash: string, status: string) => version(normalHash, { status, recordedAt: undefined })
const candidate = (normalHash: string, more: Partial<OpenVersion> = {}): OpenVersion => ({
  versionId: `open ${normalHash}`,
  status: 'candidate',
  normalHash,
  firstSeenAt: ago(0.5),
  reasons: [],
  ...more,
})
const current = version('in force')
const state = (more: Partial<DocumentState> = {}): DocumentState => ({
  current,
  known: [current],
  returnsPublished: 0,
  ...more,
})
type Text = Parameters<typeof decide>[1]
const arrived = (normalHash: string, more: Partial<Text> = {}): Text => ({ normalHash, doubts: [], ...more })
const decided = (known: DocumentState, text: Text, delays = DELAYS) => decide(known, text, NOW, delays)

describe('how long texts have to stay', () => {
  it('is 24 hours for a new text when its source is requested every six hours or less often', () => {
    expect(confirmationDelays(6 * HOUR)).toEqual({
      confirmMs: DAY,
      returnMs: 14 * DAY,
      knownMs: 3 * DAY,
      reviewMs: 3 * DAY,
    })
    expect(confirmationDelays(7 * DAY).confirmMs).toBe(DAY)
  })

  it('is until the second fetch when its source is requested more often', () => {
    expect(confirmationDelays(6 * HOUR - 1)).toEqual({
      confirmMs: 0,
      returnMs: 14 * DAY,
      knownMs: 3 * DAY,
      reviewMs: 3 * DAY,
    })
  })

  it('is what confirmSeconds says, for a source of any interval', () => {
    expect(confirmationDelays(6 * HOUR, 60).confirmMs).toBe(60_000)
    expect(confirmationDelays(1_000, 60).confirmMs).toBe(60_000)
    expect(confirmationDelays(6 * HOUR, 0).confirmMs).toBe(0)
  })

  it('is never shorter for a returning or a held text than for a new one', () => {
    const day = 86_400
    expect(confirmationDelays(6 * HOUR, 5 * day)).toEqual({
      confirmMs: 5 * DAY,
      returnMs: 14 * DAY,
      knownMs: 5 * DAY,
      reviewMs: 5 * DAY,
    })
    expect(confirmationDelays(6 * HOUR, 20 * day).reviewMs).toBe(20 * DAY)
  })
})

describe('a text that arrives', () => {
  it('introduces a document of which nothing is in force', () => {
    expect(decided({ known: [], returnsPublished: 0 }, arrived('new'))).toEqual({ action: 'introduce' })
  })

  it('changes nothing when it is the text in force', () => {
    expect(decided(state(), arrived('in force'))).toEqual({ action: 'ignore', because: 'unchanged' })
  })

  it('ends the open text when the text in force is back', () => {
    const open = candidate('new')
    expect(decided(state({ open }), arrived('in force'))).toEqual({
      action: 'ignore',
      because: 'unchanged',
      expired: open,
    })
  })

  it('is ignored when a person rejected it before, and ends the open text', () => {
    const known = [unrecorded('refused', 'rejected'), current]
    const open = candidate('new')
    expect(decided(state({ known }), arrived('refused'))).toEqual({ action: 'ignore', because: 'rejected before' })
    expect(decided(state({ known, open }), arrived('refused'))).toMatchObject({ action: 'ignore', expired: open })
  })

  it('is tried although a person rejected another text', () => {
    expect(decided(state({ known: [unrecorded('refused', 'rejected'), current] }), arrived('new'))).toEqual({
      action: 'open',
      confirmAt: ahead(1),
    })
  })

  it('has to stay for a day when it is new', () => {
    expect(decided(state(), arrived('new'))).toEqual({ action: 'open', confirmAt: ahead(1) })
  })

  it('has to stay for a day from now on when it replaces an open text', () => {
    const open = candidate('other')
    expect(decided(state({ open }), arrived('new'))).toEqual({ action: 'open', confirmAt: ahead(1), expired: open })
  })

  it('waits until a day after it was first seen', () => {
    const open = candidate('new', { firstSeenAt: ago(0.75) })
    expect(decided(state({ open }), arrived('new'))).toEqual({ action: 'wait', confirmAt: ahead(0.25) })
  })

  it('is confirmed exactly a day after it was first seen', () => {
    const open = candidate('new', { firstSeenAt: ago(1) })
    expect(decided(state({ open }), arrived('new'))).toEqual({ action: 'confirm' })
  })

  it('has to stay for 14 days when it seems to be for another region, and for 30 where the page has returned to earlier texts', () => {
    const elsewhere = arrived('new', { doubts: ['another region'], near: version('earlier') })
    const opened = (known: Partial<DocumentState>, text = elsewhere) => decided(state(known), text)
    expect(opened({})).toMatchObject({ action: 'open', confirmAt: ahead(14) })
    expect(opened({ returnsPublished: 1 })).toMatchObject({ action: 'open', confirmAt: ahead(30) })
    expect(opened({}, arrived('new', { near: version('earlier') }))).toMatchObject({ confirmAt: ahead(3) })
  })

  it('has to stay for three days in place of one for another region', () => {
    const foreign = { ...current, reasons: ['another region'] }
    const home = arrived('new', { doubts: ['another region'] })
    expect(decided(state({ current: foreign, known: [foreign] }), home)).toMatchObject({ confirmAt: ahead(3) })
  })

  it('is confirmed after a day, whatever else is unusual about it', () => {
    const odd = arrived('new', { doubts: ['less than half the size', COLLAPSE] })
    expect(decided(state(), odd)).toEqual({ action: 'open', confirmAt: ahead(1) })
  })
})

describe('an earlier text that comes back', () => {
  const earlier = version('earlier')
  /** Subscribers heard of the text in force since. */
  const inForce = version('in force', { recordedAt: ago(90), announced: true })
  const back = (returnsPublished: number, delays?: ConfirmationDelays, current = inForce) =>
    decided(state({ current, known: [earlier, current], returnsPublished }), arrived('earlier'), delays)

  it.each([
    [0, 14],
    [1, 30],
    [1_000, 30],
  ])('after %i published returns has to stay for %i days', (returns, days) => {
    expect(back(returns)).toEqual({ action: 'open', confirmAt: ahead(days), returnsTo: earlier })
  })

  it.each([0, 1, 1_000])(
    'that subscribers know still, after %i published returns has to stay for 3 days',
    (returns) => {
      expect(back(returns, DELAYS, current)).toEqual({ action: 'open', confirmAt: ahead(3), returnsTo: earlier })
    },
  )

  it('replaces one for other readers after 3 days', () => {
    const foreign = { ...inForce, reasons: ['another region'] }
    expect(back(0, DELAYS, foreign)).toMatchObject({ confirmAt: ahead(3) })
  })

  it('has to stay as long as its source declares where that is longer than 30 days', () => {
    const declared = { confirmMs: 40 * DAY, returnMs: 40 * DAY, knownMs: 40 * DAY, reviewMs: 40 * DAY }
    expect(back(0, declared)).toMatchObject({ confirmAt: ahead(40) })
    expect(back(2, declared)).toMatchObject({ confirmAt: ahead(40) })
  })

  it('returns to the newest version that had it', () => {
    const [first, second] = [version('earlier', { versionId: '1' }), version('earlier', { versionId: '2' })]
    const known = [first, second, current, unrecorded('earlier', 'expired')]
    expect(decided(state({ known }), arrived('earlier'))).toMatchObject({ returnsTo: { versionId: '2' } })
  })

  it('is a new text when it was never in force', () => {
    const known = [current, unrecorded('earlier', 'expired')]
    expect(decided(state({ known }), arrived('earlier'))).toEqual({ action: 'open', confirmAt: ahead(1) })
  })

  it('says what it returns to when it waits and when it is confirmed', () => {
    const known = [earlier, current]
    const open = candidate('earlier', { firstSeenAt: ago(2) })
    expect(decided(state({ known, open }), arrived('earlier'))).toEqual({
      action: 'wait',
      confirmAt: ahead(1),
      returnsTo: earlier,
    })
    const older = candidate('earlier', { firstSeenAt: ago(3) })
    expect(decided(state({ known, open: older }), arrived('earlier'))).toEqual({
      action: 'confirm',
      returnsTo: earlier,
    })
  })
})

describe('a held text', () => {
  const held = (more: Partial<OpenVersion>) =>
    candidate('new', { status: 'held', firstSeenAt: ago(15), reasons: [COLLAPSE], ...more })
  const again = (open: OpenVersion) => decided(state({ open }), arrived('new', { doubts: [COLLAPSE] }))

  it('is held until 3 days after it was first seen', () => {
    expect(again(held({ firstSeenAt: ago(2) }))).toEqual({ action: 'keep holding', endsAt: ahead(1) })
  })

  it('is published when no one reviewed it for 3 days', () => {
    expect(again(held({ firstSeenAt: ago(3) }))).toEqual({ action: 'release' })
  })

  it('is held since the document has been in doubt', () => {
    expect(again(held({ firstSeenAt: ago(1), doubtSince: ago(2.5) }))).toEqual({
      action: 'keep holding',
      endsAt: ahead(0.5),
    })
  })

  it('returns to the earlier text that it is when it is published', () => {
    const earlier = version('new')
    const open = held({ firstSeenAt: ago(3) })
    expect(decided(state({ known: [earlier, current], open }), arrived('new'))).toEqual({
      action: 'release',
      returnsTo: earlier,
    })
  })
})

describe('the 3 days of a held text that is edited meanwhile', () => {
  const open = candidate('other', { status: 'held', firstSeenAt: ago(2), reasons: [COLLAPSE, LANGUAGE] })
  const edited = (doubts: string[], before = open) => decided(state({ open: before }), arrived('new', { doubts }))

  it('go on when the edited text is in doubt for one of the same reasons', () => {
    expect(edited(['more than twice the size', LANGUAGE])).toMatchObject({ action: 'open', doubtSince: ago(2) })
  })

  it('end when nothing holds it', () => {
    expect(edited(['another region'])).not.toHaveProperty('doubtSince', expect.anything())
    expect(edited([])).not.toHaveProperty('doubtSince', expect.anything())
    const doubted = candidate('other', { doubtSince: ago(2) })
    expect(edited([], doubted)).not.toHaveProperty('doubtSince', expect.anything())
  })

  it('go on over several edits, from the first hold', () => {
    const doubted = candidate('other', { firstSeenAt: ago(1), doubtSince: ago(2) })
    expect(edited([COLLAPSE], doubted)).toMatchObject({ doubtSince: ago(2) })
  })

  it('publish the edited text once they are over and it is confirmed', () => {
    const confirmed = (days: number) =>
      decided(
        state({ open: candidate('new', { firstSeenAt: ago(1), doubtSince: ago(days) }) }),
        arrived('new', { doubts: [COLLAPSE] }),
      )
    expect(confirmed(2.9)).toEqual({ action: 'confirm' })
    expect(confirmed(3)).toEqual({ action: 'release' })
  })
})

describe('a text that is nearly an earlier one', () => {
  const earlier = version('earlier')
  const known = state({ known: [earlier, current] })

  it('has to stay for three days', () => {
    expect(decided(known, arrived('edited', { near: earlier }))).toEqual({
      action: 'open',
      confirmAt: ahead(3),
      returnsTo: earlier,
    })
    expect(decided(known, arrived('edited'))).toMatchObject({ action: 'open', confirmAt: ahead(1) })
  })

  it.each([0, 1, 5])('has to stay for no longer, after %i published returns', (returnsPublished) => {
    const current = version('in force', { recordedAt: ago(90), announced: true })
    const alternating = state({ current, known: [earlier, current], returnsPublished })
    expect(decided(alternating, arrived('edited', { near: earlier }))).toMatchObject({ confirmAt: ahead(3) })
  })

  it('returns to the text that it repeats, when there is one', () => {
    expect(decided(known, arrived('earlier', { near: current }))).toMatchObject({ returnsTo: earlier })
  })
})

describe('a change of which a part lasts while the page differs', () => {
  const came = (days: number, more: Partial<KnownVersion> = {}): KnownVersion =>
    version('came', { status: 'expired', firstSeenAt: ago(days), recordedAt: undefined, ...more })
  const waiting = candidate('waiting', { firstSeenAt: ago(0.25), lastsSince: 'came' })
  const textBefore = (days: number, more?: Partial<KnownVersion>) =>
    state({ open: waiting, known: [current, came(days, more), version(waiting.versionId, { recordedAt: undefined })] })
  const lasts = arrived('arrived', { lasting: [] })

  it('is published as the text with which it came when that is a day old and the page differs again', () => {
    expect(decided(textBefore(1), lasts)).toEqual({ action: 'confirm part', version: came(1), expired: waiting })
  })

  it('waits until then, and is looked at again at that time', () => {
    expect(decided(textBefore(0.75), lasts)).toMatchObject({
      action: 'open',
      confirmAt: ahead(0.25),
      expired: waiting,
      lastsSince: 'came',
    })
    expect(decided(textBefore(0), lasts)).toMatchObject({ confirmAt: ahead(1) })
  })

  it('is a part of the whole where the page stays, and nothing where no part lasts', () => {
    expect(decided(textBefore(1), arrived('waiting', { lasting: [] }))).toMatchObject({ action: 'wait' })
    const open = decided(textBefore(1), arrived('arrived'))
    expect(open).toMatchObject({ action: 'open', confirmAt: ahead(1) })
    expect(open).toHaveProperty('lastsSince', undefined)
  })

  it('ends with no other text where it came with the one that waits', () => {
    const alone = candidate('alone', { firstSeenAt: ago(1) })
    const known = version(alone.versionId, { recordedAt: undefined, firstSeenAt: ago(1) })
    expect(decided(state({ open: alone, known: [current, known] }), lasts)).toEqual({
      action: 'confirm part',
      version: known,
      expired: undefined,
    })
  })

  it('waits for three days where a whole text would be held for them', () => {
    const held = arrived('arrived', { lasting: ['another language'] })
    expect(decided(textBefore(2.9), held)).toMatchObject({ action: 'open', lastsSince: 'came' })
    expect(decided(textBefore(3), held)).toMatchObject({ action: 'confirm part' })
  })

  it('waits as long as a whole text for another region', () => {
    const elsewhere = arrived('arrived', { lasting: ['another region'] })
    expect(decided(textBefore(13.9), elsewhere)).toMatchObject({ action: 'open', lastsSince: 'came' })
    expect(decided(textBefore(14), elsewhere)).toMatchObject({ action: 'confirm part' })
    expect(decided({ ...textBefore(29.9), returnsPublished: 1 }, elsewhere)).toMatchObject({ action: 'open' })
    const foreign = { ...current, reasons: ['another region'] }
    expect(decided({ ...textBefore(3), current: foreign }, elsewhere)).toMatchObject({ action: 'confirm part' })
  })

  it('waits as long as any text that came back', () => {
    const returned = (days: number) => textBefore(days, { returns: true })
    expect(decided(returned(13.9), lasts)).toMatchObject({ action: 'open', lastsSince: 'came' })
    expect(decided(returned(14), lasts)).toMatchObject({ action: 'confirm part' })
    expect(decided({ ...returned(29.9), returnsPublished: 1 }, lasts)).toMatchObject({ action: 'open' })
    expect(decided({ ...returned(30), returnsPublished: 1 }, lasts)).toMatchObject({ action: 'confirm part' })
    const back = version('arrived', { recordedAt: ago(50), firstSeenAt: ago(60) })
    const exact = (days: number) => ({ ...textBefore(days), known: [...textBefore(days).known, back] })
    expect(decided(exact(13.9), lasts)).toMatchObject({ action: 'open' })
    expect(decided(exact(14), lasts)).toMatchObject({ action: 'confirm part' })
  })

  it('is none where nothing waits, or what waits is held', () => {
    expect(cameWith(state({ open: { ...waiting, status: 'held' } }))).toBeUndefined()
    expect(cameWith(state())).toBeUndefined()
  })
})

describe('a text that was held for what it looked like', () => {
  const held = (days: number): OpenVersion =>
    candidate('arrived', {
      status: 'held',
      firstSeenAt: ago(days),
      reasons: ['looks like: none of its selectors finds anything'],
    })

  it('is confirmed like a new one once it is read as the document', () => {
    expect(decided(state({ open: held(0.5) }), arrived('arrived'))).toMatchObject({
      action: 'wait',
      confirmAt: ahead(0.5),
    })
    expect(decided(state({ open: held(1) }), arrived('arrived'))).toMatchObject({ action: 'confirm' })
  })

  it('ends where the document is introduced', () => {
    expect(decided(state({ current: undefined, known: [], open: held(1) }), arrived('arrived'))).toEqual({
      action: 'introduce',
      expired: held(1),
    })
  })
})
