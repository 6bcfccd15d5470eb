import type { Command } from 'commander'
import { listFailingWebhooks } from '../../webhooks/log/list-failing-webhooks.ts'
import { type OutputOptions, print, table } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

/** Adds `webhook failing`: from an alert to the webhook, a delivery of it and the reason. */
export function failingCommand(parent: Command): void {
  parent
    .command('failing')
    .description(
      'webhooks of all workspaces that fail or are paused, each with its last failed delivery and the reason',
    )
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const webhooks = await listFailingWebhooks(sql)
        const rows = webhooks.map(({ id, name, workspace, state, failuresInRow, deliveryId, reason, pausedReason }) => [
          id,
          `${name} (${workspace})`,
          state,
          String(failuresInRow),
          deliveryId ?? '',
          reason ?? pausedReason ?? '',
        ])
        const text = table(['ID', 'WEBHOOK', 'STATE', 'FAILURES', 'LAST DELIVERY', 'REASON'], rows)
        print(options, { webhooks }, webhooks.length === 0 ? 'No webhook fails or is paused.' : text)
      }),
    )
}
