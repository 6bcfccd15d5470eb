import { describe, expect, it } from 'vitest'
import { emptyReport, type RoundReport } from '../../../src/webhooks/rounds/round-schema.ts'
import { timeSkipping } from '../../support/servers/temporal.ts'
import { fails, gate, type Script, scripted, takes } from './support.ts'

const did = (more: Partial<RoundReport>): RoundReport => ({ ...emptyReport(), ...more })
const NOTHING = did({})

describe('the round of a check', () => {
  const system = scripted(timeSkipping())
  const check = (says: Script) =>
    system.run<{ delivered?: RoundReport; problems: string[]; fannedOut?: object }>('check', { says })
  /** Which shards were run, in order; `again` where one had been run before. */
  const runs = () =>
    system
      .inputs('deliverDue')
      .map(({ shard, again }) => `${(shard as { shard: number }).shard}${again ? ' again' : ''}`)
  /** When shards were looked for, in seconds after the first time. */
  const looks = () => {
    const times = system.inputs('dueShards').map(({ now }) => Date.parse(now as string))
    return times.map((time) => (time - times[0]!) / 1_000)
  }
  const stopAt = () => Date.parse(system.inputs('deliverDue')[0]!.stopAt as string)

  it('runs shards again that did something and have something due, and others when that is due while one runs', async () => {
    const due = [
      [1, 2, 3, 4, 5],
      // While 5 runs: 1 found nothing before, and finds something now.
      [1, 5],
      [1, 2, 3, 4, 5],
      [2],
      [],
    ]
    const ofFirst = [NOTHING, did({ started: 3, failed: 2, unclear: 1 }), NOTHING]
    const { result, details } = await check({
      dueShards: (_, { call }) => ({ shards: due[call - 1], of: 8 }),
      deliverDue: ({ shard, again }, call) => {
        if (shard!.shard === 1) return ofFirst.shift()
        if (shard!.shard === 2) return again ? NOTHING : did({ unsent: 1, cutShort: 1 })
        if (shard!.shard === 3) return again ? NOTHING : did({ started: 1, succeeded: 1, unsent: 1 })
        if (shard!.shard === 4) return NOTHING
        return again ? NOTHING : takes(15_000, did({ started: 2, succeeded: 2 }))(undefined, call)
      },
    })
    expect(runs().slice(0, 5).sort()).toEqual(['1', '2', '3', '4', '5'])
    expect(runs()[5]).toBe('1 again')
    expect(runs().slice(6).sort()).toEqual(['1 again', '2 again', '3 again', '5 again'])
    expect(looks()[1]).toBeGreaterThanOrEqual(10)
    expect(looks()[1]).toBeLessThan(15)
    expect(looks()).toHaveLength(4)
    expect(result.delivered).toEqual(did({ started: 6, succeeded: 3, failed: 2, unclear: 1, unsent: 2, cutShort: 1 }))
    expect(result.problems).toEqual([])
    expect(details).toBe(
      'Done.\n\n**Round** in 5 of 8 shards. Of those that ended: 6 started, 3 succeeded, 2 failed, 1 unclear, 2 not sent.',
    )
  })

  it('shows how many shards still run, and tries none again that failed', async () => {
    const { opened: held, open: release } = gate()
    const { opened: bothShown, open: shown } = gate()
    const handle = await system.start('check', {
      says: {
        dueShards: (_, { call }) => ({ shards: call < 4 ? [6, 7] : [], of: 9 }),
        deliverDue: async ({ shard }) => {
          if (shard!.shard === 7) return held.then(() => NOTHING)
          const others = ['notifyOperators', 'collectDueSources', 'planWatchMails', 'writeLog']
          await Promise.all(others.map((name) => system.until(`${name} ended`)))
          await bothShown
          return fails('no database')()
        },
      },
    })
    const line = (running: number) =>
      `**Round** in 2 of 9 shards, ${running} of them still running. Of those that ended: 0 started, 0 succeeded, `
    await expect.poll(() => system.details(handle)).toContain(line(2))
    shown()
    await expect.poll(() => system.details(handle)).toContain(line(1))
    release()
    await expect(handle.result()).resolves.toMatchObject({
      problems: ['Delivering shard 6 of 9 failed: no database'],
    })
    expect(runs().sort()).toEqual(['6', '7'])
    expect(system.inputs('dueShards')).toHaveLength(2)
  })

  it('goes on without what became due where that cannot be looked up', async () => {
    const { result } = await check({
      dueShards: (_, { call }) => (call === 1 ? { shards: [1], of: 8 } : fails('no database')()),
      deliverDue: () => did({ started: 1, succeeded: 1 }),
    })
    expect(result).toMatchObject({ delivered: did({ started: 1, succeeded: 1 }), problems: [] })
  })

  it('looks for nothing more when its time is up, and waits for what runs', async () => {
    const { result } = await check({
      dueShards: () => ({ shards: [1], of: 8 }),
      deliverDue: (_, call) => takes(230_000, did({ started: 1, succeeded: 1 }))(undefined, call),
    })
    expect(result.delivered).toEqual(did({ started: 1, succeeded: 1 }))
    expect(runs()).toEqual(['1'])
    expect(looks().length).toBeGreaterThan(10)
    const last = system.inputs('dueShards').at(-1)!.now as string
    expect(Date.parse(last)).toBeLessThan(stopAt())
  })

  describe('beside matching that takes long', () => {
    const left = { events: 1, deliveries: 2, left: true }

    it('is followed by another every five seconds, and by one when matching is over', async () => {
      const { result } = await check({
        fanOut: (input, call) => {
          if (call.call === 1) return left
          return input.budgetMs === 2_000
            ? { events: 10, deliveries: 0 }
            : takes(12_000, { events: 3, deliveries: 4 })(input, call)
        },
      })
      expect(looks()).toHaveLength(4)
      for (const [n, seconds] of looks().entries()) expect(seconds).toBeGreaterThanOrEqual(5 * n)
      expect(result.fannedOut).toEqual({ events: 14, deliveries: 6 })
      const beside = system.inputs('fanOut').find(({ budgetMs }) => budgetMs !== 2_000)!
      // All its time but the last ten seconds, of the 200 that a check starts deliveries.
      expect(beside.budgetMs).toBeLessThanOrEqual(190_000)
      expect(beside.budgetMs).toBeGreaterThan(100_000)
    })

    it('is followed by another at once where matching ended during the round', async () => {
      await check({
        fanOut: async ({ budgetMs }, { call }) => {
          if (call === 1) return left
          if (budgetMs !== 2_000) await system.until('dueShards')
          return { events: 3, deliveries: 0 }
        },
        dueShards: (_, call) =>
          call.call === 1 ? takes(4_000, { shards: [], of: 8 })(_, call) : { shards: [], of: 8 },
      })
      expect(looks()).toHaveLength(2)
      expect(looks()[1]).toBeGreaterThanOrEqual(4)
      expect(looks()[1]).toBeLessThan(9)
    })

    it('is followed by another where collecting left something to match, until the check has no more time', async () => {
      const { result } = await check({
        fanOut: (_, call) =>
          call.call === 1
            ? { events: 0, deliveries: 0 }
            : call.call === 2
              ? { events: 1, deliveries: 0, left: true }
              : takes(230_000, { events: 1, deliveries: 5 })(_, call),
        dueShards: (_, { call }) => ({ shards: call === 1 ? [1] : [], of: 8 }),
      })
      expect(looks().length).toBeGreaterThan(20)
      expect(looks().length).toBeLessThanOrEqual(45)
      // Two rounds of this check may have waited when its time was up.
      const late = system.inputs('dueShards').filter(({ now }) => Date.parse(now as string) >= stopAt())
      expect(late.length).toBeLessThanOrEqual(2)
      expect(result.fannedOut).toEqual({ events: 2, deliveries: 5 })
    })

    it('has no time left for matching where that has come late', async () => {
      await check({
        fanOut: (_, call) => (call.call === 1 ? takes(195_000, left)(_, call) : { events: 0, deliveries: 0 }),
      })
      expect(
        system
          .inputs('fanOut')
          .map(({ budgetMs }) => budgetMs)
          .sort(),
      ).toEqual([0, 2_000, 2_000])
    })
  })
})
