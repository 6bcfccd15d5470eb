/** Decisions that a page keeps for some seconds before it sends them, so that they can be taken back. */
type Unsent = {
  /** How many decisions are kept or on the way. */
  count: () => number
  /** Sends all of it, and returns how much of it was refused. What could not be sent is still counted. */
  sendAll: () => Promise<number>
  /** Forgets what was not sent. */
  drop: () => void
}

const kept = new Set<Unsent>()

/** What is sent before someone signs out, and never in the name of someone else. */
export const unsent = {
  /** Returns what ends the keeping. */
  keep: (one: Unsent): (() => void) => {
    kept.add(one)
    return () => void kept.delete(one)
  },
  count: (): number => [...kept].reduce((sum, one) => sum + one.count(), 0),
  /** Sends everything. @throws Error when something was refused, or could not be sent: that is kept where it was */
  sendAll: async (): Promise<void> => {
    const refused = await Promise.all([...kept].map((one) => one.sendAll()))
    const left = unsent.count()
    if (left > 0)
      throw new Error(
        `${decisions(left)} not sent. Send again on this page, or put back into the queue. Then sign out.`,
      )
    const notDone = refused.reduce((sum, count) => sum + count, 0)
    if (notDone > 0) throw new Error(`${decisions(notDone)} not carried out: this page says why. Then sign out again.`)
  },
  drop: (): void => {
    for (const one of kept) one.drop()
  },
}

const decisions = (count: number): string => (count === 1 ? '1 decision was' : `${count} decisions were`)
