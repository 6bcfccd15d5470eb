import { Alert, Button, Card, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { renameAccount, requestVerification } from '../../api/account.ts'
import { identitiesQuery } from '../../api/identities.ts'
import { NameField, SubmitRow } from '../../components/forms/fields.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { ButtonLink } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { Failure } from '../../components/states/failure.tsx'
import { LINK_HOURS } from '../../limits.ts'
import { DeleteAccount } from './delete-account.tsx'
import { EmailChange } from './email-change.tsx'
import { Identities } from './identities-card.tsx'
import { Passkeys } from './passkeys-card.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** Name, address, password, identity provider, codes, passkeys and sessions. */
export function AccountPage() {
  const { account } = useWorkspace()
  const isProviderOnly = useQuery(identitiesQuery).data?.provider?.only ?? false
  return (
    <Page title="Account" about={account.email} actions={<WatchesLink />}>
      {account.emailVerifiedAt === null && <NotVerified email={account.email} />}
      <Card withBorder maw={560}>
        <NameForm name={account.name} />
      </Card>
      <Card withBorder maw={560}>
        <EmailChange />
      </Card>
      {!isProviderOnly && (
        <Card withBorder maw={560}>
          <PasswordForm email={account.email} />
        </Card>
      )}
      <Identities />
      <SecondFactor />
      <Passkeys />
      <Sessions />
      <Card withBorder maw={560}>
        <DeleteAccount />
      </Card>
    </Page>
  )
}

const WatchesLink = () => (
  <ButtonLink to="/account/watches" variant="default">
    What you watch
  </ButtonLink>
)

function NotVerified({ email }: { email: string }) {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: requestVerification })
  return (
    <Alert color="yellow" title="Your address is not confirmed" maw={560}>
      <Stack gap="xs" align="flex-start">
        {error && <Failure error={error} />}
        <Text size="sm">
          {isSuccess
            ? `If we can send mail to ${email}, a link is on its way. It works for ${LINK_HOURS} hours. If this service has no mail server, its operator finds the link in the terminal.`
            : 'If you forget your password, the link for a new one goes to this address. Confirm that mail reaches you.'}
        </Text>
        <Button size="xs" variant="default" onClick={() => mutate()} loading={isPending}>
          Send {isSuccess ? 'another' : 'a'} link
        </Button>
      </Stack>
    </Alert>
  )
}

function NameForm({ name }: { name: string }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name } })
  const { onSubmit, isPending, failure } = useSubmit(form, renameAccount, () => {
    notifications.show({ message: 'Name saved.' })
  })
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Title order={2} size="h4">
          Name
        </Title>
        {failure && <Failure error={failure} />}
        <NameField label="Your name" autoComplete="name" key={form.key('name')} {...form.getInputProps('name')} />
        <SubmitRow label="Save" variant="default" isPending={isPending} />
      </Stack>
    </form>
  )
}
