import {
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { WebhookChange, WebhookInput } from '../src/webhooks/workflow-schema.ts'
import { webhookSignals } from './contract.ts'
import { plural } from './plural.ts'

const { passOn } = proxyActivities<Activities>({ startToCloseTimeout: '10m', heartbeatTimeout: '30s' })

const SENTENCES: Record<WebhookChange, string> = {
  pause: 'paused: deliveries due from now on are not sent',
  resume: 'resumed',
  resumeAndResend: 'resumed; what was not sent while paused goes out with the next round',
  urlChanged: 'has another URL; its count of failures in a row starts again',
  deleted: 'deleted with its log and its pending deliveries',
}

/** Of more changes the details show the newest. */
const SHOWN = 20

/**
 * Passes on what was done to one webhook to those of its deliveries whose workflows wait. Every change is committed in
 * Postgres before its signal comes. Completes when all is passed on; the next change starts it again. Changes that go on
 * and on are passed on by one run after the other, so that no history grows without bound.
 */
export async function webhook({ webhookId, before }: WebhookInput): Promise<{ passedOn: number; changes: number }> {
  let { passedOn, changes, newest } = before ?? { passedOn: 0, changes: 0, newest: [] }
  // The run before ended with changes that it had not passed on.
  let unread = before !== undefined
  for (const { change, signal } of webhookSignals) {
    setHandler(signal, () => {
      newest = [...newest, `- ${new Date().toISOString()}: ${SENTENCES[change]}`].slice(-SHOWN)
      changes++
      unread = true
    })
  }
  const details = (end: string) => {
    const earlier = changes > newest.length ? `${plural(changes - newest.length, 'change')} before these:\n\n` : ''
    setCurrentDetails(`${earlier}${newest.join('\n')}\n\n${end}`)
  }
  while (unread) {
    if (workflowInfo().continueAsNewSuggested && patched('webhook-continues-as-new'))
      await continueAsNew<typeof webhook>({ webhookId, before: { passedOn, changes, newest } })
    unread = false
    details('Passing this on to waiting deliveries.')
    passedOn += await passOn(webhookId)
  }
  details(`Passed on to ${plural(passedOn, 'waiting delivery', 'waiting deliveries')}.`)
  return { passedOn, changes }
}
