import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import {
  log,
  ParentClosePolicy,
  patched,
  proxyActivities,
  setCurrentDetails,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { Instant } from '../src/lib/instant.ts'
import type { RoundReport } from '../src/webhooks/rounds/round-schema.ts'
import { collectDue } from './collect-shards.ts'
import { deliverInShards } from './deliver-shards.ts'
import { mail, watchMails } from './mail.ts'
import { plural } from './plural.ts'

/** Matching before a round may take this long; the rest is matched beside it. */
export const MATCH_BEFORE_ROUND_MS = 2_000
const { fanOut } = proxyActivities<Activities>({
  startToCloseTimeout: '260s',
  heartbeatTimeout: '30s',
  retry: { maximumAttempts: 2 },
})
const { reconcile } = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '15s',
  retry: { maximumAttempts: 2 },
})
/** For checks that a worker of 1.0.0 has begun. */
const { deliverDue } = proxyActivities<Activities>({
  startToCloseTimeout: '260s',
  heartbeatTimeout: '15s',
  retry: { maximumAttempts: 5, initialInterval: '1s' },
})
/** What the log may take of a check: a whole history at the first start goes on in the next ones. */
const LOG_BUDGET_MS = 120_000
const { writeLog } = proxyActivities<Activities>({
  startToCloseTimeout: LOG_BUDGET_MS + 60_000,
  heartbeatTimeout: '60s',
  retry: { maximumAttempts: 2, initialInterval: '1s' },
})
/** A notice that does not arrive is sent again at the next check; until then the check shows what is wrong. */
const { notifyOperators } = proxyActivities<Activities>({
  startToCloseTimeout: '90s',
  retry: { maximumAttempts: 2, initialInterval: '1s' },
})
/** Of checks that began before there was one outbox. */
const { mailPauses, sendKeptMails } = proxyActivities<Activities>({
  startToCloseTimeout: '90s',
  retry: { maximumAttempts: 1 },
})
const { planWatchMails, readOutbox } = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 2, initialInterval: '1s' },
})
const { recordCheck } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 5, initialInterval: '1s' },
})

/**
 * The parts of one check. One that fails is noted in `problems` and ends with undefined, and the others run all the
 * same. An operator reads in the Temporal UI which parts run, and since when.
 */
export function checkParts() {
  const problems: string[] = []
  const running = new Map<string, Instant>()
  let round: string | undefined
  let delivers = 0
  const showDetails = () => {
    const parts = [...running].map(([name, since]) => `**${name}** since ${since}.`)
    const lines = [...(parts.length > 0 ? parts : ['Done.']), ...(round ? [round] : []), ...problems]
    setCurrentDetails(lines.join('\n\n'))
  }

  async function part<T>(name: string, work: (now: Instant) => Promise<T>): Promise<T | undefined> {
    const since = now()
    running.set(name, since)
    showDetails()
    try {
      return await work(since)
    } catch (error) {
      problems.push(`${name} failed: ${messageOf(error)}`)
      log.warn('a part of the check failed', { part: name })
      return undefined
    } finally {
      running.delete(name)
      showDetails()
    }
  }

  function deliver(since: Instant, stopAt: Instant): Promise<RoundReport> {
    if (!patched('rounds-in-shards')) return deliverDue({ roundId: workflowInfo().runId, now: since, stopAt })
    return deliverInShards({
      again: delivers++ > 0,
      now,
      stopAt,
      show(line) {
        round = line
        showDetails()
      },
      failed: ({ shard, of }, error) => problems.push(`Delivering shard ${shard} of ${of} failed: ${messageOf(error)}`),
    })
  }

  return {
    problems,
    collect: () => part('Collecting due sources', collectDue),
    notify: () => part('Notifying operators', (now) => notifyOperators({ now })),
    sendKeptMails: () => part('Sending mails that were kept', () => sendKeptMails()),
    writeLog: () => part('Writing the publication log', () => writeLog({ budgetMs: LOG_BUDGET_MS })),
    mailPauses: () => part('Mailing admins about paused webhooks', () => mailPauses()),
    watchMails: (oneOutbox: boolean) =>
      part('Planning mails of watches', async (now) => {
        if ((await planWatchMails({ now })) > 0 && !oneOutbox) await startSending(watchMails, 'watch-mails')
      }),
    /** Mails go out in a workflow of their own: the check does not wait for the mail server. */
    sendMails: () =>
      part('Sending mails', async () => {
        const { due, problem } = await readOutbox()
        if (problem) problems.push(problem)
        if (due > 0) await startSending(mail, 'mail')
      }),
    fanOut: (budgetMs: number) => part('Turning changes into deliveries', (now) => fanOut({ now, budgetMs })),
    repair: () => part('Repairing', (now) => reconcile({ now })),
    async deliver(stopAt: Instant) {
      const report = await part('Delivering', (now) => deliver(now, stopAt))
      if (report && report.faults > 0)
        problems.push(
          `${plural(report.faults, 'attempt')} could not be made because of an internal error. See the delivery log.`,
        )
      return report
    },
    /** Where this fails, monitoring says that no check has finished. */
    record: (durationMs: number, delivered: RoundReport | undefined) =>
      recordCheck({ runId: workflowInfo().runId, durationMs, problems, delivered }).catch(() => {}),
  }
}

function messageOf(error: unknown): string {
  const { cause, message } = error as Error
  return (cause as Error | undefined)?.message ?? message
}

/** Sends the mails that are due, unless a workflow of an earlier check still does. */
async function startSending(workflow: typeof mail, workflowId: string): Promise<void> {
  try {
    await startChild(workflow, {
      workflowId,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowExecutionTimeout: '1h',
      staticSummary: 'Mails that are due',
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}

const now = () => instantOf(Date.now())
export const instantOf = (epochMs: number) => new Date(epochMs).toISOString() as Instant
