import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '../../lib/instant.ts'
import { failPausedDue } from './fail-paused-due.ts'
import { RoundFlights, type RoundTools } from './round-flights.ts'
import { RoundPlan } from './round-rules.ts'
import type { EndedAttempt, RoundReport } from './round-schema.ts'
import { claimDeliveries, loadDue, startedInRound } from './round-store.ts'
import { ShardRun, type ShardTask } from './shard-run.ts'

/** How often free slots are filled, and finished attempts of other processes looked up, all at once. */
const LOOK_MS = 40
/** How often deliveries that became due during the round, or came from a webhook paused meanwhile, are looked for. */
const RELOAD_MS = 5_000

/**
 * The shards of one round that run in this process. They have one plan, so that its order is over all of them and the
 * slots are the process's.
 */
export class SharedRound {
  readonly #tools: RoundTools
  readonly #roundId: string
  /** Nothing is started at or after this instant. */
  readonly #stopAt: Instant
  readonly #plan: RoundPlan
  readonly #flights: RoundFlights
  readonly #runs = new Set<ShardRun>()
  readonly #sliceOf = new Map<string, number>()
  #isRunning = false

  constructor(tools: RoundTools, { roundId, stopAt }: { roundId: string; stopAt: Instant }) {
    this.#tools = tools
    this.#roundId = roundId
    this.#stopAt = stopAt
    this.#plan = new RoundPlan(tools.limits)
    this.#flights = new RoundFlights(tools, roundId, this.#plan)
  }

  get isOver(): boolean {
    return this.#runs.size === 0
  }

  /** Runs a shard until nothing of it is due or the round's time is up. A shard that runs here already ends. */
  join(task: ShardTask): Promise<RoundReport> {
    const run = new ShardRun(task)
    for (const other of this.#runs) if (other.slices.some((slice) => run.slices.includes(slice))) this.#leave(other)
    this.#runs.add(run)
    if (!this.#isRunning) void this.#run()
    return run.ended
  }

  /** This process has made an attempt: what the round would look up. */
  attemptEnded(attempt: EndedAttempt): void {
    this.#flights.attemptEnded(attempt)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // Shards that begin together share the first slots.
    await sleep(LOOK_MS)
    try {
      while (this.#runs.size > 0) {
        const began = performance.now()
        for (const run of this.#runs) if (run.task.signal?.aborted) this.#leave(run)
        await this.#reload(began)
        await this.#start()
        await this.#flights.look()
        await this.#endIdle(began)
        for (const { task, report } of this.#runs) task.heartbeat(report)
        if (this.#runs.size > 0) await sleep(LOOK_MS)
      }
    } catch (error) {
      for (const run of this.#runs) run.fail(error)
      this.#runs.clear()
    } finally {
      this.#isRunning = false
    }
  }

  /** The latest of the shards' clocks: they differ by what their activities took to begin. */
  #now(): Instant {
    return [...this.#runs]
      .map(({ task }) => task.now())
      .sort()
      .at(-1)!
  }

  #mayStart(): boolean {
    return this.#runs.size > 0 && this.#now() < this.#stopAt
  }

  async #reload(began: number): Promise<void> {
    const isOld = (age: number) => (run: ShardRun) => began - run.loadedAt > age
    // Shards whose time has nearly come are loaded with the others, so that one statement is enough.
    const runs = [...this.#runs]
    if (this.#mayStart() && runs.some(isOld(RELOAD_MS))) await this.#load(runs.filter(isOld(RELOAD_MS / 2)))
  }

  async #load(runs: ShardRun[]): Promise<void> {
    const { sql } = this.#tools
    const round = { roundId: this.#roundId, now: this.#now() }
    for (const run of runs.filter(({ mustResume }) => mustResume)) {
      this.#plan.resume(await startedInRound(sql, { ...round, slices: run.slices }))
      run.mustResume = false
    }
    const slices = runs.flatMap((run) => run.slices)
    runs[0]!.report.unsent += await failPausedDue(sql, round.now, slices)
    const due = await loadDue(sql, { ...round, slices, slow: this.#plan.slow() })
    const runOf = this.#runsBySlice()
    for (const run of runs) run.loadedAt = performance.now()
    const fresh = due.filter(({ deliveryId, slice }) => runOf.has(slice) && !this.#plan.knows(deliveryId))
    for (const { workspaceId, slice } of fresh) {
      this.#sliceOf.set(workspaceId, slice)
      runOf.get(slice)!.waiting += 1
    }
    this.#plan.add(fresh)
  }

  #runsBySlice(): Map<number, ShardRun> {
    return new Map([...this.#runs].flatMap((run) => run.slices.map((slice) => [slice, run] as const)))
  }

  async #start(): Promise<void> {
    const batch = this.#mayStart() ? this.#plan.take() : []
    if (batch.length === 0) return
    const runOf = this.#runsBySlice()
    const runs = batch.map(({ workspaceId }) => runOf.get(this.#sliceOf.get(workspaceId)!)!)
    for (const run of runs) run.waiting -= 1
    const claimed = await claimDeliveries(
      this.#tools.sql,
      { roundId: this.#roundId, now: this.#now() },
      batch.map(({ deliveryId }) => deliveryId),
    )
    const byId = new Map(claimed.map((delivery) => [delivery.deliveryId, delivery]))
    for (const [n, item] of batch.entries()) {
      const delivery = byId.get(item.deliveryId)
      if (delivery) this.#flights.launch(runs[n]!, item, delivery)
      else this.#plan.skip(item)
    }
  }

  /** Ends the shards that have nothing in flight and nothing due, or no more time. */
  async #endIdle(began: number): Promise<void> {
    const idle = [...this.#runs].filter(({ inFlight }) => inFlight === 0)
    const emptied = idle.filter(({ waiting, loadedAt }) => waiting === 0 && loadedAt < began)
    if (emptied.length > 0 && this.#mayStart()) await this.#load(emptied)
    const isOver = this.#mayStart() ? ({ waiting }: ShardRun) => waiting === 0 : () => true
    const over = idle.filter((run) => this.#runs.has(run) && isOver(run))
    if (over.length > 0 && !this.#mayStart()) await this.#noteRest(over)
    for (const run of over) this.#leave(run)
  }

  /** Notes which shards have no more time and something due. */
  async #noteRest(runs: ShardRun[]): Promise<void> {
    const slices = runs.flatMap((run) => run.slices)
    const due = await loadDue(this.#tools.sql, { roundId: this.#roundId, now: this.#now(), slices })
    const left = new Set(due.map(({ slice }) => slice))
    for (const run of runs) if (run.slices.some((slice) => left.has(slice))) run.report.cutShort = 1
  }

  #leave(run: ShardRun): void {
    const slices = new Set(run.slices)
    this.#runs.delete(run)
    this.#plan.drop((workspaceId) => slices.has(this.#sliceOf.get(workspaceId)!))
    const { faults } = run.report
    if (run.fault !== undefined) this.#tools.log.error({ faults }, `Deliveries could not be sent: ${run.fault}.`)
    run.end(run.report)
  }
}
