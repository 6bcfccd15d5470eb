import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { clockConditions, databaseAway, type HealthFacts, healthOf } from '../../src/monitoring/health-rules.ts'
import type { WorkerReport } from '../../src/monitoring/schema.ts'

const now = '2026-11-22T10:00:00.000Z' as Instant
const ago = (ms: number) => plus(now, -ms)
const MINUTE = 60_000
const worker = (conditions: WorkerReport['conditions'] = []): WorkerReport => ({
  host: 'h',
  processId: 1,
  seenAt: now,
  conditions,
})
const checked = (msAgo: number, problems: string[] = []) => ({
  runId: 'r',
  startedAt: ago(msAgo),
  finishedAt: ago(msAgo),
  problems,
})
const facts = (more: Partial<HealthFacts> = {}): HealthFacts => ({
  now,
  installedAt: ago(60 * MINUTE),
  lastCheck: checked(MINUTE),
  workers: [worker()],
  lastStamp: ago(MINUTE),
  clock: { state: 'steady' },
  ...more,
})
const codes = (more: Partial<HealthFacts> = {}) => {
  const { ready, reads, reasons, degraded } = healthOf(facts(more))
  return { ready, reads, codes: [...reasons, ...degraded].map(({ code }) => code) }
}
const messages = (more: Partial<HealthFacts>) => {
  const { reasons, degraded } = healthOf(facts(more))
  return [...reasons, ...degraded].map(({ message }) => message)
}

