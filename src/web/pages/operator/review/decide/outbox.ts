import {
  type Decision,
  type Outcome,
  type Pending,
  type SentDecision,
  type ShownItem,
  sendDecisions,
} from './send-decisions.ts'

/** A decision waits so long before it is sent: until then it can be taken back as if it was never made. */
const GRACE_MS = 5_000

type Content = {
  /** Decided, and not sent yet. */
  waiting: Pending[]
  sending: Pending[]
  sent: SentDecision[]
  /** What could not be sent, and why. */
  failed?: { error: Error; waiting: Pending[] } | undefined
}
type Tools = {
  /** What is done about each answer. */
  onOutcome: (outcome: Outcome) => void
  /** Reads the list again, once all was answered. */
  readAgain: () => Promise<unknown>
}

/** The decisions of a page on their way. What could not be sent stays until it is sent again or put back. */
export class Outbox {
  #content: Content = { waiting: [], sending: [], sent: [] }
  #batch = 0
  #refused = 0
  /** What is being sent, and the list that is read after it: who signs out meanwhile would be refused both. */
  #onTheWay: Promise<unknown> = Promise.resolve()
  readonly #tools: Tools
  readonly #listeners = new Set<() => void>()

  constructor(tools: Tools) {
    this.#tools = tools
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  readonly content = (): Content => this.#content

  add(shown: ShownItem[], decision: Decision): void {
    this.#batch++
    const rest = { decision, batch: this.#batch, sendAt: Date.now() + GRACE_MS }
    this.#change({ waiting: [...this.#content.waiting, ...shown.map((one) => ({ ...one, ...rest }))] })
  }

  /** Takes the last decision back that was not sent yet. Returns it, for each item that it was about. */
  takeBack(): Pending[] {
    const { waiting } = this.#content
    const last = Math.max(...waiting.map(({ batch }) => batch))
    const back = waiting.filter(({ batch }) => batch === last)
    this.#change({ waiting: without(waiting, back) })
    return back
  }

  readonly sendNow = (): void => void this.#send(this.#content.waiting)
  readonly retry = (): void => void this.#send(this.#failed)
  /** Sends what has waited long enough. */
  sendDue(): void {
    const now = Date.now()
    void this.#send(this.#content.waiting.filter(({ sendAt }) => sendAt <= now))
  }

  /** Sends all that was not sent. Returns how many of the decisions that were not answered yet were refused. */
  async sendAll(): Promise<number> {
    const before = this.#refused
    void this.#send([...this.#content.waiting, ...this.#failed])
    await this.#onTheWay
    return this.#refused - before
  }

  /** How many decisions were not answered. */
  count(): number {
    const { waiting, sending } = this.#content
    return waiting.length + sending.length + this.#failed.length
  }

  drop(): void {
    this.#change({ waiting: [], failed: undefined })
  }

  readonly putBack = (): void => this.#change({ failed: undefined })

  /** What became of an item has been read. */
  readonly dismiss = (itemId: string): void =>
    this.#change({ sent: this.#content.sent.filter(({ item }) => item.id !== itemId) })

  get #failed(): Pending[] {
    return this.#content.failed?.waiting ?? []
  }

  #change(changed: Partial<Content>): void {
    this.#content = { ...this.#content, ...changed }
    for (const listener of this.#listeners) listener()
  }

  async #send(chosen: Pending[]): Promise<void> {
    if (chosen.length === 0) return
    const { waiting, sending, failed } = this.#content
    const stillFailed = without(this.#failed, chosen)
    this.#change({
      waiting: without(waiting, chosen),
      sending: [...sending, ...chosen],
      failed: failed && stillFailed.length > 0 ? { ...failed, waiting: stillFailed } : undefined,
    })
    const work = sendDecisions(chosen, (outcome) => this.#answered(outcome)).then(this.#tools.readAgain)
    this.#onTheWay = Promise.all([this.#onTheWay, work])
    await work
  }

  #answered(outcome: Outcome): void {
    const { group, sent: results, error } = outcome
    const { sending, sent, failed } = this.#content
    this.#refused += results.filter(({ problem }) => problem).length
    this.#change({
      sending: without(sending, group),
      sent: [...results, ...sent.filter(({ item }) => !results.some((result) => result.item.id === item.id))],
      failed: error ? { error, waiting: [...this.#failed, ...group] } : failed,
    })
    this.#tools.onOutcome(outcome)
  }
}

const without = (all: Pending[], chosen: Pending[]) => all.filter((pending) => !chosen.includes(pending))
