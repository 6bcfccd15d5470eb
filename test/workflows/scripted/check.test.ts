import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, it } from 'vitest'
import { emptyReport } from '../../../src/webhooks/rounds/round-schema.ts'
import { timeSkipping } from '../../support/servers/temporal.ts'
import { atOf, fails, gate, type Script, scripted, secondsOf } from './support.ts'

const INSTANT = expect.stringMatching(/^2\d{3}-.*Z$/)
const at = (ms: number) => new Date(ms).toISOString()
/** Longer than a step takes that does not wait. */
const A_WHILE_MS = 150
const aWhile = () => new Promise((resolve) => setTimeout(resolve, A_WHILE_MS))

/** One shard of eight that sends, and a second collection of sources in two shards. */
const BUSY: Script = {
  collectDueSources: (_, { call }) => ({ collected: [], slow: [], left: call, ...(call === 1 && { shards: 2 }) }),
  fanOut: (_, { call }) => ({ events: call, deliveries: 10 * call }),
  dueShards: (_, { call }) => ({ shards: call % 2 === 1 ? [3] : [], of: 8 }),
  deliverDue: () => ({ ...emptyReport(), started: 2, succeeded: 2 }),
}

describe('a check', () => {
  const temporal = timeSkipping()
  const system = scripted(temporal)
  const check = (says: Script = {}) => system.run<Record<string, unknown>>('check', { says })

  it('asks each part for what it needs, reports what they did, and records that', async () => {
    const { result, events, handle } = await check(BUSY)
    const delivered = { ...emptyReport(), started: 4, succeeded: 4 }
    expect(result).toEqual({
      collected: { collected: [], slow: [], left: 5 },
      fannedOut: { events: 3, deliveries: 30 },
      repaired: { storeLost: false, unknown: 0, released: 0, restarted: 0, notices: 0 },
      delivered,
      problems: [],
    })
    const { runId } = await handle.describe()
    const startedAt = atOf(events.find((event) => event.workflowTaskStartedEventAttributes)!)
    const shard = { roundId: runId, now: INSTANT, stopAt: at(startedAt + 200_000), shard: { shard: 3, of: 8 } }
    // What was sent before in the same check counts on.
    expect(system.inputs('deliverDue')).toEqual([shard, { ...shard, again: true }])
    const look = { now: INSTANT }
    const again = { now: INSTANT, of: 8 }
    expect(system.inputs('dueShards')).toEqual([look, again, look, again])
    const [first, ...parts] = system.inputs('collectDueSources')
    expect(first).toEqual({ now: INSTANT, budgetMs: 60_000, mayDivide: true })
    const part = (index: number) => ({ now: first!.now, budgetMs: 60_000, shard: { index, of: 2 } })
    expect(parts).toHaveLength(2)
    expect(parts).toEqual(expect.arrayContaining([part(0), part(1)]))
    expect(system.inputs('compareSources')).toEqual([{ now: first!.now }])
    const steps = system.steps()
    expect(steps.lastIndexOf('collectDueSources ended')).toBeLessThan(steps.indexOf('compareSources'))
    // What was published before, and what is repaired, is delivered at once; what collecting finds, in a second round.
    for (const before of ['fanOut ended', 'reconcile ended'])
      expect(steps.indexOf(before)).toBeLessThan(steps.indexOf('dueShards'))
    expect(steps.indexOf('compareSources ended')).toBeLessThan(steps.lastIndexOf('fanOut'))
    expect(steps.lastIndexOf('fanOut ended')).toBeLessThan(steps.lastIndexOf('deliverDue'))
    expect(system.inputs('fanOut')).toEqual([
      { now: INSTANT, budgetMs: 2_000 },
      { now: INSTANT, budgetMs: 2_000 },
    ])
    for (const name of ['notifyOperators', 'reconcile', 'planWatchMails'] as const)
      expect(system.inputs(name)).toEqual([look])
    expect(system.inputs('writeLog')).toEqual([{ budgetMs: 120_000 }])
    const [recorded] = system.inputs('recordCheck')
    expect(recorded).toEqual({ runId, durationMs: expect.any(Number), problems: [], delivered })
    expect(recorded!.durationMs).toBeGreaterThanOrEqual(0)
    expect(recorded!.durationMs).toBeLessThanOrEqual(atOf(events.at(-1)!) - startedAt)
    expect(steps.at(-1)).toBe('recordCheck ended')
    expect(system.asked('sendKeptMails', 'mailPauses', 'sendMails')).toEqual([])
    // A worker of 1.0.0 goes on with it, and one that knows no shards does not.
    const markers = events.flatMap(({ markerRecordedEventAttributes: marker }) =>
      marker ? [JSON.parse(String(marker.details!['patch-data']!.payloads![0]!.data))] : [],
    )
    expect(markers.map(({ id, deprecated }) => `${id}${deprecated ? ', deprecated' : ''}`).sort()).toEqual([
      'deliver-beside-collecting, deprecated',
      'mail',
      'mail-pauses, deprecated',
      'notify-operators, deprecated',
      'rounds-in-shards',
      'send-kept-mails, deprecated',
      'watch-mails',
      'write-log',
    ])
  })

  it('delivers while it collects and notifies, writes the log and plans mails while it delivers, and ends with all', async () => {
    await check({
      ...BUSY,
      collectDueSources: async () => {
        await system.until('deliverDue')
        return { collected: [], slow: [], left: 0 }
      },
      deliverDue: async () => {
        await Promise.all([system.until('writeLog'), system.until('planWatchMails')])
        return emptyReport()
      },
      notifyOperators: async () => {
        await system.until('deliverDue ended')
        await aWhile()
        return 1
      },
      planWatchMails: async () => {
        await system.until('notifyOperators ended')
        await aWhile()
        return 1
      },
      writeLog: async () => {
        await system.until('readOutbox ended')
        await aWhile()
        return { leaves: 0, size: 0, done: true }
      },
    })
    const ends = ['notifyOperators ended', 'planWatchMails ended', 'readOutbox', 'readOutbox ended', 'writeLog ended']
    expect(system.steps().filter((step) => [...ends, 'recordCheck'].includes(step))).toEqual([...ends, 'recordCheck'])
  })

  it('says what failed, and every other part runs all the same', async () => {
    const { result, details } = await check({
      collectDueSources: fails('no list'),
      compareSources: fails('not asked'),
      notifyOperators: fails('no answer'),
      fanOut: fails('no events'),
      reconcile: fails('no rows'),
      dueShards: fails('no shards'),
      writeLog: fails('no key'),
      planWatchMails: fails('no watch'),
      readOutbox: fails('no outbox'),
      recordCheck: fails('no record'),
    })
    const problems = [
      'Collecting due sources failed: no list',
      'Delivering failed: no shards',
      'Notifying operators failed: no answer',
      'Planning mails of watches failed: no watch',
      'Repairing failed: no rows',
      'Sending mails failed: no outbox',
      'Turning changes into deliveries failed: no events',
      'Turning changes into deliveries failed: no events',
      'Writing the publication log failed: no key',
    ]
    expect([...(result.problems as string[])].sort()).toEqual(problems)
    expect(Object.keys(result)).toEqual(['problems'])
    expect(system.inputs('recordCheck')).toEqual([
      { runId: expect.any(String), durationMs: expect.any(Number), problems: result.problems },
    ])
    expect(details).toBe(['Done.', ...(result.problems as string[])].join('\n\n'))
  })

  it('says of shards that fail which, and collects and compares the others', async () => {
    const { result } = await check({
      ...BUSY,
      collectDueSources: ({ shard }) => {
        if (shard?.index === 0) throw ApplicationFailure.nonRetryable('part 0 is lost')
        return { collected: [], slow: [], left: 0, ...(!shard && { shards: 2 }) }
      },
      deliverDue: fails('no network'),
    })
    expect(result.problems).toEqual(
      expect.arrayContaining([
        'Collecting due sources failed: part 0 is lost',
        'Delivering shard 3 of 8 failed: no network',
      ]),
    )
    expect(result.delivered).toEqual(emptyReport())
    expect(system.inputs('compareSources')).toHaveLength(1)
  })

  it('says how many attempts an internal error prevented, and what the answer of another version lacks', async () => {
    const round = (faults: number): Script => ({
      ...BUSY,
      fanOut: () => ({ events: 0, deliveries: 0 }),
      deliverDue: () => ({ ...emptyReport(), faults }),
    })
    const said = 'could not be made because of an internal error. See the delivery log.'
    expect((await check(round(1))).result.problems).toEqual([`1 attempt ${said}`])
    expect((await check(round(2))).result.problems).toEqual([`2 attempts ${said}`])
    const { result } = await check({ readOutbox: () => null })
    expect(result.problems).toEqual([expect.stringMatching(/^Sending mails failed: .*null/)])
  })

  it.each<[string, Script['fanOut'], number]>([
    ['nothing more was found', (_, { call }) => ({ events: 1, deliveries: 2 - call }), 1],
    ['something was found', () => ({ events: 1, deliveries: 1 }), 2],
    ['matching failed', (_, { call }) => (call === 1 ? { events: 1, deliveries: 1 } : fails('lost')()), 1],
  ])('after collecting, where %s', async (_what, fanOut, rounds) => {
    await check({ fanOut })
    expect(system.inputs('dueShards')).toHaveLength(rounds)
  })

  it('delivers once more where collecting left something to match', async () => {
    await check({
      collectDueSources: async () => {
        await system.until('dueShards ended')
        await aWhile()
        return { collected: [], slow: [], left: 0 }
      },
      fanOut: (_, { call }) => ({ events: 0, deliveries: 0, ...(call === 2 && { left: true }) }),
    })
    expect(system.inputs('dueShards').length).toBeGreaterThan(1)
  })

  it('has mails sent where some are due, in a workflow of their own that goes on beside the next check', async () => {
    const children = (events: Awaited<ReturnType<typeof check>>['events']) =>
      events.flatMap(({ startChildWorkflowExecutionInitiatedEventAttributes: child }) => child ?? [])
    const none = await check({ planWatchMails: () => 2, readOutbox: () => ({ due: 0 }) })
    expect(children(none.events)).toEqual([])
    expect(none.result.problems).toEqual([])

    const { opened: held, open: release } = gate()
    const sending: Script = {
      planWatchMails: () => 2,
      readOutbox: () => ({ due: 1, problem: '1 mail waits.' }),
      sendMails: (_, { call }) => (call === 1 ? held.then(() => 1) : 0),
    }
    const first = await check(sending)
    expect(first.result.problems).toEqual(['1 mail waits.'])
    expect(children(first.events)).toMatchObject([
      // Abandoned by the check: 2 in Temporal's API.
      { workflowId: 'mail', workflowType: { name: 'mail' }, parentClosePolicy: 2 },
    ])
    expect(secondsOf(children(first.events)[0]!.workflowExecutionTimeout)).toBe(3_600)
    const second = await check(sending)
    expect(second.result.problems).toEqual(['1 mail waits.'])
    expect(children(second.events)).toHaveLength(1)
    release()
    await temporal.client.workflow.getHandle('mail').result()
  })

  it('shows operators which parts run, and since when', async () => {
    const { opened: held, open: release } = gate()
    const { opened: begun, open: begin } = gate()
    const handle = await system.start('check', {
      says: {
        readOutbox: () => ({ due: 0, problem: '2 mails wait.' }),
        notifyOperators: () => begun.then(() => 0),
        fanOut: () => begun.then(() => ({ events: 0, deliveries: 0 })),
        collectDueSources: () => held.then(() => ({ collected: [], slow: [], left: 0 })),
        dueShards: fails('no shards'),
      },
    })
    const started = ['Notifying operators', 'Collecting due sources', 'Turning changes into deliveries']
    const lines = started.map((name) => `\\*\\*${name}\\*\\* since 2\\S+Z\\.`)
    await expect.poll(() => system.details(handle)).toMatch(new RegExp(`^${lines.join('\n\n')}$`))
    begin()
    const collecting = /^\*\*Collecting due sources\*\* since 2\S+Z\.\n\nDelivering failed: no shards$/
    await expect.poll(() => system.details(handle)).toMatch(collecting)
    release()
    await handle.result()
    expect(await system.details(handle)).toBe('Done.\n\nDelivering failed: no shards\n\n2 mails wait.')
  })
})
