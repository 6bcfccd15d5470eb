import { Button, Group, NumberInput, Select, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createWatch, editWatch, type Frequency, type Watch, watchesQuery } from '../../api/watches.ts'
import { Failure } from '../../components/failure.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { MAX_MIN_CHANGE } from '../../limits.ts'
import { FREQUENCIES, frequencyText } from './watch-texts.ts'

type Props = {
  about: { provider?: string; resource?: string; document?: string; group?: string }
  existing: Watch | undefined
  canMail: boolean
}

/** How often a watch is mailed, and from which change on. */
export function WatchForm({ about, existing, canMail }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { frequency: existing?.frequency ?? ('at_once' as Frequency), minChange: existing?.minChange ?? 0 },
  })
  const save = (values: typeof form.values) =>
    existing ? editWatch(existing.watchId, { ...values, paused: false }) : createWatch({ ...about, ...values })
  const { onSubmit, isPending, failure } = useSubmit(form, save, async ({ watch }) => {
    await queryClient.invalidateQueries(watchesQuery)
    notifications.show({ message: `Saved. Changes are mailed: ${frequencyText(watch.frequency).toLowerCase()}.` })
    await navigate({ to: '/account/watches' })
  })
  return (
    <form onSubmit={onSubmit}>
      <Stack maw={560} gap="lg">
        <Select
          label="How often"
          description={FREQUENCIES.find(({ value }) => value === form.values.frequency)!.description}
          data={FREQUENCIES}
          allowDeselect={false}
          data-first-field
          {...form.getInputProps('frequency')}
        />
        {about.document === undefined && (
          <NumberInput
            label="Smallest price change"
            description="Smaller price changes are not mailed. A price that begins or ends always is."
            suffix="%"
            min={0}
            max={MAX_MIN_CHANGE}
            decimalScale={2}
            allowNegative={false}
            {...form.getInputProps('minChange')}
            onChange={(typed) => form.setFieldValue('minChange', typed === '' ? 0 : Number(typed))}
          />
        )}
        {failure && <Failure title="Not saved" error={failure} />}
        <Group>
          <Button type="submit" loading={isPending} disabled={!canMail && existing === undefined}>
            {labelOf(existing)}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Saving a watch that is paused lets it go on. */
const labelOf = (existing: Watch | undefined): string =>
  existing === undefined ? 'Watch' : existing.pausedAt === null ? 'Save' : 'Save and resume'
