import type { Context } from '../src/context.ts'
import { createSafeFetch } from '../src/lib/safe-fetch.ts'
import { createMessenger, type Queues } from '../src/webhooks/messenger.ts'
import { deliveryActivities } from './deliveries.ts'
import { fanOutActivities } from './fan-out.ts'
import { retentionActivities } from './retention.ts'
import { webhookActivities } from './webhook.ts'

/** Everything workflows may do to the world. */
export function createActivities(ctx: Context, queues?: Queues) {
  const { allowPrivateEndpoints: allowPrivate, dnsServers } = ctx.config
  const { post } = createSafeFetch({ allowPrivate, dnsServers })
  const messenger = createMessenger(ctx.temporal, queues)
  return {
    ...fanOutActivities(ctx),
    ...deliveryActivities(ctx, { post, messenger }),
    ...webhookActivities(ctx, { messenger }),
    ...retentionActivities(ctx),
  }
}

export type Activities = ReturnType<typeof createActivities>
