/** Why a task was stopped from outside, or ended without a result. */
export type LimitReason = 'time' | 'memory' | 'size' | 'crash'

/** A task that exceeded a limit or took its process down. The message is one sentence for an operator. */
export class LimitExceededError extends Error {
  override name = 'LimitExceededError'
  readonly reason: LimitReason

  constructor(reason: LimitReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** A task that threw: a fault in our code, met on these bytes. `message` and `stack` are those of the process it ran in. */
export class TaskFailedError extends Error {
  override name = 'TaskFailedError'
}
