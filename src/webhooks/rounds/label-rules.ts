import { withoutSecrets } from '../../lib/text/secret-forms-rules.ts'
import type { WorkflowName } from '../workflow-schema.ts'

/** A delivery with what its workflow is found by, for programs and for people. */
export type DeliveryLabel = WorkflowName & {
  webhookId: string
  webhookName: string
  workspaceName: string
  eventId: string
  provider?: string
  /** The resource or document that the event is about. */
  subject?: string
}

/** Temporal refuses a workflow whose summary takes more than 400 bytes as JSON. */
const MAX_SUMMARY_BYTES = 300
/** A memo travels with every listing of workflows. The longest name that people can give fits. */
const MAX_MEMO_BYTES = 400
/** What follows the host in an address that someone gave as a name is often a secret. */
const ADDRESS = /\b(https?:\/\/)(?:[^\s/?#@]*@)?([^\s/?#]+)[/?#]\S*/gi

/** One line for the Temporal list: `price.changed openai gpt-5 → Orders (Acme)`. */
export function summaryOf({ eventType, provider, subject, webhookName, workspaceName }: DeliveryLabel): string {
  const event = [eventType, provider, subject].filter(Boolean).join(' ')
  const names = `${shownName(webhookName)} (${shownName(workspaceName)})`
  return cut(`${cut(event, MAX_SUMMARY_BYTES / 2)} → ${names}`, MAX_SUMMARY_BYTES)
}

/** One line for the workflow that notifies the deliveries of a webhook. */
export const webhookSummaryOf = (webhookName: string): string =>
  cut(`${shownName(webhookName)}: passes its changes on to its deliveries`, MAX_SUMMARY_BYTES)

/** What an operator reads of a delivery in the Temporal UI, by name. Search needs none of it. */
export function memoOf({ webhookName, workspaceName, eventId, provider, subject }: DeliveryLabel) {
  const memo = {
    webhook: shownName(webhookName),
    workspace: shownName(workspaceName),
    event: eventId,
    provider,
    subject,
  }
  const given = Object.entries(memo).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return Object.fromEntries(given.map(([key, text]) => [key, cut(text, MAX_MEMO_BYTES)]))
}

/** Returns a name that someone typed without what looks like a secret: Temporal shows it to other people. */
const shownName = (name: string): string => withoutSecrets(name).replace(ADDRESS, '$1$2/…')

function cut(text: string, bytes: number): string {
  if (jsonBytes(text) <= bytes) return text
  let kept = ''
  for (const character of text) {
    if (jsonBytes(`${kept}${character}…`) > bytes) break
    kept += character
  }
  return `${kept}…`
}

const jsonBytes = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).length
