import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { type ConfirmationDelays, confirmationDelays, decide } from '../../src/terms/ingest/decision-rules.ts'
import type { DocumentState, KnownVersion, OpenVersion } from '../../src/terms/schema.ts'

const HOUR = 3_600_000
const DAY = 86_400_000
const NOW = '2026-03-31T00:00:00.000Z' as Instant
const ago = (days: number): Instant => plus(NOW, -days * DAY)
const ahead = (days: number): Instant => plus(NOW, days * DAY)
const DELAYS: ConfirmationDelays = { confirmMs: DAY, lostMs: 3 * DAY, returnMs: 14 * DAY, reviewMs: 14 * DAY }

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
const arrived = (normalHash: string, more: Partial<Text> = {}): Text => ({ normalHash, reviewReasons: [], ...more })
const decided = (known: DocumentState, text: Text, delays = DELAYS) => decide(known, text, NOW, delays)

describe('how long texts have to stay', () => {
  it('is 24 hours for a new text when its source is requested every six hours or less often', () => {
    expect(confirmationDelays(6 * HOUR)).toEqual({
      confirmMs: DAY,
      lostMs: 3 * DAY,
      returnMs: 14 * DAY,
      reviewMs: 14 * DAY,
    })
    expect(confirmationDelays(7 * DAY).confirmMs).toBe(DAY)
  })

  it('is until the second fetch when its source is requested more often', () => {
    expect(confirmationDelays(6 * HOUR - 1)).toEqual({
      confirmMs: 0,
      lostMs: 3 * DAY,
      returnMs: 14 * DAY,
      reviewMs: 14 * DAY,
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
      lostMs: 5 * DAY,
      returnMs: 14 * DAY,
      reviewMs: 14 * DAY,
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

  it('has to stay for three days when a part may not have loaded', () => {
    const lost = arrived('new', { lostPart: true })
    expect(decided(state(), lost)).toEqual({ action: 'open', confirmAt: ahead(3) })
    const open = candidate('new', { firstSeenAt: ago(2) })
    expect(decided(state({ open }), lost)).toEqual({ action: 'wait', confirmAt: ahead(1) })
  })

  it('is held after a day when it lost a part and needs a review too', () => {
    const held = arrived('new', { lostPart: true, reviewReasons: ['much shorter'] })
    expect(decided(state(), held)).toEqual({ action: 'open', confirmAt: ahead(1) })
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

  it.each([
    [0, 3],
    [1, 12],
    [2, 30],
    [1_000, 30],
  ])('that subscribers know still, after %i published returns has to stay for %i days', (returns, days) => {
    expect(back(returns, DELAYS, current)).toEqual({ action: 'open', confirmAt: ahead(days), returnsTo: earlier })
  })

  it('has to stay as long as its source declares where that is longer than 30 days', () => {
    const declared = { confirmMs: 40 * DAY, lostMs: 40 * DAY, returnMs: 40 * DAY, reviewMs: 40 * DAY }
    expect(back(0, declared)).toMatchObject({ confirmAt: ahead(40) })
    expect(back(2, declared)).toMatchObject({ confirmAt: ahead(40) })
  })

  it('has to stay for as long as any text of a restless document where that is longer', () => {
    expect(back(0, { ...DELAYS, confirmMs: 7 * DAY }, current)).toMatchObject({ confirmAt: ahead(7) })
    expect(back(0, { ...DELAYS, confirmMs: 20 * DAY })).toMatchObject({ confirmAt: ahead(20) })
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
    candidate('new', { status: 'held', firstSeenAt: ago(15), reasons: ['much shorter'], ...more })
  const again = (open: OpenVersion) => decided(state({ open }), arrived('new', { reviewReasons: ['much shorter'] }))

  it('is held until 14 days after it was held', () => {
    expect(again(held({ heldAt: ago(13) }))).toEqual({ action: 'keep holding', endsAt: ahead(1) })
  })

  it('is published when nobody reviewed it for 14 days', () => {
    expect(again(held({ heldAt: ago(14) }))).toEqual({ action: 'release' })
  })

  it('is held since it was first seen where nothing says since when', () => {
    expect(again(held({ firstSeenAt: ago(4) }))).toEqual({ action: 'keep holding', endsAt: ahead(10) })
  })

  it('returns to the earlier text that it is when it is published', () => {
    const earlier = version('new')
    const open = held({ heldAt: ago(14) })
    expect(decided(state({ known: [earlier, current], open }), arrived('new'))).toEqual({
      action: 'release',
      returnsTo: earlier,
    })
  })
})

describe('the 14 days of a held text that is edited meanwhile', () => {
  const open = candidate('other', { status: 'held', heldAt: ago(9), reasons: ['much shorter', 'another language'] })
  const edited = (reviewReasons: string[], before = open) =>
    decided(state({ open: before }), arrived('new', { reviewReasons }))

  it('go on when the edited text needs a review for one of the same reasons', () => {
    expect(edited(['much longer', 'another language'])).toMatchObject({ action: 'open', doubtSince: ago(9) })
  })

  it('end when it needs a review for another reason', () => {
    expect(edited(['another region'])).not.toHaveProperty('doubtSince', expect.anything())
  })

  it('end when it needs no review', () => {
    expect(edited([])).not.toHaveProperty('doubtSince', expect.anything())
    const doubted = candidate('other', { doubtSince: ago(9) })
    expect(edited([], doubted)).not.toHaveProperty('doubtSince', expect.anything())
  })

  it('go on over several edits, from the first hold', () => {
    const doubted = candidate('other', { heldAt: ago(2), doubtSince: ago(9) })
    expect(edited(['much shorter'], doubted)).toMatchObject({ doubtSince: ago(9) })
  })

  it('publish the edited text once they are over and it is confirmed', () => {
    const confirmed = (days: number) =>
      decided(
        state({ open: candidate('new', { firstSeenAt: ago(1), doubtSince: ago(days) }) }),
        arrived('new', { reviewReasons: ['much shorter'] }),
      )
    expect(confirmed(13.9)).toEqual({ action: 'confirm' })
    expect(confirmed(14)).toEqual({ action: 'release' })
  })
})

describe('a text that is nearly an earlier one', () => {
  const earlier = version('earlier')
  const known = state({ known: [earlier, current] })

  it('has to stay as long as that one would', () => {
    expect(decided(known, arrived('edited', { near: earlier }))).toEqual({
      action: 'open',
      confirmAt: ahead(3),
      returnsTo: earlier,
    })
    expect(decided(known, arrived('edited'))).toMatchObject({ action: 'open', confirmAt: ahead(1) })
  })

  it.each([0, 1, 5])('has to stay for 14 days at most, after %i published returns', (returnsPublished) => {
    const current = version('in force', { recordedAt: ago(90), announced: true })
    const restless = state({ current, known: [earlier, current], returnsPublished })
    expect(decided(restless, arrived('edited', { near: earlier }))).toMatchObject({ confirmAt: ahead(14) })
  })

  it('returns to the text that it repeats, when there is one', () => {
    expect(decided(known, arrived('earlier', { near: current }))).toMatchObject({ returnsTo: earlier })
  })
})
