import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import { type Label, measure } from '../../../src/terms/replay/labels-rules.ts'

const HOUR = 3_600_000
const SEEN = '2026-01-01T00:00:00.000Z' as Instant
const event = (document: string, hours: number, seenAt = SEEN) => ({
  document,
  seenAt,
  publishedAt: plus(seenAt, hours * HOUR),
  versionId: document,
})
const label = (document: string, kind: Label['label'], from = SEEN): Label => ({
  document,
  from,
  to: plus(from, HOUR),
  label: kind,
  reason: 'read',
})

describe('a replay beside labels', () => {
  it('counts real changes by whether they were published within 48 hours', () => {
    const labels = ['a', 'b'].map((document) => label(document, 'real'))
    expect(measure([event('a', 48), event('b', 48.1)], labels)).toMatchObject({
      real: 2,
      inTime: 1,
      late: 1,
      missed: 0,
    })
  })

  it('counts a real change without an event as missed, of documents that were replayed', () => {
    const other = label('a', 'real', plus(SEEN, 500 * HOUR))
    expect(measure([event('a', 24)], [label('a', 'real'), other, label('not-replayed', 'real')])).toMatchObject({
      real: 1,
      missed: 1,
    })
  })

  it('counts noise, and events that no one labelled', () => {
    const later = event('b', 24, plus(SEEN, 2 * HOUR))
    expect(measure([event('a', 24), event('b', 24), later], [label('a', 'noise')])).toMatchObject({
      noise: 1,
      unlabelled: 2,
    })
  })
})

describe('the labels of recorded events', () => {
  const labels = readFileSync(new URL('../../../bench/terms/labels.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Label)

  it('say for each text when it was first seen, what it is and why', () => {
    expect(labels.length).toBeGreaterThan(50)
    for (const { document, from, to, label, reason } of labels) {
      expect(document).toMatch(/^[a-z0-9-]+$/)
      expect(from <= to).toBe(true)
      expect(['real', 'noise']).toContain(label)
      expect(reason.length).toBeGreaterThan(3)
    }
  })
})
