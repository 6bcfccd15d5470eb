import { notifications } from '@mantine/notifications'
import { resendDelivery, type Webhook } from '../../api/webhooks.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { clockTime, roundAfter } from './next-round.ts'

/** Asks whether a delivery is to be resent, and resends it. */
export function useResend(webhook: Webhook, deliveryId: string): () => void {
  return useConfirmed({
    title: 'Resend this delivery?',
    text: 'The same event and body go out in the next delivery run, newly signed, with all six attempts. Runs start every five minutes.',
    isHarmless: true,
    button: 'Resend',
    run: async () => {
      await resendDelivery(webhook.id, deliveryId)
      notifications.show({ message: `It goes out in the delivery run at ${clockTime(roundAfter(0, Date.now()))}.` })
    },
  })
}

/** Why nothing can be resent now. */
export const resendRefusal = ({ state }: Webhook): string | undefined =>
  state === 'paused' ? 'The webhook is paused: resume it first.' : undefined
