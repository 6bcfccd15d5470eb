import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type DeliveryFilter, deliveriesQuery, resendFailed, type Webhook } from '../../api/webhooks.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { clockTime, roundAfter } from '../delivery/next-round.ts'
import { resendRefusal } from '../delivery/use-resend.ts'

type Props = { webhook: Webhook; filter: DeliveryFilter; matching: number; more: boolean }

/** Resends all failed deliveries among those that the log is narrowed to. */
export function ResendFailed({ webhook, filter }: Pick<Props, 'webhook' | 'filter'>) {
  const { status = 'failed' } = filter
  const failed = useQuery({
    ...deliveriesQuery(webhook.id, { ...filter, status }),
    enabled: status === 'failed' || status === 'notSent',
  })
  if (!failed.data || failed.data.matching === 0 || failed.isPlaceholderData) return null
  const { matching, more } = failed.data
  return <Resend webhook={webhook} filter={{ ...filter, status }} matching={matching} more={more} />
}

function Resend({ webhook, filter, matching, more }: Props) {
  const refusal = resendRefusal(webhook)
  const what = filter.status === 'notSent' ? 'unsent' : 'failed'
  const count = `${more ? 'the newest ' : ''}${matching.toLocaleString('en')} ${what} ${matching === 1 ? 'delivery' : 'deliveries'}`
  const ask = useConfirmed({
    title: `Resend ${count}?`,
    text: `Each event goes out again with the same id and body, newly signed, with all six attempts. The next delivery run starts at ${clockTime(roundAfter(0, Date.now()))}.${more ? ' Repeat this for the rest.' : ''}`,
    isHarmless: true,
    button: 'Resend',
    run: async () => {
      const { resent } = await resendFailed(webhook.id, filter)
      notifications.show({
        message: `${resent.toLocaleString('en')} ${resent === 1 ? 'delivery goes' : 'deliveries go'} out in the next delivery run.`,
      })
    },
  })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={14} aria-hidden />}
      onClick={ask}
      disabled={refusal !== undefined}
      title={refusal}
    >
      Resend {count}
    </Button>
  )
}
