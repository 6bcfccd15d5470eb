import { describe, expect, it } from 'vitest'
import type { FailingSource } from '../../src/catalog/sources/source-store.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { mailOf, sourceNoticeOf } from '../../src/review/notice-rules.ts'

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
