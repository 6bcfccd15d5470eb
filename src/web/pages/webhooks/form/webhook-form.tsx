import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { choicesQuery, type Webhook, type WebhookBody } from '../../../api/webhooks.ts'
import { NameField } from '../../../components/forms/fields.tsx'
import { useFirstField } from '../../../components/hooks/use-first-field.ts'
import { useSubmit } from '../../../components/hooks/use-submit.ts'
import { Failure } from '../../../components/states/failure.tsx'
import { MAX_NAME_CHARACTERS } from '../../../limits.ts'
import { listed } from './event-words.ts'
import { bodyOf, inputOf, type WebhookValues } from './form-values.ts'
import { Preview } from './preview.tsx'
import { SubscriptionFields } from './subscription-fields.tsx'
import { useWebhookValues } from './use-webhook-values.ts'

const RULES = 'An https:// URL with a public host name. It must accept POST and return 2xx within 5 seconds.'
const PRIVATE_RULES =
  'A URL that accepts POST and returns 2xx within 5 seconds. Here it may also be http:// and on this machine, because PRICETAPE_ALLOW_PRIVATE_ENDPOINTS is set.'
/** Where the app itself is opened on one's own machine, receivers often are there too. */
const isOwnMachine = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)

function urlRules(allowsPrivate: boolean): string {
  if (allowsPrivate) return PRIVATE_RULES
  return isOwnMachine
    ? `${RULES} For a receiver on this machine, start Pricetape with PRICETAPE_ALLOW_PRIVATE_ENDPOINTS=true.`
    : RULES
}

type Props<Result> = {
  /** What the draft is kept under. */
  draft: string
  webhook?: Webhook
  /** What a link has filled in: a page's Watch button. */
  given?: Partial<WebhookValues>
  save: (body: WebhookBody, ifUpdatedAt: string | undefined) => Promise<Result>
  onSaved: (result: Result) => void
  button: string
}

/** Creates and edits a webhook. What is typed is kept in this tab until it is saved. */
export function WebhookForm<Result extends { webhook: Webhook }>(props: Props<Result>) {
  const { draft, webhook, given, save, onSaved, button } = props
  const firstField = useFirstField()
  const { data: choices } = useSuspenseQuery(choicesQuery)
  const { form, isChanged, isKept, changedElsewhere, updatedAt, done, discard } = useWebhookValues(
    draft,
    webhook,
    given,
  )
  const { onSubmit, isPending, failure, refused } = useSubmit(
    form,
    async (values) => ({ sent: values, result: await save(bodyOf(values), updatedAt) }),
    ({ sent, result }) => {
      done(sent, result.webhook)
      onSaved(result)
    },
    inputOf,
  )
  const names = new Map<string, string>([
    ...choices.providers.map(({ provider, name }) => [provider, name] as const),
    ...choices.groups.map(({ id, name }) => [id, name] as const),
    ...(webhook?.aliases ?? []).map(({ id, name }) => [id, name] as const),
  ])
  const nameOf = (id: string): string => names.get(id) ?? id
  return (
    <form ref={webhook ? undefined : firstField} onSubmit={onSubmit} noValidate>
      <Stack gap="lg" maw={720}>
        {isKept && (
          <Text size="sm" c="dimmed" role="status">
            Your draft was restored.
          </Text>
        )}
        <ChangedElsewhere fields={changedElsewhere} isChanged={isChanged} />
        <NameField
          description={`For people, for example: prices to the billing team. ${[...form.values.name].length} of ${MAX_NAME_CHARACTERS} characters.`}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="URL"
          description={urlRules(choices.privateEndpoints)}
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
        {failure && <Failure title={webhook ? 'Webhook not saved' : 'Webhook not created'} error={failure} />}
        {refused && !isPending && (
          <Text size="sm" className="problem" role="alert">
            Not saved. {refused}
          </Text>
        )}
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

/** Says what someone else saved while the form was open. */
function ChangedElsewhere({ fields, isChanged }: { fields: string[]; isChanged: boolean }) {
  return (
    <div role="status" className="stays">
      {fields.length > 0 && (
        <Alert color="yellow" title={`Someone else changed this webhook: ${listed(fields)}`}>
          {isChanged
            ? 'What you typed is still here, and the rest is theirs. Save replaces theirs with yours; “Discard changes” takes theirs.'
            : 'The form shows what they saved.'}
        </Alert>
      )}
    </div>
  )
}
