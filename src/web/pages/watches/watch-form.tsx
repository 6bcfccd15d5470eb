import { Button, Group, Select, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { createWatch, editWatch, type Frequency, type Watch } from '../../api/watches.ts'
import { SmallestChange } from '../../components/forms/smallest-change.tsx'
import { useFirstField } from '../../components/hooks/use-first-field.ts'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'
import { FREQUENCIES, frequencyText } from './watch-texts.ts'

type Props = {
  about: { provider?: string; resource?: string; document?: string; group?: string }
  existing: Watch | undefined
  canMail: boolean
}

/** How often a watch is mailed, and from which change on. */
export function WatchForm({ about, existing, canMail }: Props) {
  const navigate = useNavigate()
  const firstField = useFirstField()
  const form = useForm({
    initialValues: { frequency: existing?.frequency ?? ('at_once' as Frequency), minChange: existing?.minChange ?? 0 },
  })
  const save = (values: typeof form.values) =>
    existing ? editWatch(existing.watchId, { ...values, paused: false }) : createWatch({ ...about, ...values })
  const { onSubmit, isPending, failure } = useSubmit(form, save, async ({ watch }) => {
    notifications.show({ message: `Saved. Changes are mailed: ${frequencyText(watch.frequency).toLowerCase()}.` })
    await navigate({ to: '/account/watches' })
  })
  return (
    <form ref={firstField} onSubmit={onSubmit}>
      <Stack maw={560} gap="lg">
        <Select
          label="How often"
          description={FREQUENCIES.find(({ value }) => value === form.values.frequency)!.description}
          data={FREQUENCIES}
          allowDeselect={false}
          {...form.getInputProps('frequency')}
        />
        {about.document === undefined && (
          <SmallestChange
            description="Smaller price changes are not mailed. A price that begins or ends always is."
            {...form.getInputProps('minChange')}
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
