import { Command } from 'commander'
import { deliveryPlace, webhookPlace } from '../embedded/installation-store.ts'
import { OperatorError } from '../lib/errors.ts'
import { deliveryLog } from '../webhooks/manage/delivery-log-store.ts'
import { resendDelivery } from '../webhooks/manage/manage-webhook.ts'
import { type OutputOptions, print, table } from './output.ts'
import { operatorOf } from './webhook-tools.ts'
import { onRunning } from './with-installation.ts'

export function deliveryCommand(): Command {
  const delivery = new Command('delivery').description('deliveries of a webhook')
  delivery
    .command('list')
    .description('the newest 50 deliveries of a webhook, with their attempts')
    .argument('<webhook>', 'its id')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions) =>
      onRunning(async ({ sql }) => {
        const place = await webhookPlace(sql, id)
        if (!place) throw new OperatorError(`There is no webhook ${id}. See: npm run pricetape -- webhook list`)
        const deliveries = await deliveryLog(sql, place)
        const rows = deliveries.map((one) => [
          one.id,
          one.eventType,
          one.status,
          String(one.attempts.length),
          one.nextTryAt ?? '',
          one.error ?? '',
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
      onRunning(async (reached) => {
        const ref = await deliveryPlace(reached.sql, id)
        if (!ref) throw new OperatorError(`There is no delivery ${id}. It may be older than the log keeps.`)
        await resendDelivery(await operatorOf(reached), ref, id)
        print(
          options,
          { id, webhook: ref.id, status: 'pending' },
          'It goes out with the next check: npm run pricetape -- check',
        )
      }),
    )
  return delivery
}