describe('the health of an installation', () => {
  it('is good when a check finished, a worker runs, and the clocks agree', () => {
    expect(healthOf(facts())).toEqual({ ready: true, reads: true, reasons: [], degraded: [] })
  })

  it('is not ready without a database that can be written, and then serves no reads', () => {
    const writeError = (code?: string) => ({ writeError: { code, message: 'no room' } })
    expect(codes(writeError('53100'))).toEqual({ ready: false, reads: false, codes: ['disk_full'] })
    expect(codes(writeError('25006'))).toEqual({ ready: false, reads: false, codes: ['database_read_only'] })
    expect(codes(writeError())).toEqual({ ready: false, reads: false, codes: ['database_not_writable'] })
    expect(messages(writeError('53100'))).toEqual(['The database’s disk is full: no room. Make room.'])
    expect(messages(writeError())).toEqual(['The database cannot be written: no room.'])
    expect(databaseAway('gone')).toEqual({
      ready: false,
      reads: false,
      reasons: [{ code: 'database_away', message: 'The database does not answer: gone.' }],
      degraded: [],
    })
  })

  it('says which sources are no longer declared, when the first of them ends, and how to end it', () => {
    const undeclared = ['d', 'c', 'b', 'a'].map((source, n) => ({ source, undeclaredAt: ago(n * 60 * MINUTE) }))
    expect(codes({ undeclared })).toEqual({ ready: true, reads: true, codes: ['source_undeclared'] })
    expect(messages({ undeclared })).toEqual([
      'No longer declared, or off: d, c, b and 1 more. The first of them ends at 2026-11-29T07:00:00.000Z, with its prices. Declare it again, or end it now: npx pricetape source end a.',
    ])
    expect(codes({ undeclared: [] }).codes).toEqual([])
  })

  it('is not ready when no check finished for ten minutes', () => {
    expect(codes({ lastCheck: checked(10 * MINUTE) })).toEqual({
      ready: false,
      reads: true,
      codes: ['no_recent_check'],
    })
    expect(codes({ lastCheck: checked(10 * MINUTE - 1) }).codes).toEqual([])
    expect(messages({ lastCheck: checked(10 * MINUTE) })[0]).toMatch(/^The last check finished at 2026-11-22T09:50:00/)
    expect(messages({ lastCheck: undefined })[0]).toMatch(/^No check has finished yet, and one is due/)
  })

  it('waits for the first check for ten minutes after the installation, or after a start', () => {
    const young = { lastCheck: undefined, installedAt: ago(9 * MINUTE) }
    expect(codes(young)).toEqual({ ready: false, reads: true, codes: ['no_check_yet'] })
    expect(codes({ lastCheck: undefined, installedAt: undefined }).codes).toEqual(['no_check_yet'])
    expect(codes({ ...young, startedAt: ago(MINUTE) }).codes).toEqual([])
    expect(codes({ lastCheck: checked(60 * MINUTE), startedAt: ago(9 * MINUTE) }).codes).toEqual([])
    expect(codes({ lastCheck: checked(60 * MINUTE), startedAt: ago(10 * MINUTE) }).codes).toEqual(['no_recent_check'])
    expect(codes({ lastCheck: undefined, installedAt: ago(10 * MINUTE) }).codes).toEqual(['no_recent_check'])
  })

  it('is worth knowing about without a worker, 45 seconds after a start', () => {
    expect(codes({ workers: [] })).toEqual({ ready: true, reads: true, codes: ['no_worker'] })
    expect(codes({ workers: [], startedAt: ago(45_000) }).codes).toEqual(['no_worker'])
    expect(codes({ workers: [], startedAt: ago(44_999) }).codes).toEqual([])
  })

  it('is not ready with a change that was not matched 18 minutes after its eligibleAt, and goes on serving reads', () => {
    expect(codes({ unmatched: ago(18 * MINUTE) })).toMatchObject({ ready: true, codes: [] })
    const late = { unmatched: ago(37 * MINUTE) }
    expect(codes(late)).toEqual({ ready: false, reads: true, codes: ['deliveries_late'] })
    expect(messages(late)).toEqual([
      expect.stringMatching(
        /^Deliveries are late: a change has waited to be matched with webhooks for 37 minutes, where/,
      ),
    ])
  })

  it('is not ready with late deliveries of more than a twentieth of the workspaces', () => {
    const waiting = (lateWorkspaces: number, workspaces = 1_000) => ({
      waiting: { lateWorkspaces, workspaces, oldestDueSeconds: 2_225 },
    })
    expect(codes(waiting(1)).codes).toEqual([])
    expect(codes(waiting(50)).codes).toEqual([])
    expect(codes(waiting(0, 0)).codes).toEqual([])
    expect(codes(waiting(51))).toEqual({ ready: false, reads: true, codes: ['deliveries_late'] })
    expect(codes(waiting(1, 1)).ready).toBe(false)
    expect(messages(waiting(51))[0]).toContain(
      'those of 51 of 1000 workspaces are, the oldest has been due for 37 minutes',
    )
  })

  it('says what the last check had problems with', () => {
    const lastCheck = checked(MINUTE, ['One.', 'Two.'])
    expect(codes({ lastCheck })).toEqual({ ready: true, reads: true, codes: ['check_problems'] })
    expect(messages({ lastCheck })).toEqual(['The last check, at 2026-11-22T09:59:00.000Z, had problems: One. Two.'])
  })

  it('says once what several workers found', () => {
    const away = { code: 'temporal_away' as const, message: 'away' }
    expect(healthOf(facts({ workers: [worker([away]), worker([{ ...away, message: 'again' }])] })).degraded).toEqual([
      away,
    ])
  })

  it('reports a stamp more than five seconds ahead', () => {
    expect(codes({ lastStamp: plus(now, 5_001) })).toEqual({ ready: true, reads: true, codes: ['stamps_ahead'] })
    expect(codes({ lastStamp: plus(now, 5_000) }).codes).toEqual([])
  })

  it('reports each fault of a clock, as a sentence', () => {
    const code = (state: 'jumped_ahead' | 'database_ahead' | 'skewed' | 'stepped_back') =>
      clockConditions({ state, byMs: 90_000 }).map((found) => found.code)
    expect((['jumped_ahead', 'database_ahead', 'skewed', 'stepped_back'] as const).flatMap(code)).toEqual([
      'clock_jumped',
      'clock_skew',
      'clock_skew',
      'clock_stepped_back',
    ])
    expect(clockConditions({ state: 'steady' })).toEqual([])
    expect(messages({ clock: { state: 'jumped_ahead', byMs: 90_000 } })[0]).toMatch(/^The clock jumped ahead by 90 s\./)
    expect(codes({ clock: { state: 'stepped_back', byMs: 90_000 } }).ready).toBe(true)
    expect(codes({ clock: { state: 'skewed', byMs: 90_000 } }).ready).toBe(false)
  })
})
