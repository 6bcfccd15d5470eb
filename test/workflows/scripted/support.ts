import { randomUUID } from 'node:crypto'
import { Context as Activity } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { temporal as api } from '@temporalio/proto'
import { afterAll, beforeAll } from 'vitest'
import type { Activities } from '../../../activities/index.ts'
import { emptyReport } from '../../../src/webhooks/rounds/round-schema.ts'
import type { timeSkipping } from '../../support/servers/temporal.ts'

type Input<Name extends keyof Activities> = Parameters<Activities[Name]>[0]
/** `call`: which call of this activity, from 1 on. `attempt`: which attempt of this call. */
type Call = { call: number; attempt: number }
export type Script = { [Name in keyof Activities]?: (input: Input<Name>, call: Call) => unknown }
type ActivityCall = { name: string; input: Record<string, unknown>; activityId: string; limitMs: number }
type Event = api.api.history.v1.IHistoryEvent

/** What there is to do for a check where nothing is due. */
const IDLE: Record<keyof Activities, unknown> = {
  collectDueSources: { collected: [], slow: [], left: 0 },
  compareSources: undefined,
  collectSource: { source: 'a', outcome: 'unchanged', durationMs: 1 },
  fanOut: { events: 0, deliveries: 0 },
  attempt: { status: 'succeeded', attempts: 1 },
  lookUp: { status: 'gone', attempts: 0 },
  dueShards: { shards: [], of: 8 },
  deliverDue: emptyReport(),
  reconcile: { storeLost: false, unknown: 0, released: 0, restarted: 0, notices: 0 },
  passOn: 0,
  deleteOld: {},
  measureAccuracy: {},
  notifyOperators: 0,
  planWatchMails: 0,
  readOutbox: { due: 0 },
  sendMails: 0,
  sendWatchMails: 0,
  sendKeptMails: 0,
  mailPauses: 0,
  writeLog: { leaves: 0, size: 0, done: true },
  recordCheck: undefined,
}

/** An activity's answer after this much of the server's time, which it skips. Needs a second attempt. */
export const takes =
  <T>(ms: number, answer: T) =>
  (_input: unknown, { attempt }: Call): T => {
    if (attempt === 1) throw ApplicationFailure.create({ message: 'takes a while', nextRetryDelay: ms })
    return answer
  }

export function fails(message: string) {
  return (): never => {
    throw ApplicationFailure.nonRetryable(message)
  }
}

/** A promise, and what fulfils it. */
export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** The bundled workflows with activities that note what they are asked, and answer what the script of a test says. */
export function scripted(temporal: ReturnType<typeof timeSkipping>) {
  let script: Script = {}
  let asked: ActivityCall[] = []
  let steps: string[] = []
  let listeners: (() => void)[] = []
  const step = (what: string) => {
    steps.push(what)
    for (const listener of listeners) listener()
  }

  function activity<Name extends keyof Activities>(name: Name) {
    return async (input: Input<Name>) => {
      const { attempt, activityId, startToCloseTimeoutMs: limitMs } = Activity.current().info
      if (attempt === 1) {
        asked.push({ name, input: input as Record<string, unknown>, activityId, limitMs })
        step(name)
      } else step(`${name} again`)
      const call = system.asked(name).findIndex((other) => other.activityId === activityId) + 1
      const answering = (script[name] ?? (() => IDLE[name]))(input, { call, attempt })
      // What a test that failed holds back ends with the worker.
      const answer = await Promise.race([answering, Activity.current().cancelled])
      step(`${name} ended`)
      return answer
    }
  }
  const activities = Object.fromEntries(Object.keys(IDLE).map((name) => [name, activity(name as keyof Activities)]))

  let running: Promise<unknown>
  let stop = () => {}
  beforeAll(async () => {
    const queues = ['', '-sources', '-collecting'].map((suffix) => `${temporal.taskQueue}${suffix}`)
    const workers = await Promise.all(queues.map((taskQueue) => temporal.worker({ taskQueue, activities })))
    running = Promise.all(workers.map((worker) => worker.run()))
    stop = () => workers.forEach((worker) => void worker.shutdown())
  })
  afterAll(async () => {
    stop()
    await running
  })

  const system = {
    /** What was asked of activities since the start, first attempts alone. */
    asked: (...names: (keyof Activities)[]): ActivityCall[] =>
      asked.filter(({ name }) => names.includes(name as keyof Activities)),
    inputs: (name: keyof Activities) => system.asked(name).map(({ input }) => input),
    steps: () => steps,
    /** Until an activity was asked something (`name`), or has answered (`name ended`). */
    until: (what: string) =>
      new Promise<void>((resolve) => {
        const look = () => steps.includes(what) && resolve()
        listeners.push(look)
        look()
      }),
    async start(type: string, { says = {}, args = [], workflowId = randomUUID(), signals = [] }: Start = {}) {
      script = says
      asked = []
      steps = []
      listeners = []
      const options = { taskQueue: temporal.taskQueue, workflowId, args }
      const [first, ...others] = signals
      if (!first) return temporal.client.workflow.start(type, options)
      const handle = await temporal.client.workflow.signalWithStart(type, { ...options, signal: first })
      for (const signal of others) await handle.signal(signal)
      return temporal.client.workflow.getHandle(workflowId)
    },
    /** Runs a workflow to its end, while the server skips time. */
    async run<T>(type: string, options: Start = {}) {
      const handle = await system.start(type, options)
      const result = (await handle.result()) as T
      return { result, events: await system.events(handle), details: await system.details(handle), handle }
    },
    events: async (handle: { fetchHistory: () => Promise<{ events?: Event[] | null }> }): Promise<Event[]> =>
      (await handle.fetchHistory()).events!,
    /** What an operator reads in the Temporal UI. */
    async details(handle: { query: <T>(name: string) => Promise<T> }): Promise<string> {
      return (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails
    },
  }
  return system
}

type Start = { says?: Script; args?: unknown[]; workflowId?: string; signals?: string[] }

export const secondsOf = (duration: { seconds?: unknown; nanos?: number | null } | null | undefined): number =>
  Number(duration?.seconds ?? 0) + (duration?.nanos ?? 0) / 1e9
export const atOf = (event: Event): number => secondsOf(event.eventTime) * 1_000
