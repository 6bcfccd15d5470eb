import { z } from 'zod'
import { EVENT_BODIES } from '../../events/payloads/bodies.ts'
import { exampleEvent } from '../../events/payloads/examples.ts'
import { EVENT_TYPES, type EventType } from '../../events/schema.ts'

/** What each event means (specification, Event types). */
const MEANINGS: Record<EventType, string> = {
  'price.changed': 'A published price of a resource changed',
  'resource.added': 'A resource was priced for the first time',
  'tos.changed': 'A legal document published by a provider changed',
  'price.revised': 'A price kept its value but another money field changed',
  'price.corrected': 'A published price was withdrawn as wrong, or a withdrawn price was restored',
  'resource.removed': "A resource's price lines were removed",
  'resource.renamed': 'A provider renamed a resource; history continues under the new name',
  'provider.added': 'A provider became available for the first time',
  'alias.member_added': "A provider's resource joined an alias group",
  'alias.member_removed': 'A resource left an alias group, or the group was deleted',
  'price.announced': 'A provider announced a price for a day to come, or changed or withdrew that',
}

/** The body of a test event (specification, Body of a test event). */
const webhookTest = z.object({
  version: z.literal('webhook-test.v1'),
  type: z.literal('webhook.test'),
  id: z
    .string()
    .regex(/^test_[0-9a-f-]{36}_\d+$/)
    .meta({ description: 'tests of one webhook within a minute share it' }),
  createdAt: z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 UTC with milliseconds' }),
  test: z.literal(true),
  message: z.string(),
})

const HEADERS: Record<string, string> = {
  'webhook-id': 'The event id; the same on every retry and resend. Deduplicate by it.',
  'webhook-timestamp': 'Unix seconds when this attempt was signed.',
  'webhook-signature': '`v1,<base64 HMAC-SHA256>`; several, separated by spaces, while two secrets sign.',
}

const ANSWERS = {
  '2XX': { description: 'Received: answered within 5 seconds.' },
  default: { description: 'Anything else, a redirect or a late answer is a failed attempt and is retried.' },
}

/** The `webhooks` section of the OpenAPI document: each event as the POST that your endpoint receives. */
export function webhooksSection() {
  const parameters = Object.entries(HEADERS).map(([name, description]) => ({
    name,
    in: 'header' as const,
    required: true,
    description,
    schema: { type: 'string' as const },
  }))
  const events = EVENT_TYPES.map((type) => ({
    type: type as string,
    summary: MEANINGS[type],
    body: EVENT_BODIES[type],
    example: exampleEvent(type) as object | undefined,
  }))
  const test = { type: 'webhook.test', summary: 'A test delivery was requested in the app', body: webhookTest }
  const webhooks = [...events, { ...test, example: undefined }].map(({ type, summary, body, example }) => {
    const { $schema, ...schema } = z.toJSONSchema(body, { io: 'input' })
    const post = {
      summary,
      operationId: `receive-${type.replace(/[._]/g, '-')}`,
      tags: ['Webhooks'],
      description: 'Verify the Standard Webhooks signature over the raw body before you trust anything in it.',
      parameters,
      requestBody: { required: true, content: { 'application/json': { schema, ...(example && { example }) } } },
      responses: ANSWERS,
      security: [],
    }
    return [type, { post }]
  })
  return { webhooks: Object.fromEntries(webhooks) }
}
