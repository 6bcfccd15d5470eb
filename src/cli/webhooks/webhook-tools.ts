import type { Command } from 'commander'
import { createSafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'
import { findWebhook } from '../../webhooks/manage/find-webhook.ts'
import { NOTIFY_WITHIN_MS } from '../../webhooks/manage/notify-webhook.ts'
import type { Operator } from '../../webhooks/manage/operator.ts'
import type { WebhookRef } from '../../webhooks/schema.ts'
import { checkWebhookUrl } from '../../webhooks/subscriptions/check-webhook-url.ts'
import type { WebhookTools } from '../../webhooks/subscriptions/resolve-subscription.ts'
import { type OutputOptions, print } from '../output.ts'
import { type CommandContext, withInstallation } from '../with-installation.ts'

/** What saving a webhook needs; `close` lets the sockets go. */
export function toolsOf({ config, secretKey }: CommandContext): { tools: WebhookTools; close: () => Promise<void> } {
  const { allowPrivateEndpoints: allowPrivate, dnsServers } = config
  const { resolve, close } = createSafeFetch({ allowPrivate, dnsServers })
  return { tools: { secretKey, checkUrl: (url) => checkWebhookUrl(url, { allowPrivate, resolve }) }, close }
}

/** Reaches Temporal once a change is made: the Temporal client loads slowly, and commands work while Temporal is away. */
const operatorOf = ({ sql, temporal }: CommandContext): Operator => ({
  sql,
  workflows: {
    notifyWebhook: async (webhook, change) => {
      const { createDeliveryWorkflows } = await import('../../webhooks/rounds/delivery-workflows.ts')
      const client = await temporal(NOTIFY_WITHIN_MS)
      const { notifyWebhook } = createDeliveryWorkflows(client)
      await client.withDeadline(Date.now() + NOTIFY_WITHIN_MS, () => notifyWebhook(webhook, change))
    },
  },
})

export type EditOptions = {
  name?: string
  url?: string
  providers?: string
  events?: string
  aliases?: string
  filters?: string
  minSignificance?: string
  minChange?: string
}
type Options = OutputOptions & EditOptions & { resend?: boolean }
type Task = { context: CommandContext; operator: Operator; ref: WebhookRef; options: Options }

/** Adds a command that acts on one webhook, whichever workspace it belongs to. */
export function onWebhook(
  parent: Command,
  name: string,
  description: string,
  work: (task: Task) => Promise<[value: unknown, text: string]>,
  ...more: [flags: string, description?: string][]
): void {
  const command = parent
    .command(name)
    .description(description)
    .argument('<webhook>', 'its id')
    .option('--json', 'print JSON')
  for (const option of more) command.option(...option)
  command.action((id: string, options: Options) =>
    withInstallation(async (context) => {
      const ref = await findWebhook(context.sql, id)
      print(options, ...(await work({ context, operator: operatorOf(context), ref, options })))
    }),
  )
}
