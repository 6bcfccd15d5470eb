import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import type { DeliveryState } from '../../../src/webhooks/workflow-schema.ts'
import { timeSkipping } from '../../support/servers/temporal.ts'
import { fails, gate, type Script, scripted, secondsOf } from './support.ts'

const temporal = timeSkipping()
const system = scripted(temporal)
const PAST = '2020-01-01T00:00:00.000Z' as Instant
const INSTANT = expect.stringMatching(/^2\d{3}-.*Z$/)
const later = (from: string, ms: number) => new Date(Date.parse(from) + ms).toISOString() as Instant
const grant = (number: number) => ({ cycle: 1, number, run: 1 })
const now = async () => new Date(await temporal.env.currentTimeMs()).toISOString()

describe('a delivery', () => {
  const deliveryId = randomUUID()
  const start = (says: Script, input: object) => system.start('delivery', { says, args: [{ deliveryId, ...input }] })
  type Handle = Awaited<ReturnType<typeof start>>
  /** The values of `DeliveryStatus` that it had, one after the other. */
  const statuses = async (handle: Handle) =>
    (await system.events(handle)).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => {
      const value = upsert?.searchAttributes?.indexedFields?.DeliveryStatus
      return value ? [JSON.parse(String(value.data))] : []
    })
  const shows = (handle: Handle, text: string | RegExp) => expect.poll(() => system.details(handle)).toMatch(text)

  it('makes the attempt it begins with, waits for its retry, then for the next round, and ends with the attempt of that', async () => {
    let dueAt = PAST
    const says: Script = {
      attempt: ({ now, number }) => {
        dueAt = later(now, 7_200_000)
        const last = { number, at: PAST, text: `HTTP ${number}00` }
        return number === 1
          ? { status: 'pending', attempts: 1, dueAt, last }
          : { status: 'succeeded', attempts: 2, last }
      },
    }
    const handle = await start(says, { statusless: true, grant: grant(1) })
    const last = `Last attempt: number 1 of 6, at ${PAST}: HTTP 100\n\n1 of 6 attempts used.`
    await shows(handle, /^\*\*retry 1 in 2 h\*\*/)
    expect(await system.details(handle)).toBe(`**retry 1 in 2 h**, at ${dueAt}.\n\n${last}`)
    await temporal.env.sleep('121 min')
    await shows(handle, /^\*\*Due/)
    expect(await system.details(handle)).toBe(`**Due since ${dueAt}**: waiting for the next round.\n\n${last}`)
    await handle.signal('grant', grant(2))
    expect(await handle.result()).toEqual({ status: 'succeeded', attempts: 2, last: 'HTTP 200' })
    expect(await system.details(handle)).toBe(`**Succeeded.**\n\nLast attempt: number 2 of 6, at ${PAST}: HTTP 200`)
    expect(await statuses(handle)).toEqual(['retrying', 'succeeded'])
    expect(system.inputs('attempt')).toEqual([1, 2].map((number) => ({ deliveryId, ...grant(number), now: INSTANT })))
    expect(system.inputs('lookUp')).toEqual([])
    const timers = (await system.events(handle)).flatMap(({ timerStartedEventAttributes: timer, userMetadata }) =>
      timer ? [[secondsOf(timer.startToFireTimeout), JSON.parse(String(userMetadata?.summary?.data))]] : [],
    )
    expect(timers).toEqual([
      [expect.closeTo(7_190, -2), 'retry 1 in 2 h'],
      [21_600, 'the next delivery round'],
    ])
  })

  it('reads its row when it begins without an attempt and when that has changed, and is found by its status', async () => {
    const story = async (input: object, ...states: DeliveryState[]) => {
      const handle = await start({ lookUp: (_, { call }) => states[call - 1] }, input)
      for (const n of states.slice(1).keys()) {
        await system.until('lookUp ended')
        await expect.poll(() => system.inputs('lookUp').length).toBe(n + 1)
        await handle.signal('changed', 'resent')
      }
      const result = await handle.result()
      expect(system.inputs('lookUp')).toEqual(states.map(() => deliveryId))
      return [result, await statuses(handle)]
    }
    // No wait may end while a result is awaited: the server's time would go there.
    const dueAt = later(await now(), 86_400_000)
    const waits = (attempts: number): DeliveryState => ({ status: 'pending', attempts, dueAt })
    expect(await story({}, waits(0), { status: 'gone', attempts: 0 })).toEqual([
      { status: 'gone', attempts: 0 },
      ['gone'],
    ])
    expect(await story({}, { status: 'succeeded', attempts: 1 })).toEqual([
      { status: 'succeeded', attempts: 1 },
      ['succeeded'],
    ])
    const statusless = { statusless: true }
    expect(await story(statusless, waits(0), { status: 'succeeded', attempts: 1 })).toEqual([
      { status: 'succeeded', attempts: 1 },
      [],
    ])
    expect(await story(statusless, { status: 'failed', attempts: 6 })).toEqual([
      { status: 'failed', attempts: 6 },
      ['failed'],
    ])
    expect(await story(statusless, waits(1), waits(2), { status: 'failed', attempts: 2, notSent: true })).toEqual([
      { status: 'not_sent', attempts: 2 },
      ['retrying', 'not_sent'],
    ])
  })

  it('takes an attempt that could not be made for an internal error, says so, and does not make it again by itself', async () => {
    const handle = await start({ attempt: () => Promise.reject(new Error('no database')) }, { grant: grant(3) })
    await shows(
      handle,
      /^\*\*Due since 2\S+Z\*\*: waiting for the next round\.\n\nLast attempt: number 3 of 6, at 2\S+Z: internal error: no database\n\n2 of 6 attempts used\.$/,
    )
    expect(await statuses(handle)).toEqual(['retrying'])
    await handle.signal('changed', 'deleted')
    expect(await handle.result()).toEqual({ status: 'gone', attempts: 0 })
    expect(system.steps().filter((step) => step.startsWith('attempt'))).toEqual(['attempt'])
  })

  it('reads its row after an attempt where that has changed meanwhile, before it ends', async () => {
    const { opened, open } = gate()
    const says: Script = {
      attempt: ({ number }) =>
        number === 1 ? opened.then(() => ({ status: 'succeeded', attempts: 1 })) : { status: 'succeeded', attempts: 1 },
      lookUp: (_, { call }) =>
        call === 1 ? { status: 'pending', attempts: 0, dueAt: PAST } : { status: 'gone', attempts: 0 },
    }
    const handle = await start(says, { statusless: true, grant: grant(1) })
    await system.until('attempt')
    await handle.signal('changed', 'resent')
    open()
    await shows(handle, '**Due since 2020-01-01T00:00:00.000Z**: waiting for the next round.\n\n0 of 6 attempts used.')
    await handle.signal('changed', 'deleted')
    expect(await handle.result()).toEqual({ status: 'gone', attempts: 0 })
    expect(await statuses(handle)).toEqual(['gone'])
  })
})

