import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { lineInMail } from '../../src/lib/text/mail-names.ts'
import { digestDue, isDue } from '../../src/watches/digest-rules.ts'
import { subjectText } from '../../src/watches/mail-rules.ts'
import { addChanges, mailsOf, withinLimit } from '../../src/watches/plan-rules.ts'
import type { WatchView } from '../../src/watches/schema.ts'
import {
  GIVE_UP_AFTER_MS,
  kindOf,
  LINK_KEPT_MS,
  MAILS_COUNTED_MS,
  MAX_MAILS_PER_DAY,
  MAX_WATCHES,
  WATCHED_EVENTS,
} from '../../src/watches/watch-rules.ts'

const at = (text: string) => `${text}.000Z` as Instant

describe('when a digest is due', () => {
  // 5 January 2026 was a Monday.
  it.each([
    ['daily', '2026-01-05T06:59:59', '2026-01-04T07:00:00'],
    ['daily', '2026-01-05T07:00:00', '2026-01-05T07:00:00'],
    ['daily', '2026-01-06T00:00:00', '2026-01-05T07:00:00'],
    ['weekly', '2026-01-05T06:59:59', '2025-12-29T07:00:00'],
    ['weekly', '2026-01-05T07:00:00', '2026-01-05T07:00:00'],
    ['weekly', '2026-01-11T23:00:00', '2026-01-05T07:00:00'],
  ] as const)('the %s one at %s is that of %s', (frequency, now, due) => {
    expect(digestDue(frequency, at(now))).toBe(at(due))
  })

  it('is once for each day or week, however often it is looked for, and always for mails at once', () => {
    const now = at('2026-01-05T07:04:00')
    expect(isDue('daily', now, at('2026-01-05T06:59:59'))).toBe(true)
    expect(isDue('daily', now, at('2026-01-05T07:00:00'))).toBe(false)
    expect(isDue('weekly', now, at('2026-01-04T07:00:00'))).toBe(true)
    expect(isDue('weekly', now, at('2026-01-05T07:01:00'))).toBe(false)
    expect(isDue('at_once', now, now)).toBe(true)
  })
})

describe('the mails about changes', () => {
  const found = (watchId: string, accountId: string) => ({ watchId, accountId, changes: 1, seqs: ['7'] })
  const all = [found('w1', 'ada'), found('w2', 'ada'), found('w3', 'bob')]
  const parts = (frequency: 'at_once' | 'daily') =>
    mailsOf(frequency, all).map(({ accountId, parts }) => [accountId, parts.map(({ watchId }) => watchId)])

  it('are one for each watch at once, and one for each person in a digest', () => {
    expect(parts('at_once')).toEqual([
      ['ada', ['w1']],
      ['ada', ['w2']],
      ['bob', ['w3']],
    ])
    expect(parts('daily')).toEqual([
      ['ada', ['w1', 'w2']],
      ['bob', ['w3']],
    ])
  })

  it('count all changes, and show the first 20', () => {
    const seqs = (from: number, count: number) => Array.from({ length: count }, (_, n) => String(from + n))
    const sum = new Map()
    addChanges(sum, { ...found('w1', 'ada'), changes: 15, seqs: seqs(1, 15) })
    addChanges(sum, { ...found('w1', 'ada'), changes: 400, seqs: seqs(16, 20) })
    addChanges(sum, { ...found('w2', 'ada'), changes: 1, seqs: ['9'] })
    expect(sum.get('w1')).toEqual({ watchId: 'w1', accountId: 'ada', changes: 415, seqs: seqs(1, 20) })
    expect(sum.size).toBe(2)
  })
})

describe('the limit of mails to one person', () => {
  const mail = (watchId: string, accountId: string) => ({ accountId, parts: [{ watchId, changes: 1, seqs: ['1'] }] })
  const all = [mail('w1', 'ada'), mail('w2', 'ada'), mail('w3', 'bob')]
  const ids = (sent: Map<string, number> | undefined) => {
    const { mails, waiting } = withinLimit(all, sent)
    return [mails.map(({ parts }) => parts[0]!.watchId), waiting]
  }

  it('is 50 for each, and what is above it waits', () => {
    expect(ids(new Map())).toEqual([['w1', 'w2', 'w3'], []])
    expect(ids(new Map([['ada', 48]]))).toEqual([['w1', 'w2', 'w3'], []])
    expect(ids(new Map([['ada', 49]]))).toEqual([['w1', 'w3'], ['w2']])
    expect(
      ids(
        new Map([
          ['ada', 50],
          ['bob', 49],
        ]),
      ),
    ).toEqual([['w3'], ['w1', 'w2']])
  })

  it('is none for digests', () => expect(ids(undefined)).toEqual([['w1', 'w2', 'w3'], []]))
})

describe('a watch', () => {
  const watch = (given: Partial<WatchView>) =>
    ({
      provider: 'openai',
      providerName: 'OpenAI',
      resource: null,
      document: null,
      title: null,
      group: null,
      ...given,
    }) as WatchView

  it.each([
    ['model', 'gpt-5 at OpenAI', { resource: 'gpt-5' }],
    ['seller', 'OpenAI', {}],
    ['seller', 'openai', { providerName: null }],
    ['document', 'Terms of use of OpenAI', { document: 'terms', title: 'Terms of use' }],
    ['document', 'terms of OpenAI', { document: 'terms' }],
    ['group', 'GPT-5', { provider: null, group: { id: 'g', name: 'GPT-5', deleted: false } }],
  ] as const)('of a %s is called "%s"', (kind, text, given) => {
    const view = watch(given)
    expect(subjectText(view)).toBe(text)
    expect(kindOf({ ...view, groupId: view.group?.id })).toBe(kind)
  })

  it('is about what changes amounts, names and texts: a document about its texts, a group about its members too', () => {
    const prices = [
      ...['price.announced', 'price.changed', 'price.corrected'],
      ...['resource.added', 'resource.removed', 'resource.renamed'],
    ]
    const events = Object.entries(WATCHED_EVENTS).map(([kind, types]) => [kind, [...types].sort()])
    expect(Object.fromEntries(events)).toEqual({
      model: prices,
      seller: [...prices, 'tos.changed'],
      group: ['alias.member_added', 'alias.member_removed', ...prices],
      document: ['tos.changed'],
    })
  })

  it('has these limits', () => {
    expect([MAX_WATCHES, MAX_MAILS_PER_DAY, MAILS_COUNTED_MS]).toEqual([50, 50, 86_400_000])
    expect([GIVE_UP_AFTER_MS, LINK_KEPT_MS]).toEqual([7 * 86_400_000, 365 * 86_400_000])
  })
})

describe('a line about what a source says, in a mail', () => {
  it.each([
    ['gpt-3.5-turbo at OpenAI', 'gpt-3.5-turbo at OpenAI'],
    ['@cf/meta/llama-2 fell: 2.50 → 2.00 USD', '@cf/meta/llama-2 fell: 2.50 → 2.00 USD'],
    ['(@cf/x) v1:0', '(@cf/x) v1:0'],
    ['see https://evil.example/x now', 'see [address removed] now'],
    ['see evil//x', 'see [address removed]'],
    ['www.evil.example', '[address removed]'],
    ['mail a@evil.example', 'mail [address removed]'],
    ['two\nlines\t\u200bhere', 'two lines here'],
  ])('%j is %j', (line, shown) => expect(lineInMail(line)).toBe(shown))
})
