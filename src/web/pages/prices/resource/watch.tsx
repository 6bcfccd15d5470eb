import { IconBell, IconWebhook } from '@tabler/icons-react'
import { ButtonLink } from '../../../components/links.tsx'

type WatchTarget = { provider: string; resource?: string } | { provider: string; document: string } | { group: string }

/** Has changes mailed to a person, or sent to a server: both forms have this filled in. */
export const Watch = ({ of }: { of: WatchTarget }) => (
  <>
    <ButtonLink
      to="/account/watch"
      search={of as never}
      preload={false}
      leftSection={<IconBell size={16} aria-hidden />}
      aria-label="Watch by e-mail"
    >
      Watch
    </ButtonLink>
    <ButtonLink
      to="/webhooks/new"
      search={of as never}
      preload={false}
      variant="default"
      leftSection={<IconWebhook size={16} aria-hidden />}
      aria-label="Watch with a webhook"
    >
      Webhook
    </ButtonLink>
  </>
)
