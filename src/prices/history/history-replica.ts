import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import type { HistoryPage } from './history-store.ts'

/** A replica that answers later than this is left alone. */
const PATIENCE_MS = 2 * SECOND
/** For this long after it failed, it is not asked. Then one read tries it, for which no reader waits. */
const LEFT_ALONE_MS = 10 * SECOND

/** How a page was read: from the replica, or from the primary because the replica was behind its instant or failed. */
export type ReplicaOutcome = 'replica' | 'behind' | 'failed'

export type HistoryReplica = {
  /** Reads a page. Undefined: the replica does not have all of it, so the primary has to be asked. */
  read: (work: (replica: Sql) => Promise<HistoryPage>) => Promise<HistoryPage | undefined>
}

type Report = (read: ReplicaOutcome, error?: unknown) => void

/**
 * Reads pages from a replica of the database. It has replayed everything up to a closed instant once it has replayed that
 * the instant is closed, and the statement that reads a page says whether it has.
 * @param clock milliseconds that never step back
 */
export function createHistoryReplica(
  replica: Sql,
  report: Report,
  clock: () => number = () => performance.now(),
): HistoryReplica {
  let leftAloneUntil: number | undefined

  /** Reads a page, and remembers whether the replica answered. */
  async function ask(work: (replica: Sql) => Promise<HistoryPage>): Promise<HistoryPage | undefined> {
    try {
      const page = await withinPatience(work(replica))
      leftAloneUntil = undefined
      report(page.complete ? 'replica' : 'behind')
      return page.complete ? page : undefined
    } catch (error) {
      leftAloneUntil = clock() + LEFT_ALONE_MS
      report('failed', error)
      return undefined
    }
  }

  return {
    async read(work) {
      if (leftAloneUntil === undefined) return ask(work)
      if (clock() < leftAloneUntil) {
        report('failed')
        return undefined
      }
      // Others leave it alone meanwhile. This one gives up sooner than that.
      leftAloneUntil = clock() + LEFT_ALONE_MS
      void ask(work)
      return undefined
    },
  }
}

async function withinPatience<T>(work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = sleep(PATIENCE_MS, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Error(`The replica did not answer within ${PATIENCE_MS / SECOND} s.`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    // Whichever is second is not waited for.
    work.catch(() => {})
    late.catch(() => {})
    done.abort()
  }
}
