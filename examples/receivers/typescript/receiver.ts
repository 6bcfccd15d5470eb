// A receiver on node:http. npm install standardwebhooks
// WEBHOOK_SECRET=whsec_… PORT=3000 node --import tsx receiver.ts
import { createServer } from 'node:http'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

// During a rotation, put both secrets here, separated by a space, and remove the old one a day later.
const verifiers = (process.env.WEBHOOK_SECRET ?? '').split(' ').map((secret) => new Webhook(secret))
// A table with a unique key on the id, in a real service: this set forgets everything at a restart.
const processed = new Set<string>()

type Event = { type: string; id: string }

function verify(body: Buffer, headers: Record<string, string>): Event {
  for (const [at, webhook] of verifiers.entries()) {
    try {
      return webhook.verify(body, headers) as Event
    } catch (error) {
      if (at === verifiers.length - 1) throw error
    }
  }
  throw new Error('WEBHOOK_SECRET is empty')
}

// Put the event on your own queue here and return: the answer must be sent within 5 seconds.
async function accept(event: Event) {
  console.log(event.type, event.id)
}

createServer(async (request, response) => {
  try {
    // The signature covers the bytes as they came: read them before anything parses them.
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const event = verify(Buffer.concat(chunks), request.headers as Record<string, string>)
    if (!processed.has(event.id)) {
      await accept(event)
      processed.add(event.id) // only now: had it failed, the retry has to find the id unknown
    }
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  }
}).listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
