import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/monitoring/metrics/metrics.ts'
import { createWorkRecorder, type WorkRecorder } from '../../src/monitoring/record-work.ts'

const LEVELS: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warn' }

/** What is logged and counted of one thing that happened. */
async function recorded(happens: (record: WorkRecorder) => void) {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      const { level, time: _time, pid: _pid, hostname: _host, msg, ...rest } = JSON.parse(String(chunk))
      lines.push(`${LEVELS[level]} ${msg} ${JSON.stringify(rest)}`)
      done()
    },
  })
  const metrics = createMetrics('test')
  const values = async () => {
    const all = new Map<string, number>()
    for (const line of (await metrics.registry.metrics()).split('\n')) {
      const [, name, value] = /^(pricetape_\S+) (\S+)$/.exec(line) ?? []
      if (name && !/_bucket|build_info|process/.test(name)) all.set(name.replace('pricetape_', ''), Number(value))
    }
    return all
  }
  const before = await values()
  happens(createWorkRecorder({ log: pino({ level: 'debug' }, stream), metrics }))
  const counted: Record<string, number> = {}
  for (const [name, value] of await values()) {
    const more = value - (before.get(name) ?? 0)
    if (more !== 0) counted[name] = more
  }
  // Without metrics, the same is logged.
  const same = lines.splice(0)
  happens(createWorkRecorder({ log: pino({ level: 'debug' }, stream) }))
  expect(lines).toEqual(same)
  return { lines: same, counted }
}

const line = (level: string, message: string, fields: object) => [`${level} ${message} ${JSON.stringify(fields)}`]