describe('a webhook', () => {
  const webhookId = randomUUID()

  it('passes each change on and shows the newest twenty', async () => {
    const { opened, open } = gate()
    const handle = await system.start('webhook', {
      says: { passOn: (_, { call }) => (call === 1 ? opened.then(() => 3) : 4) },
      args: [{ webhookId }],
      signals: ['pause'],
    })
    const passing =
      /^- 2\S+Z: paused: deliveries due from now on are not sent\n\nPassing this on to waiting deliveries\.$/
    await system.until('passOn')
    expect(await system.details(handle)).toMatch(passing)
    for (let n = 0; n < 18; n++) await handle.signal('resume')
    for (const signal of ['urlChanged', 'resumeAndResend', 'deleted']) await handle.signal(signal)
    open()
    expect(await handle.result()).toEqual({ passedOn: 7, changes: 22 })
    expect(system.inputs('passOn')).toEqual([webhookId, webhookId])
    const [earlier, lines, end] = (await system.details(handle)).split('\n\n')
    expect(earlier).toBe('2 changes before these:')
    const shown = lines!.split('\n').map((line) => line.replace(/^- 2\S+Z: /, ''))
    expect(shown).toEqual([
      ...Array.from({ length: 17 }, () => 'resumed'),
      'has another URL; its count of failures in a row starts again',
      'resumed; what was not sent while paused goes out with the next round',
      'deleted with its log and its pending deliveries',
    ])
    expect(end).toBe('Passed on to 7 waiting deliveries.')
  })

  it('goes on with what the run before has not passed on, and with nothing where that is all', async () => {
    const before = { passedOn: 5, changes: 30, newest: ['- then: resumed'] }
    const next = await system.run('webhook', { says: { passOn: () => 3 }, args: [{ webhookId, before }] })
    expect(next.result).toEqual({ passedOn: 8, changes: 30 })
    expect(next.details).toBe('29 changes before these:\n\n- then: resumed\n\nPassed on to 8 waiting deliveries.')
    const one = { passedOn: 0, changes: 2, newest: ['- then: resumed'] }
    const { details } = await system.run('webhook', { says: { passOn: () => 1 }, args: [{ webhookId, before: one }] })
    expect(details).toBe('1 change before these:\n\n- then: resumed\n\nPassed on to 1 waiting delivery.')
    const none = await system.run('webhook', { args: [{ webhookId }] })
    expect(none.result).toEqual({ passedOn: 0, changes: 0 })
    expect(system.inputs('passOn')).toEqual([])
  })
})

