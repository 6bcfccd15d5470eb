import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { changesBetween } from '../../src/terms/compare/changes-rules.ts'
import { lostPart } from '../../src/terms/compare/lost-part-rules.ts'
import { confirmationDelays, decide } from '../../src/terms/ingest/decision-rules.ts'
import { readText } from '../../src/terms/normalize/normal-form-rules.ts'
import { readDocument } from '../../src/terms/read/read-document.task.ts'
import { replaceIn, sentences, TERMS } from './texts.ts'

const LONG = `${TERMS}\n\n${sentences(12, 'rule')}`
const isLost = (before: string, after: string) => {
  const [a, b] = [readText(before), readText(after)]
  return lostPart(a, changesBetween(a, b))
}

describe('a large part that went', () => {
  it.each([
    ['and nothing came', LONG, TERMS, true],
    ['and only a date came', LONG, replaceIn(TERMS, 'March 3, 2025', 'March 9, 2025'), true],
    [
      'and other words came',
      LONG,
      replaceIn(TERMS, '30 days notice', 'a notice in good time, at least 14 days'),
      false,
    ],
    ['is no clause of a few words', TERMS, replaceIn(TERMS, ' We may change them with 30 days notice.', ''), false],
  ])('%s', (_what, before, after, lost) => {
    expect(isLost(before, after)).toBe(lost)
  })

  it('has to stay away for three days', () => {
    const now = '2025-01-01T00:00:00.000Z' as Instant
    const current = { versionId: '1', status: 'published', normalHash: 'a', firstSeenAt: now, reasons: [] }
    const state = { current, known: [], returnsPublished: 0 }
    const confirmAt = (isLostPart: boolean) =>
      decide(
        state,
        { normalHash: 'b', reviewReasons: [], lostPart: isLostPart },
        now,
        confirmationDelays(6 * 3_600_000),
      )
    expect(confirmAt(false)).toMatchObject({ action: 'open', confirmAt: plus(now, 24 * 3_600_000) })
    expect(confirmAt(true)).toMatchObject({ action: 'open', confirmAt: plus(now, 72 * 3_600_000) })
  })
})

describe('an agreement on arbitration', () => {
  it('has to stay for three days, because the page may be that of another region', async () => {
    const paragraph = 'Disputes go to arbitration before one arbitrator. '.repeat(6)
    const text = replaceIn(TERMS, 'To the extent', `${paragraph}To the extent`)
    const reading = await readDocument({
      content: { markdown: text },
      current: { markdown: TERMS, leftOut: [] },
    })
    expect(reading).toMatchObject({ comparison: { lostPart: true, classification: 'substantive' } })
  })
})

describe('a much shorter text in another language', () => {
  it('is a change, because it is no translation of the document', async () => {
    const german =
      'Diese Bedingungen gelten für jede Nutzung der angebotenen Dienste, und wer sie nutzt, stimmt ihnen zu. Wir können sie mit einer Frist von einem Monat ändern, dann kann jeder den Vertrag sofort und ohne Kosten beenden. Was für die Zeit danach im Voraus bezahlt wurde, wird auf demselben Weg binnen weniger Tage erstattet.'
    const reading = await readDocument({ content: { markdown: german }, current: { markdown: LONG, leftOut: [] } })
    expect(reading).toMatchObject({
      comparison: { reviewReasons: ['less than half the size', 'another language'], classification: 'substantive' },
    })
  })
})
