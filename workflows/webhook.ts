import { proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { WebhookChange } from '../src/webhooks/workflow-schema.ts'
import { webhookSignals } from './contract.ts'

const { passOn } = proxyActivities<Activities>({ startToCloseTimeout: '10m', heartbeatTimeout: '30s' })

const SENTENCES: Record<WebhookChange, string> = {
  pause: 'paused: deliveries due from now on are not sent',
  resume: 'resumed',
  resumeAndResend: 'resumed; what was not sent while paused goes out with the next round',
  urlChanged: 'has another URL; its count of failures in a row starts again',
  deleted: 'deleted with its log and its pending deliveries',
}

/**
 * Passes on what was done to one webhook to those of its deliveries whose workflows wait. Every change is committed in
 * Postgres before its signal comes. Completes when all is passed on; the next change starts it again.
 */
export async function webhook({ webhookId }: { webhookId: string }): Promise<{ passedOn: number; changes: number }> {
  const changes: string[] = []
  let unread = 0
  for (const { change, signal } of webhookSignals) {
    setHandler(signal, () => {
      changes.push(`- ${new Date().toISOString()}: ${SENTENCES[change]}`)
      unread++
    })
  }
  let passedOn = 0
  while (unread > 0) {
    unread = 0
    setCurrentDetails(`${changes.join('\n')}\n\nPassing this on to waiting deliveries.`)
    passedOn += await passOn(webhookId)
  }
  setCurrentDetails(`${changes.join('\n')}\n\nPassed on to ${passedOn} waiting deliveries.`)
  return { passedOn, changes: changes.length }
}
