import { Alert, Text } from '@mantine/core'
import type { Watches } from '../../api/watches.ts'
import { TextLink } from '../../components/links.tsx'
import { NO_MAILS } from './watch-texts.ts'

type Props = { mails: Watches['mails']; isConfirmed: boolean }

/** Says why no mail arrives: because of the service, or of the account. */
export function NoMails({ mails, isConfirmed }: Props) {
  if (mails !== 'yes')
    return (
      <Alert color="yellow" title="Mails cannot be sent" maw={720}>
        <Text size="sm">{NO_MAILS[mails]}</Text>
      </Alert>
    )
  if (isConfirmed) return null
  return (
    <Alert color="yellow" title="Your address is not confirmed" maw={720}>
      <Text size="sm">
        Changes are mailed to confirmed addresses only. <TextLink to="/account">Your account page</TextLink> sends the
        link.
      </Text>
    </Alert>
  )
}
