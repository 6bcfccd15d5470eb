import type { Command } from 'commander'
import { webhookPlace } from '../embedded/installation-store.ts'
import { OperatorError } from '../lib/errors.ts'
import { createSafeFetch } from '../lib/safe-fetch/safe-fetch.ts'
import type { Operator } from '../webhooks/manage/manage-webhook.ts'
import { createMessenger } from '../webhooks/rounds/delivery-workflows.ts'
import type { WebhookRef, WebhookTools } from '../webhooks/subscriptions/save-webhook.ts'
import { checkEndpointUrl } from '../webhooks/subscriptions/url-rules.ts'
import { type OutputOptions, print } from './output.ts'
import { onRunning, type Reached } from './with-installation.ts'

/** What saving a webhook needs; `close` lets the sockets go. */
export function toolsOf({ config, secretKey }: Reached): { tools: WebhookTools; close: () => Promise<void> } {
  const { allowPrivateEndpoints: allowPrivate, dnsServers } = config
  const { resolve, close } = createSafeFetch({ allowPrivate, dnsServers })
  return { tools: { secretKey, checkUrl: (url) => checkEndpointUrl(url, { allowPrivate, resolve }) }, close }
}

export const operatorOf = async ({ sql, temporal }: Reached): Promise<Operator> => ({
  sql,
  messenger: createMessenger(await temporal()),
})

export type EditOptions = {
  name?: string
  url?: string
  providers?: string
  events?: string
  aliases?: string
  filters?: string
}
type Options = OutputOptions & EditOptions & { resend?: boolean }
type Task = { reached: Reached; operator: Operator; ref: WebhookRef; options: Options }

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
    onRunning(async (reached) => {
      const ref = await webhookPlace(reached.sql, id)
      if (!ref) throw new OperatorError(`There is no webhook ${id}. See: npm run pricetape -- webhook list`)
      print(options, ...(await work({ reached, operator: await operatorOf(reached), ref, options })))
    }),
  )
}
