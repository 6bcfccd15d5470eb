import { Command } from 'commander'
import { listDeliveries } from '../../webhooks/log/list-deliveries.ts'
import { findWebhook, findWebhookOfDelivery } from '../../webhooks/manage/find-webhook.ts'
import { resendDelivery } from '../../webhooks/resend/resend-delivery.ts'
import { type OutputOptions, print, table } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

export function deliveryCommand(): Command {
  const delivery = new Command('delivery').description('deliveries of a webhook')
  delivery
    .command('list')
    .description('the newest 50 deliveries of a webhook, with their attempts')
    .argument('<webhook>', 'its id')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const deliveries = await listDeliveries(sql, await findWebhook(sql, id))
        const rows = deliveries.map((item) => [
          item.id,
          item.eventType,
          item.status,
          String(item.attempts.length),
          item.nextTryAt ?? '',
          item.error ?? '',
        ])
        print(options, { deliveries }, table(['ID', 'EVENT', 'STATUS', 'ATTEMPTS', 'NEXT TRY', 'ERROR'], rows))
      }),
    )
  delivery
    .command('resend')
    .description('start a delivery again with all six attempts')
    .argument('<delivery>', 'its id')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const webhook = await findWebhookOfDelivery(sql, id)
        await resendDelivery({ sql }, webhook, id)
        print(
          options,
          { id, webhook: webhook.id, status: 'pending' },
          'It goes out with the next check: npx pricetape check',
        )
      }),
    )
  return delivery
}
