import type { Context } from '../src/context.ts'
import { createSafeFetch } from '../src/lib/safe-fetch/safe-fetch.ts'
import { createWorkRecorder } from '../src/monitoring/record-work.ts'
import { collectStarter } from '../src/temporal/collect-starter.ts'
import { createDeliveryWorkflows, type Queues } from '../src/webhooks/rounds/delivery-workflows.ts'
import { accuracyActivities } from './accuracy.ts'
import { collectActivities } from './collect.ts'
import { deliveryActivities } from './deliveries.ts'
import { fanOutActivities } from './fan-out.ts'
import { logActivities } from './log.ts'
import { mailActivities } from './mail.ts'
import { monitoringActivities } from './monitoring.ts'
import { operatorActivities } from './notify-operators.ts'
import { retentionActivities } from './retention.ts'
import { webhookActivities } from './webhook.ts'

/** Everything workflows may do to the world. */
export function createActivities(ctx: Context, queues: Queues) {
  const { allowPrivateEndpoints: allowPrivate, dnsServers, egress } = ctx.config
  const { get, post } = createSafeFetch({ allowPrivate, dnsServers, ...egress })
  const workflows = createDeliveryWorkflows(ctx.temporal, queues)
  const record = createWorkRecorder(ctx)
  return {
    ...collectActivities(ctx, { get, startCollecting: collectStarter(ctx.temporal, queues), record }),
    ...fanOutActivities(ctx, { record }),
    ...deliveryActivities(ctx, { post, workflows, record }),
    ...webhookActivities(ctx, { workflows }),
    ...retentionActivities(ctx),
    ...accuracyActivities(ctx),
    ...operatorActivities(ctx, { post }),
    ...mailActivities(ctx),
    ...logActivities(ctx),
    ...monitoringActivities(ctx, { record }),
  }
}

export type Activities = ReturnType<typeof createActivities>