it('Mails are sent until none waits, in at most twenty calls', async () => {
  for (const [type, activity] of [
    ['mail', 'sendMails'],
    ['watchMails', 'sendWatchMails'],
  ] as const) {
    const sent = async (send: Script['sendMails']) => {
      const { result } = await system.run(type, { says: { [activity]: send } })
      return [result, system.inputs(activity).length]
    }
    expect(await sent((_, { call }) => 3 - call)).toEqual([3, 3])
    expect(await sent(() => 2)).toEqual([40, 20])
  }
})

it('A slow source is collected for an operator where one asked for it, and shows what came of it', async () => {
  const { opened, open } = gate()
  const outcome = { source: 'acme', outcome: 'failed', problem: 'It did not answer.', durationMs: 1 }
  const args = ['acme', { byOperator: true }]
  const handle = await system.start('collect', { says: { collectSource: () => opened.then(() => outcome) }, args })
  await system.until('collectSource')
  await expect.poll(() => system.details(handle)).toBe('Collecting **acme**.')
  open()
  expect(await handle.result()).toEqual(outcome)
  expect(system.inputs('collectSource')).toEqual([{ source: 'acme', now: INSTANT, byOperator: true }])
  expect(await system.details(handle)).toBe('acme: failed. It did not answer.')
  const quiet = await system.run('collect', { args: ['acme'] })
  expect(quiet.details.trim()).toBe('acme: unchanged.')
  expect(system.inputs('collectSource')).toEqual([{ source: 'acme', now: INSTANT }])
})

it('An activity has the time and the attempts that its work needs, and dies soon with its worker', async () => {
  const rows = new Map<string, unknown[]>()
  const waits = new Map<string, number[]>()
  const note = async (type: string, options: Parameters<typeof system.run>[1]) => {
    for (const { activityTaskScheduledEventAttributes: scheduled } of (await system.run(type, options)).events) {
      if (!scheduled) continue
      const { startToCloseTimeout, heartbeatTimeout, retryPolicy, taskQueue } = scheduled
      const queue = taskQueue!.name!.replace(temporal.taskQueue, '')
      const whole = queue === '-sources' ? [secondsOf(scheduled.scheduleToCloseTimeout)] : []
      const limits = [startToCloseTimeout, heartbeatTimeout].map(secondsOf)
      const name = `${scheduled.activityType!.name}${queue}`
      rows.set(name, [...limits, retryPolicy!.maximumAttempts, ...whole])
      waits.set(name, [retryPolicy!.initialInterval, retryPolicy!.maximumInterval].map(secondsOf))
    }
  }
  await note('check', {
    says: {
      collectDueSources: (_, { call }) => ({ collected: [], slow: [], left: 0, ...(call === 1 && { shards: 2 }) }),
      dueShards: (_, { call }) => ({ shards: call === 1 ? [0] : [], of: 1 }),
    },
  })
  await note('mail', {})
  await note('watchMails', {})
  await note('retention', {})
  await note('collect', { args: ['acme'] })
  await note('webhook', { args: [{ webhookId: randomUUID() }], signals: ['pause'] })
  // Seconds in all, seconds without a heartbeat (none: 0), attempts (as many as it takes: 0), and with its wait.
  expect(Object.fromEntries(rows)).toEqual({
    collectDueSources: [90, 60, 1],
    'collectDueSources-sources': [90, 60, 1, 150],
    'collectSource-collecting': [2_400, 180, 2],
    compareSources: [90, 60, 1],
    deleteOld: [3_600, 120, 0],
    deliverDue: [260, 20, 5],
    dueShards: [60, 15, 10],
    fanOut: [260, 30, 2],
    measureAccuracy: [600, 0, 3],
    notifyOperators: [90, 0, 2],
    passOn: [600, 30, 0],
    planWatchMails: [60, 0, 2],
    readOutbox: [60, 0, 2],
    reconcile: [60, 15, 2],
    recordCheck: [10, 0, 5],
    sendMails: [180, 90, 1],
    sendWatchMails: [180, 90, 1],
    writeLog: [180, 60, 2],
  })
  // The first wait and the longest one; of others a second, and what the server takes for the longest.
  expect(waits.get('dueShards')).toEqual([0.5, 2])
  waits.delete('dueShards')
  expect(new Set([...waits.values()].map(([first]) => first))).toEqual(new Set([1]))
  const says: Script = {
    attempt: fails('lost'),
    lookUp: (_, { attempt }) => (attempt === 1 ? Promise.reject(new Error('away')) : { status: 'gone', attempts: 0 }),
  }
  const handle = await system.start('delivery', { says, args: [{ deliveryId: randomUUID(), grant: grant(1) }] })
  await handle.signal('changed', 'deleted')
  await handle.result()
  const asked = system.asked('attempt', 'lookUp')
  expect(asked.map(({ name, limitMs }) => [name, limitMs])).toEqual([
    ['attempt', 30_000],
    ['lookUp', 10_000],
  ])
})
