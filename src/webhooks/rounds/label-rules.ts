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

/** One line for the Temporal list: `price.changed openai gpt-5 → Orders (Acme)`. */
export function summaryOf({ eventType, provider, subject, webhookName, workspaceName }: DeliveryLabel): string {
  const event = [eventType, provider, subject].filter(Boolean).join(' ')
  return cut(`${cut(event, MAX_SUMMARY_BYTES / 2)} → ${webhookName} (${workspaceName})`, MAX_SUMMARY_BYTES)
}

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
