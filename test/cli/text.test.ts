import { describe, expect, it } from 'vitest'
import { type Banner, bannerText } from '../../src/cli/banner.ts'
import { checkText } from '../../src/cli/check.ts'
import { errorMessage } from '../../src/cli/error-message.ts'
import { plural, table } from '../../src/cli/output.ts'
import { dataFolder } from '../../src/embedded/data-folder.ts'
import { AppError, OperatorError } from '../../src/lib/errors.ts'
import type { Instant } from '../../src/lib/instant.ts'

const screen: Banner = {
  url: 'http://localhost:8080',
  temporalUi: 'http://localhost:8233',
  folder: dataFolder('/data'),
  bootstrapped: {
    imported: { snapshots: 0, rows: 0, seconds: 0 },
    providers: 2,
    prices: 1_234,
    from: '2025-10-19T00:00:00.000Z' as Instant,
    webhooks: 1,
    pending: 0,
  },
  checkMinutes: 5,
  seconds: 3.14,
}
const withKeys = (keys: { newKey?: string; keyEnd?: string; firstAccountToken?: string }): Banner => ({
  ...screen,
  bootstrapped: { ...screen.bootstrapped, ...keys },
})

describe('the first screen', () => {
  const change = {
    provider: 'acme',
    resource: 'm one',
    dimension: 'output_tokens',
    day: '2026-09-23',
    before: '0.00000087',
    now: '0.00000198',
  }
  const cheapest = {
    group: "Ann's M",
    dimension: 'output_tokens',
    sellers: 8,
    provider: 'resale',
    price: '0.000001',
  }
  const firstScreen = () => {
    const screen = withKeys({ newKey: `ptk_${'x'.repeat(43)}` })
    return bannerText({ ...screen, bootstrapped: { ...screen.bootstrapped, change, cheapest } })
  }

  it('shows a new key, what a model cost at two instants, and who sells it cheapest', () => {
    const text = firstScreen()
    expect(text).toContain('shown this once')
    expect(text).toContain(
      'What does m one cost at acme?\n  0.00000087 USD per output token until 2026-09-23, 0.00000198 now:',
    )
    expect(text).toContain('Of 8 providers resale does, for 0.000001 USD:')
    expect(text.match(/curl -sGw .{4} \$URL/g)).toHaveLength(3)
    expect(text.match(/-d asOf=2026-09-23T00:00:00Z/g)).toHaveLength(1)
    expect(text).toContain(`--data-urlencode 'alias=Ann'\\''s M'`)
  })

  it('shows the link to the first account while there is none', () => {
    const firstAccountToken = 'y'.repeat(43)
    expect(bannerText(withKeys({ firstAccountToken }))).toContain(
      `  http://localhost:8080/first-account#token=${firstAccountToken}\n`,
    )
    expect(bannerText(screen)).not.toContain('#token=')
  })

  it('is 80 columns wide at most, but for a link, which is not broken', () => {
    for (const text of [firstScreen(), bannerText(screen), bannerText(withKeys({ newKey: `ptk_${'x'.repeat(43)}` }))])
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('never shows an old key, only how it ends', () => {
    expect(bannerText(withKeys({ keyEnd: 'abcd' }))).toMatch(/ends in abcd\n +another: npx pricetape key create/)
  })

  it('says where everything is and what is recorded', () => {
    const text = bannerText(screen)
    expect(text).toMatch(/API +http:\/\/localhost:8080 /)
    expect(text).toMatch(/Data +\/data$/m)
    expect(text).toMatch(/Prices +1,234 of 2 providers, recorded from 2025-10-19 on/)
  })

  it('says what has stopped', () => {
    const reasons = [{ code: 'disk_full' as const, message: 'The database’s disk is full.' }]
    const text = bannerText({ ...screen, health: { ready: false, reads: false, reasons, degraded: [] } })
    expect(text).toContain('Not ready: The database’s disk is full.')
  })
})

describe('what a check tells', () => {
  it('names what each source gave, what became of it, and every problem', () => {
    const text = checkText({
      collected: {
        collected: [{ source: 'list', outcome: 'changed', published: 3, held: 1, from: 'bundled', durationMs: 5 }],
        slow: ['big'],
        left: 0,
      },
      fannedOut: { events: 1, deliveries: 2 },
      delivered: { started: 2, succeeded: 1, failed: 1, unclear: 0, unsent: 0, faults: 0 },
      problems: ['Repairing failed: no answer'],
    })
    expect(text).toBe(
      [
        'list: changed (3 prices published, 1 held for review, from bundled)',
        'Collected on their own: big.',
        '1 event became 2 deliveries.',
        '2 attempts made: 1 succeeded, 1 failed.',
        'Problem: Repairing failed: no answer',
      ].join('\n'),
    )
  })

  it('says once that there is no internet, instead of once for each source', () => {
    const noInternet = 'There is no internet here.'
    const unreachable = { outcome: 'skipped' as const, problem: 'no name server', unreachable: true, durationMs: 1 }
    const collected = [
      { source: 'a', ...unreachable },
      { source: 'b', ...unreachable },
      { source: 'file', outcome: 'unchanged' as const, durationMs: 1 },
    ]
    const text = checkText({ collected: { collected, slow: [], left: 0, noInternet }, problems: [] })
    expect(text).toBe('There is no internet here.\nfile: unchanged')
  })
})

describe('the message of a failure', () => {
  it('is one sentence for what we foresaw, and everything for what we did not', () => {
    expect(errorMessage(new OperatorError('Do this.'))).toBe('Do this.')
    expect(errorMessage(new AppError('not_found', 'There is no such webhook.'))).toBe(
      'There is no such webhook. (not_found)',
    )
    expect(errorMessage(new TypeError('x is undefined'))).toMatch(
      /^An unexpected fault: TypeError: x is undefined\n\s+at /,
    )
  })
})

describe('tables', () => {
  it('are as wide as their content, without trailing spaces', () => {
    expect(table(['A', 'LONG'], [['wide', '']])).toBe('A     LONG\nwide')
    expect([plural(1, 'event'), plural(2, 'delivery', 'deliveries')]).toEqual(['1 event', '2 deliveries'])
  })
})
