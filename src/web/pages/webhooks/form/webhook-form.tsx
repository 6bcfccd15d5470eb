import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { choicesQuery, type Webhook, type WebhookBody } from '../../../api/webhooks.ts'
import { Failure } from '../../../components/failure.tsx'
import { NameField } from '../../../components/fields.tsx'
import { dropDraft, useDraft, useKeptDraft } from '../../../components/use-draft.ts'
import { useSubmit } from '../../../components/use-submit.ts'
import { bodyOf, inputOf, NEW_WEBHOOK, valuesOf, type WebhookValues } from './form-values.ts'
import { Preview } from './preview.tsx'
import { SubscriptionFields } from './subscription-fields.tsx'

const MAX_NAME = 80

type Props<Result> = {
  /** What the draft is kept under. */
  draft: string
  webhook?: Webhook
  /** What a link has filled in: a page's Watch button. */
  given?: Partial<WebhookValues>
  save: (body: WebhookBody) => Promise<Result>
  onSaved: (result: Result) => void
  button: string
}

/** Creates and edits a webhook. What is typed is kept in this tab until it is saved. */
export function WebhookForm<Result>({ draft, webhook, given, save, onSaved, button }: Props<Result>) {
  const { data: choices } = useSuspenseQuery(choicesQuery)
  const kept = useKeptDraft<WebhookValues>(draft)
  const saved = webhook ? valuesOf(webhook) : NEW_WEBHOOK
  const form = useForm<WebhookValues>({ initialValues: kept ?? { ...saved, ...given } })
  const isChanged = JSON.stringify(form.values) !== JSON.stringify(saved)
  useDraft(draft, form.values, isChanged)
  const { onSubmit, isPending, failure } = useSubmit(
    form,
    (values) => save(bodyOf(values)),
    (result) => {
      dropDraft(draft)
      onSaved(result)
    },
    inputOf,
  )
  const discard = () => {
    dropDraft(draft)
    form.setValues(saved)
    form.clearErrors()
  }
  const names = new Map<string, string>([
    ...choices.providers.map(({ provider, name }) => [provider, name] as const),
    ...choices.groups.map(({ id, name }) => [id, name] as const),
    ...(webhook?.aliases ?? []).map(({ id, name }) => [id, name] as const),
  ])
  const nameOf = (id: string): string => names.get(id) ?? id
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="lg" maw={720}>
        {kept && isChanged && (
          <Text size="sm" c="dimmed" role="status">
            What you typed before is still here.
          </Text>
        )}
        <NameField
          description={`For people, for example: prices to the billing team. ${[...form.values.name].length} of ${MAX_NAME} characters.`}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="URL"
          description="An https:// address of yours that takes POST requests. It answers with 2xx within 5 seconds."
          placeholder="https://example.com/hooks/prices"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          required
          {...form.getInputProps('url')}
        />
        <SubscriptionFields
          form={form}
          choices={choices}
          nameOf={nameOf}
          deleted={(webhook?.aliases ?? []).filter((group) => group.deleted)}
        />
        <Preview values={form.values} nameOf={nameOf} />
        {failure && <Failure error={failure} />}
        <Group>
          <Button type="submit" loading={isPending} disabled={webhook !== undefined && !isChanged}>
            {button}
          </Button>
          {isChanged && (
            <Button variant="subtle" color="gray" onClick={discard}>
              Discard changes
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
