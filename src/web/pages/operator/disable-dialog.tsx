import { Modal, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { type AccountOverview, accountsQuery, changeAccount } from '../../api/operator.ts'
import { SubmitRow } from '../../components/forms/fields.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'

type Props = { account: AccountOverview; onClose: () => void }

/** Disables an account, and names who becomes admin where it is the only admin. */
export function DisableDialog({ account: { accountId, name }, onClose }: Props) {
  const { data } = useQuery(accountsQuery)
  const others = (data?.accounts ?? []).filter((one) => one.accountId !== accountId && !one.disabledAt)
  const form = useForm({ mode: 'uncontrolled', initialValues: { successor: '' } })
  const { onSubmit, isPending, failure } = useSubmit(
    form,
    ({ successor }) => changeAccount(accountId, { disabled: true, ...(successor && { successor }) }),
    onClose,
  )
  return (
    <Modal opened onClose={onClose} title={`Disable ${name}?`}>
      <form onSubmit={onSubmit}>
        <Stack>
          {failure && <Failure title="Account not disabled" error={failure} />}
          <Text size="sm">
            {name} is signed out everywhere at once and cannot sign in. Open invitations that {name} sent end. Webhooks
            and API keys keep working. You can enable the account again.
          </Text>
          <Select
            label="Successor"
            description={`Becomes admin where ${name} is the only admin who can act. Needed where other members stay.`}
            placeholder="No one"
            clearable
            searchable
            data-autofocus
            openOnFocus={false}
            data={others.map((one) => ({ value: one.accountId, label: `${one.name} (${one.email})` }))}
            key={form.key('successor')}
            {...form.getInputProps('successor')}
          />
          <SubmitRow label="Disable" color="red" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
