import { Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { HOW_TO_TYPE_A_PRICE, readablePrice, readableUnit, typedPrice } from '../../../../lib/text/price-text.ts'
import { correctPrice, type ResourceRow, restorePrice, withdrawPrice } from '../../../api/operator.ts'
import { SubmitRow } from '../../../components/forms/fields.tsx'
import { useSubmit } from '../../../components/hooks/use-submit.ts'
import { Failure } from '../../../components/states/failure.tsx'

export type Correction = { row: ResourceRow; action: 'correct' | 'withdraw' | 'restore' }
type Props = Correction & { of: { provider: string; resource: string }; onClose: () => void }

const TEXTS = {
  correct: {
    button: 'Correct',
    about:
      'The correct price is recorded now. The API returns it 15 minutes later. The source’s own price is ignored until the source publishes a different one.',
  },
  withdraw: {
    button: 'Withdraw',
    about: 'The previous price applies again, or none. The API shows this 15 minutes later. You can restore it.',
  },
  restore: {
    button: 'Restore',
    about: 'It applies again if its source still lists it. The API shows this 15 minutes later.',
  },
}

/** Corrects, withdraws or restores one row. What was typed stays when the service refuses it. */
export function CorrectionDialog({ row, action, of, onClose }: Props) {
  const { contentHash, dimension, price, unit } = row
  const { button, about } = TEXTS[action]
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { price: readablePrice(price, unit), reason: '' },
    validate: {
      price: (typed) => (action === 'correct' && typedPrice(typed, unit) === undefined ? HOW_TO_TYPE_A_PRICE : null),
    },
  })
  const { onSubmit, isPending, failure } = useSubmit(
    form,
    async ({ price: typed, reason }): Promise<unknown> => {
      if (action === 'correct') return correctPrice(contentHash, { price: typedPrice(typed, unit) ?? typed, reason })
      return action === 'withdraw' ? withdrawPrice(contentHash, { reason }) : restorePrice(contentHash, { reason })
    },
    () => {
      notifications.show({ title: 'Done', message: 'Subscribers receive price.corrected with the next check.' })
      onClose()
    },
  )
  return (
    <Modal opened onClose={onClose} title={`${button} the price of ${of.resource}`}>
      <form onSubmit={onSubmit}>
        <Stack>
          {failure && <Failure title="Price not changed" error={failure} />}
          <Text size="sm">
            {dimension.replaceAll('_', ' ')}: {readablePrice(price, unit)} {readableUnit(unit)}. {about}
          </Text>
          {action === 'correct' && (
            <TextInput
              label={`Correct price, ${readableUnit(unit)}`}
              required
              data-autofocus
              inputMode="decimal"
              key={form.key('price')}
              {...form.getInputProps('price')}
            />
          )}
          <Textarea
            label="Why"
            description="Subscribers see it in the event"
            maxLength={500}
            required
            autosize
            minRows={2}
            data-autofocus={action !== 'correct' || undefined}
            key={form.key('reason')}
            {...form.getInputProps('reason')}
          />
          <SubmitRow label={button} isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
