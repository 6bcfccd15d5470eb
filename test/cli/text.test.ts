import { describe, expect, it } from 'vitest'
import { errorMessage } from '../../src/cli/error-message.ts'
import { layTable, wrap } from '../../src/cli/layout.ts'
import { agoText, terminalWidth } from '../../src/cli/output.ts'
import { type Banner, bannerText } from '../../src/cli/running/banner.ts'
import { checkText } from '../../src/cli/sources/check.ts'
import { collectedLines } from '../../src/cli/sources/collected-text.ts'
import { sourcesText } from '../../src/cli/sources/source-text.ts'
import { dataFolder } from '../../src/embedded/data-folder.ts'
import { AppError, OperatorError } from '../../src/lib/errors.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { plural } from '../../src/lib/text/plural.ts'

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
  const offer = {
    group: "Ann's M",
    dimension: 'output_tokens',
    sellers: 8,
    provider: 'acme',
    price: '0.000001',
  }
  const firstScreen = () => {
    const screen = withKeys({ newKey: `ptk_${'x'.repeat(43)}` })
    return bannerText({ ...screen, bootstrapped: { ...screen.bootstrapped, change, offer } })
  }

  it('shows a new key, what a model cost at two instants, and what its maker and others ask for another', () => {
    const text = firstScreen()
    expect(text).toContain('shown this once')
    expect(text).toContain(
      'What does m one cost at acme?\n  0.00000087 USD per output token until 2026-09-23, 0.00000198 now:',
    )
    expect(text).toContain('8 providers do. acme, who makes it, asks 0.000001 USD per output token:')
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
      delivered: { started: 2, succeeded: 1, failed: 1, unclear: 0, unsent: 0, faults: 0, cutShort: 0 },
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

  it('counts sources that are alike', () => {
    const of = (outcome: 'failed' | 'unchanged', more = {}) => ({ source: outcome, outcome, durationMs: 1, ...more })
    const unreachable = Array.from({ length: 3 }, () => of('failed', { unreachable: true, problem: 'no route' }))
    const unchanged = Array.from({ length: 4 }, () => of('unchanged'))
    expect(collectedLines([...unreachable, ...unchanged, of('failed', { problem: 'It answered 500.' })])).toEqual([
      'failed: failed (It answered 500.)',
      '4 sources unchanged.',
      '3 of 8 sources unreachable: no internet?',
    ])
    expect(collectedLines(unreachable.slice(1))).toEqual(['failed: failed (no route)', 'failed: failed (no route)'])
  })
})

describe('what the list of sources says', () => {
  const now = '2026-11-22T12:00:00.000Z' as Instant
  const source = (name: string, state?: object) =>
    ({
      source: name,
      format: 'litellm',
      url: `https://${name}.example.com/prices.json`,
      ignored: [],
      state: state && { intervalSeconds: 3_600, lastCheckedAt: '2026-11-22T10:30:00.000Z', ...state },
    }) as unknown as Parameters<typeof sourcesText>[0][number]
  const away = (name: string) => source(name, { problem: `https://${name}.example.com/prices.json: no such host.` })

  it('gives each source a line, a problem of many sources one sentence, and counts them', () => {
    const sources = [source('new'), ...['a', 'b', 'c', 'd'].map(away), source('e', { problem: 'Odd.' })]
    const text = sourcesText(sources, [{ source: 'old', endsAt: '2026-11-29T12:00:00.000Z' as Instant }], now)
    expect(text).toBe(
      [
        'SOURCE  STATE         CHECKED',
        'new     not read yet  never',
        'a       failed        1 h ago',
        'b       failed        1 h ago',
        'c       failed        1 h ago',
        'd       failed        1 h ago',
        'e       failed        1 h ago',
        '',
        '4 sources of 6: https://a.example.com/prices.json: no such host. (a and 3 others)',
        'e: Odd.',
        '',
        'Not declared, or off: old ends at 2026-11-29 12:00 UTC, with its prices.',
        '',
        '6 sources: 1 not read yet, 5 failed.',
      ].join('\n'),
    )
  })
})

describe('the message of a failure', () => {
  it('is one sentence, and shows no stack trace', () => {
    expect(errorMessage(new OperatorError('Do this.'))).toBe('Do this.')
    expect(errorMessage(new AppError('not_found', 'There is no such webhook.'))).toBe(
      'There is no such webhook. (not_found)',
    )
    expect(errorMessage(new TypeError('x is undefined'))).toBe(
      'Unexpected error: x is undefined. With LOG_LEVEL=debug it says where in the code.',
    )
  })
})

describe('tables', () => {
  it('are as wide as their content, without trailing spaces', () => {
    expect(layTable(['A', 'LONG'], [['wide', '1']], 80)).toBe('A     LONG\nwide  1')
    expect(layTable(['A', 'EMPTY'], [['wide', '']], 80)).toBe('A\nwide')
    expect(layTable(['A', 'B'], [], 80)).toBe('A  B')
  })

  it('are as wide as the terminal: their widest cells are broken between words', () => {
    const members = 'openai:chatgpt-4o-latest, openrouter:chatgpt-4o-latest'
    expect(layTable(['NAME', 'MEMBERS'], [['chatgpt', members]], 40)).toBe(
      ['NAME     MEMBERS', 'chatgpt  openai:chatgpt-4o-latest,', '         openrouter:chatgpt-4o-latest'].join('\n'),
    )
  })

  it('become paragraphs where their columns do not fit beside each other, and ids stay whole', () => {
    const id = '01a2010d-599d-786b-95a4-0c98085661dc'
    expect(layTable(['ID', 'QUESTION', 'OTHER'], [[id, 'Is this price right?', id]], 50)).toBe(
      [id, '  question  Is this price right?', `  other     ${id}`].join('\n'),
    )
    expect(wrap(`See ${id}${id}${id} for more.`, 80)).toBe(`See\n${id}${id}${id}\nfor more.`)
  })

  it('are 80 columns wide where there is no terminal, or as COLUMNS says', () => {
    expect(terminalWidth({ columns: 120 })).toBe(120)
    const before = process.env.COLUMNS
    try {
      delete process.env.COLUMNS
      expect(terminalWidth({})).toBe(80)
      process.env.COLUMNS = '66'
      expect(terminalWidth({})).toBe(66)
    } finally {
      if (before === undefined) delete process.env.COLUMNS
      else process.env.COLUMNS = before
    }
  })
})

describe('sentences', () => {
  it('are broken between words, but for commands, which are copied', () => {
    expect(wrap(`${'word '.repeat(5)}end`, 12)).toBe('word word\nword word\nword end')
    expect(wrap('  a bc d', 6)).toBe('  a bc\n  d')
    expect(wrap(`    curl -s ${'x '.repeat(60)}`, 80)).toBe(`    curl -s ${'x '.repeat(60)}`)
  })

  it('count and date as people do', () => {
    const now = '2026-11-22T12:00:00.000Z' as Instant
    const ago = (at: string) => agoText(at as Instant, now)
    expect(ago('2026-11-22T11:59:30.000Z')).toBe('just now')
    expect(ago('2026-11-22T11:55:00.000Z')).toBe('5 min ago')
    expect(ago('2026-11-21T12:00:00.000Z')).toBe('24 h ago')
    expect(ago('2026-11-02T12:00:00.000Z')).toBe('20 days ago')
    expect([plural(1, 'event'), plural(2, 'delivery', 'deliveries')]).toEqual(['1 event', '2 deliveries'])
  })
})