describe('what a worker writes down', () => {
  it.each<[what: string, given: object, level: string, counted: Record<string, number>]>([
    [
      'the first one that succeeded',
      { result: 'succeeded', number: 1, durationMs: 1_500, lagMs: 90_000, sincePublicationMs: 120_000 },
      'info',
      {
        'attempts_total{result="succeeded"}': 1,
        'attempt_duration_seconds_sum{result="succeeded"}': 1.5,
        'attempt_duration_seconds_count{result="succeeded"}': 1,
        'delivery_lag_seconds_sum{attempt="first"}': 90,
        'delivery_lag_seconds_count{attempt="first"}': 1,
        delivery_publication_seconds_sum: 120,
        delivery_publication_seconds_count: 1,
      },
    ],
    [
      'a retry that failed, of clocks that disagree',
      { result: 'failed', number: 2, durationMs: 250, lagMs: -4_000, sincePublicationMs: -3_000 },
      'warn',
      {
        'attempts_total{result="failed"}': 1,
        'attempt_duration_seconds_sum{result="failed"}': 0.25,
        'attempt_duration_seconds_count{result="failed"}': 1,
        'delivery_lag_seconds_count{attempt="retry"}': 1,
        delivery_publication_seconds_count: 1,
      },
    ],
    [
      'one that our fault prevented',
      { result: 'platform', number: 1, durationMs: 250, lagMs: 1_000, sincePublicationMs: 3_000 },
      'warn',
      {
        'attempts_total{result="platform"}': 1,
        'delivery_lag_seconds_sum{attempt="first"}': 1,
        'delivery_lag_seconds_count{attempt="first"}': 1,
      },
    ],
    [
      'one of which nothing is known',
      { result: 'unknown', number: 1 },
      'warn',
      { 'attempts_total{result="unknown"}': 1 },
    ],
  ])('of attempts: %s', async (_, given, level, counted) => {
    const attempt = { deliveryId: 'd', cycle: 1, host: 'a.example', ...given } as never as { result: string }
    const found = await recorded((record) => record.attempt({ ...attempt, text: 'why' } as never))
    const { sincePublicationMs: _since, ...said } = attempt as { sincePublicationMs?: number; result: string }
    expect(found).toEqual({ lines: line(level, `attempt ${said.result}`, { ...said, reason: 'why' }), counted })
  })

  it('of attempts without an outcome: how many, where there are any', async () => {
    expect(await recorded((record) => record.unknownAttempts(0))).toEqual({ lines: [], counted: {} })
    expect(await recorded((record) => record.unknownAttempts(3))).toEqual({
      lines: line('warn', 'attempts were left without an outcome', { count: 3 }),
      counted: { 'attempts_total{result="unknown"}': 3 },
    })
  })

  it('of a webhook that its failures paused', async () => {
    expect(await recorded((record) => record.autoPause('w'))).toEqual({
      lines: line('warn', 'webhook paused', { webhookId: 'w', by: 'failures' }),
      counted: { webhook_auto_pauses_total: 1 },
    })
  })

  it.each([
    [{ started: 0, unsent: 0, cutShort: 0 }, 'debug shard of a round ended'],
    [{ started: 1, unsent: 1, cutShort: 0 }, 'info shard of a round ended'],
    [{ started: 0, unsent: 1, cutShort: 0 }, 'info shard of a round ended'],
    [{ started: 1, unsent: 0, cutShort: 0 }, 'info shard of a round ended'],
    [{ started: 1, unsent: 0, cutShort: 1 }, 'warn the time of a round ended before everything was sent'],
  ])('of a shard of a round: %j', async (counts, said) => {
    const report = { succeeded: 0, failed: 0, unclear: 0, faults: 0, ...counts }
    const [level, ...message] = said.split(' ')
    expect(await recorded((record) => record.shard('r', { shard: 1, of: 4 }, report))).toEqual({
      lines: line(level!, message.join(' '), { roundId: 'r', shard: 1, of: 4, ...report }),
      counted: counts.unsent > 0 ? { deliveries_unsent_total: counts.unsent } : {},
    })
  })

  it.each([
    ['no round', undefined, {}],
    ['a round', 0, { rounds_total: 1 }],
    ['a round that was cut short once', 1, { rounds_total: 1, rounds_cut_short_total: 1 }],
  ])('of a check with %s', async (_, cutShort, counted) => {
    const delivered = cutShort === undefined ? undefined : { cutShort }
    for (const [problems, result] of [
      [[], 'ok'],
      [['no'], 'problems'],
    ] as const) {
      const check = { runId: 'c', durationMs: 61_000, problems, delivered } as never
      expect(await recorded((record) => record.check(check))).toEqual({
        lines: line('info', 'check finished', { runId: 'c', durationMs: 61_000, problems: problems.length }),
        counted: {
          ...counted,
          [`checks_total{result="${result}"}`]: 1,
          check_duration_seconds_sum: 61,
          check_duration_seconds_count: 1,
        },
      })
    }
  })

  it('of events that were matched: how many, where there are any', async () => {
    expect(await recorded((record) => record.matched({ events: 0, deliveries: 0 }))).toEqual({ lines: [], counted: {} })
    expect(await recorded((record) => record.matched({ events: 2, deliveries: 0 }))).toEqual({
      lines: line('info', 'events published', { events: 2, deliveries: 0 }),
      counted: { events_matched_total: 2 },
    })
    expect(await recorded((record) => record.matched({ events: 0, deliveries: 1 }))).toEqual({
      lines: line('info', 'events published', { events: 0, deliveries: 1 }),
      counted: { deliveries_created_total: 1 },
    })
  })

  it.each<[given: object, noInternet: boolean, level: string]>([
    [{ outcome: 'changed', published: 3, held: 1 }, false, 'info'],
    [{ outcome: 'changed' }, true, 'info'],
    [{ outcome: 'unchanged' }, false, 'debug'],
    [{ outcome: 'skipped' }, false, 'debug'],
    [{ outcome: 'failed', problem: 'HTTP 500' }, false, 'info'],
    [{ outcome: 'failed', problem: 'no route' }, true, 'debug'],
    [{ outcome: 'quarantined', problem: 'empty' }, true, 'info'],
  ])('of a source that was collected: %j, without internet: %s', async (given, noInternet, level) => {
    const { outcome, published = 0, held = 0, problem } = given as { [key: string]: string & number }
    const found = await recorded((record) =>
      record.collected({ source: 's', durationMs: 12.6, ...given } as never, noInternet),
    )
    expect(found).toEqual({
      lines: line(level, 'source collected', { source: 's', outcome, problem, published, held, durationMs: 13 }),
      counted: {
        [`source_collections_total{outcome="${outcome}"}`]: 1,
        ...(published > 0 && { prices_published_total: published }),
      },
    })
  })
})
