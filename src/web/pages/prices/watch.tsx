import { IconBell } from '@tabler/icons-react'
import { ButtonLink } from '../../components/links.tsx'

type Watched = { provider: string; resource: string } | { provider: string; document: string } | { group: string }

/** Opens the form of a webhook with this filled in. */
export const Watch = ({ of }: { of: Watched }) => (
  <ButtonLink to="/webhooks/new" search={of as never} preload={false} leftSection={<IconBell size={16} aria-hidden />}>
    Watch
  </ButtonLink>
)
