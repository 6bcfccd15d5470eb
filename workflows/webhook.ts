import { proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { WebhookChange } from '../src/webhooks/workflow-schema.ts'
import { webhookSignals } from './contract.ts'

const { passOn } = proxyActivities<Activities>({ startToCloseTimeout: '10m', heartbeatTimeout: '30s' })

const WORDS: Record<WebhookChange, string> = {
  pause: 'paused: deliveries due from now on are not sent',
  resume: 'resumed',
  resumeAndResend: 'resumed; what was not sent while paused goes out with the next round',
  urlChanged: 'has another address; its failures in a row are counted anew',
  deleted: 'deleted with its log and its pending deliveries',
}

/**
 * What happened to one webhook, passed on to those of its deliveries whose workflows wait. Every change is committed
 * in Postgres before it is told here. Completes when all is passed on; the next change starts it again.
 */
export async function webhook({ webhookId }: { webhookId: string }): Promise<{ passedOn: number; changes: number }> {
  const story: string[] = []
  let unread = 0
  for (const { change, signal } of webhookSignals) {
    setHandler(signal, () => {
      story.push(`- ${new Date().toISOString()}: ${WORDS[change]}`)
      unread++
    })
  }
  let passedOn = 0
  while (unread > 0) {
    unread = 0
    setCurrentDetails(`${story.join('\n')}\n\nPassing this on to waiting deliveries.`)
    passedOn += await passOn(webhookId)
  }
  setCurrentDetails(`${story.join('\n')}\n\nPassed on to ${passedOn} waiting deliveries.`)
  return { passedOn, changes: story.length }
}
