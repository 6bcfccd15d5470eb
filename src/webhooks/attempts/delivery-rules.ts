import { DAY } from '../../lib/instant.ts'

/** Specification, Limits. */
export const LOG_LENGTH = 50
export const LOG_KEPT_MS = 30 * DAY
export const MAX_RESENT_AT_ONCE = 1_000

/** Type of the event a test delivery carries. Its failures never count toward pausing; its success ends a streak. */
export const TEST_EVENT = 'webhook.test'
export const NOT_SENT_WHILE_PAUSED = 'Not sent because the webhook is paused.'
export const UNKNOWN_OUTCOME =
  'The outcome is unknown: the sender stopped during the attempt, so the endpoint may have received it.'

/**
 * The exact text a delivery sends, the same forever: the event's stored body, with the `alias` member added at its end
 * when an alias group is why it is sent.
 * @param alias the member's value as JSON text
 */
export function bodyOf(eventBody: string, alias: string | undefined): string {
  if (alias === undefined) return eventBody
  return `${eventBody.slice(0, eventBody.lastIndexOf('}'))},"alias":${alias}}`
}

/** The event of a test: all tests of one webhook in one minute share its id (specification, Body of a test event). */
export function testEvent(webhookId: string, at: string): { id: string; type: string; body: string } {
  const id = `test_${webhookId}_${Math.floor(Date.parse(at) / 60_000)}`
  const message = 'This is a test event. Your endpoint is connected.'
  const body = JSON.stringify({
    version: 'webhook-test.v1', type: TEST_EVENT, id, createdAt: at, test: true, message,
  }) // biome-ignore format: the order of the specification's table
  return { id, type: TEST_EVENT, body }
}
