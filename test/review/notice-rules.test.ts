import { describe, expect, it } from 'vitest'
import type { FailingSource } from '../../src/catalog/sources/source-store.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { mailOf, noticeOf, sourceNoticeOf } from '../../src/review/notice-rules.ts'
import type { QueueItem } from '../../src/review/schema.ts'

const failing = (source: string, lastGoodAt: string | null = '2026-11-20T10:00:00.000Z'): FailingSource => ({
  source,
  problem: 'the page answered 403',
  failingSince: '2026-11-21T10:00:00.000Z' as Instant,
  lastGoodAt: lastGoodAt as Instant | null,
  nextDueAt: '2026-11-22T12:00:00.000Z' as Instant,
})

describe('a notice about sources that cannot be read', () => {
  it('has those that are new to a channel, how many fail in all, and the command that shows them', () => {
    expect(sourceNoticeOf([failing('a'), failing('b')], 5)).toEqual({
      type: 'source.failing',
      failing: 5,
      notified: 2,
      sources: [failing('a'), failing('b')],
      command: 'npx pricetape source list',
    })
  })

  it('names a hundred at most, and counts all', () => {
    const many = Array.from({ length: 103 }, (_, n) => failing(`s${n}`))
    const notice = sourceNoticeOf(many, 103)
    expect([notice.notified, notice.sources]).toEqual([103, many.slice(0, 100)])
    expect(mailOf(notice)).toContain('\n\n… and 3 more.\n\nSee them all:')
  })

  it('is a mail that says of each what is wrong, since when, and when it is tried again', () => {
    expect(mailOf(sourceNoticeOf([failing('a'), failing('b', null)], 5))).toBe(
      [
        '2 sources could not be read for a day. 5 in all.',
        'Published prices stay as they are. The next source that lists a resource takes over once the last good answer is too old.',
        'a: the page answered 403\n  failing since 2026-11-21T10:00:00.000Z, last read 2026-11-20T10:00:00.000Z, next try 2026-11-22T12:00:00.000Z',
        'b: the page answered 403\n  failing since 2026-11-21T10:00:00.000Z, last read never, next try 2026-11-22T12:00:00.000Z',
        'See them all:\n  npx pricetape source list',
      ].join('\n\n'),
    )
    expect(mailOf(sourceNoticeOf([failing('a')], 1))).toMatch(/^1 source could not be read for a day\. 1 in all\./)
  })
})

describe('a notice about items that wait', () => {
  const item = (id: string, endsBy: string[] = []): QueueItem => ({
    ...{ id, revision: 'r', kind: 'price', provider: 'acme', source: 'list', reasons: ['to_zero'], endsBy },
    ...{ openedAt: '2026-11-20T10:00:00.000Z' as Instant, question: `${id}: input tokens 2 → 0` },
    ...{ resources: ['m'], texts: ['t'], snapshot: 's', rows: ['h'] },
  })

  it('has what a decision is about, and nothing that its reader cannot use', () => {
    const notice = noticeOf([item('one', ['Ends by a person.'])], { waiting: 7, notified: 2 })
    expect(notice).toEqual({
      type: 'review.waiting',
      waiting: 7,
      notified: 2,
      items: [
        {
          ...{ reviewId: 'one', kind: 'price', provider: 'acme', source: 'list', reasons: ['to_zero'] },
          ...{ openedAt: '2026-11-20T10:00:00.000Z', question: 'one: input tokens 2 → 0' },
          endsBy: ['Ends by a person.'],
        },
      ],
      command: 'npx pricetape review list --older-than 1d',
    })
  })

  it('is a mail that says of each what is asked, since when and what ends it, and how many more there are', () => {
    const named = [item('one', ['Ends by a person.', 'Ends by a witness.']), item('two')]
    const shown = [
      '2 items have waited for a decision for a day. 7 in all.',
      'acme: one: input tokens 2 → 0\n  price, since 2026-11-20T10:00:00.000Z\n  Ends by a person.\n  Ends by a witness.\n  one',
      'acme: two: input tokens 2 → 0\n  price, since 2026-11-20T10:00:00.000Z\n  two',
      'See them with their evidence:\n  npx pricetape review list --older-than 1d\n  npx pricetape review show ID\n  npx pricetape review approve ID',
    ]
    expect(mailOf(noticeOf(named, { waiting: 7, notified: 2 }))).toBe(shown.join('\n\n'))
    expect(mailOf(noticeOf(named, { waiting: 7, notified: 5 }))).toContain('\n  two\n\n… and 3 more.\n\nSee them')
    expect(mailOf(noticeOf(named.slice(0, 1), { waiting: 1, notified: 1 }))).toMatch(
      /^1 item has waited for a decision for a day\. 1 in all\./,
    )
  })
})
