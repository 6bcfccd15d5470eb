import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/lib/instant.ts'
import type { Facts } from '../../../src/prices/plan/schema.ts'
import type { KnownLine, Observation } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'
import { ago, held, input, line, others, plan } from './plan-facts.ts'

describe('the absences of a snapshot', () => {
  const staying = others(20)
  const absent = (resource: string, more: Partial<KnownLine> = {}) => line(input(resource, '0.000002'), more)
  const lost = (known: KnownLine[], more: Partial<Facts> = {}, seen = staying) =>
    plan([...known, ...staying.map((one) => line(one))], seen, more)
  const confirmed = { missingSince: ago(3 * DAY), missingCount: 2 }

  it('are confirmed by three fetches over three days', () => {
    const removed = (more: Partial<KnownLine>) => {
      const result = lost([absent('m1', more)])
      expect(result.missing.length + result.removed.length).toBe(1)
      return result.removed.length
    }
    expect(removed({})).toBe(0)
    expect(removed(confirmed)).toBe(1)
    expect(removed({ ...confirmed, missingSince: ago(3 * DAY - 1) })).toBe(0)
    expect(removed({ ...confirmed, missingCount: 1 })).toBe(0)
  })

  it('are a person’s to confirm where a tenth of a provider or all of it is gone', () => {
    const gone = (count: number) => Array.from({ length: count }, (_, n) => absent(`m${n}`, confirmed))
    expect(lost(gone(2)).removed).toHaveLength(2)
    const many = lost(gone(3))
    expect(many.removed).toEqual([])
    expect(many.missing).toHaveLength(3)
    expect(many.toReview).toEqual([
      { provider: 'acme', kind: 'removal', reason: 'mass_disappearance', resources: ['m0', 'm1', 'm2'] },
    ])
    expect(lost(gone(3), { quiet: true, lastIngestedAt: ago(DAY) }).removed).toHaveLength(3)
    expect(lost(gone(1), { quiet: true, lastIngestedAt: ago(DAY - 1) }).removed).toEqual([])
    expect(lost(gone(1), { quiet: true }).removed).toEqual([])
    const whole = plan(gone(1), [])
    expect(whole.toReview).toMatchObject([{ kind: 'removal', reason: 'whole_provider_missing', resources: ['m0'] }])
  })

  it('of what a newer parser does not read end at once; what was missing before goes on waiting', () => {
    const reread = { reread: true, quiet: true, lastIngestedAt: ago(DAY) }
    const waiting = Array.from({ length: 3 }, (_, n) => absent(`m${n}`, confirmed))
    const result = lost([...waiting, absent('unread')], reread)
    expect(result.removed.map(({ resource }) => resource)).toEqual(['unread'])
    expect(result.missing.map(({ resource }) => resource)).toEqual(['m0', 'm1', 'm2'])
    expect([result.toReview, result.keepsOpenItems]).toEqual([[], true])
    expect(lost([absent('unread')], { ...reread, lastIngestedAt: ago(1) }).removed).toHaveLength(1)
    const output = (more: Partial<KnownLine> = {}) => line(observed('m1', 'output_tokens', '0.000002'), more)
    const partly = (lines: KnownLine[]) =>
      lost([absent('m1'), ...lines], reread, [...staying, input('m1', '0.000002')]).retired
    expect(partly([output()])).toHaveLength(1)
    expect(partly([output(confirmed)])).toEqual([])
    expect(lost([absent('m1'), output(confirmed)], reread).removed).toEqual([])
  })

  it('of everything that a newer parser read of a provider wait like a list without it', () => {
    const result = plan([absent('m1')], [], { reread: true, quiet: true })
    expect([result.removed, result.missing.length]).toEqual([[], 1])
  })

  it('are not a removal that a person rejected', () => {
    expect(lost([absent('m1', confirmed)], { rejected: new Set([['acme', 'm1'].join('\u001f')]) }).removed).toEqual([])
  })

  it('are a person’s where three providers lose one name at the same time', () => {
    const providers = ['p1', 'p2', 'p3']
    const known = (count: number) =>
      providers.slice(0, count).map((provider) => line(input('m1', '0.000002', { provider }), confirmed))
    const rest = providers.flatMap((provider) => others(20).map((seen) => ({ ...seen, provider })))
    const all = (count: number) => plan([...known(count), ...rest.map((seen) => line(seen))], rest)
    expect(all(3).removed).toEqual([])
    expect(all(3).toReview.map(({ provider, reason }) => [provider, reason])).toEqual(
      providers.map((provider) => [provider, 'missing_everywhere']),
    )
    expect(all(2).removed).toHaveLength(2)
  })

  it('of a line in a resource that stays end after 14 days, of a step after one', () => {
    const tier = (pricingTier: Observation['pricingTier']) =>
      observed('other-0', 'output_tokens', '0.000002', { pricingTier })
    const retired = (pricingTier: Observation['pricingTier'], ms: number) =>
      lost([line(tier(pricingTier), { missingSince: ago(ms), missingCount: 9 })]).retired.length
    expect([retired({}, 14 * DAY), retired({}, 14 * DAY - 1)]).toEqual([1, 0])
    expect([retired({ context: 'gt_200k' }, DAY), retired({ context: 'gt_200k' }, DAY - 1)]).toEqual([1, 0])
  })

  it('of a line that held prices contradict end after three days', () => {
    const doubt = held('0.000009', { reasons: ['contradicts_missing_line'] })
    const cache = (ms: number) =>
      line(observed('m1', 'cache_read_tokens', '0.000001'), { missingSince: ago(ms), missingCount: 9 })
    const retired = (ms: number) =>
      lost([line(input('m1', '0.000002'), doubt), cache(ms)], {}, [...staying, input('m1', '0.000009')]).retired.length
    expect([retired(3 * DAY), retired(3 * DAY - 1)]).toEqual([1, 0])
  })

  it('of one dimension in many resources at once are a person’s after a day', () => {
    const cached = staying.slice(0, 6).map(({ resource }) => observed(resource, 'cache_read_tokens', '0.000001'))
    const withDimension = new Map([[['acme', 'cache_read_tokens'].join('\u001f'), 6]])
    const result = (ms: number) => {
      const known = cached.map((seen) => line(seen, { missingSince: ago(ms), missingCount: 9 }))
      const all = [...known, ...staying.map((one) => line(one))]
      return plan(all, staying, { listed: { resources: new Map([['acme', 1_000]]), withDimension } })
    }
    expect(result(DAY).toReview).toEqual([
      {
        provider: 'acme',
        kind: 'line_removal',
        reason: 'lines_missing_everywhere',
        resources: ['other-0', 'other-1', 'other-2', 'other-3', 'other-4', 'other-5'],
        texts: ['cache_read_tokens {}'],
      },
    ])
    expect(result(DAY - 1).toReview).toEqual([])
    expect(result(20 * DAY).retired).toEqual([])
  })

  it('are a renaming where a new name has the same prices and nearly the same words', () => {
    const old = absent('claude-sonnet-4', { missingSince: ago(HOUR) })
    const seen = [...staying, input('claude-sonnet-4.0', '0.000002')]
    const result = lost(
      [old],
      { openRenames: [{ provider: 'acme', from: 'claude-sonnet-4', to: 'claude-sonnet-4.0' }] },
      seen,
    )
    expect(result.toReview).toEqual([
      {
        provider: 'acme',
        kind: 'rename',
        reason: 'possible_rename',
        resources: ['claude-sonnet-4'],
        to: 'claude-sonnet-4.0',
      },
    ])
    expect(result.removed).toEqual([])
    expect(lost([], { openRenames: [{ provider: 'acme', from: 'x', to: 'y' }] }).toReview).toEqual([])
  })
})
