import { Fieldset, MultiSelect, Radio, Select, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Choices } from '../../../api/webhooks.ts'
import { SmallestChange } from '../../../components/forms/smallest-change.tsx'
import { MAX_GROUPS } from '../../../limits.ts'
import { SIGNIFICANCES } from '../../documents/significance.tsx'
import { EventTypesField } from './event-types-field.tsx'
import type { WebhookValues } from './form-values.ts'
import { ResourcesField } from './resources-field.tsx'

type Props = {
  form: UseFormReturnType<WebhookValues>
  choices: Choices
  nameOf: (id: string) => string
  /** Groups of the webhook that were deleted since: they stay until they are taken out. */
  deleted: { id: string; name: string }[]
}

/** Which events a webhook receives: their types, and of what. */
export function SubscriptionFields({ form, choices, nameOf, deleted }: Props) {
  const { scope, providers } = form.values
  const options = choices.providers.map(({ provider, name }) => ({ value: provider, label: name }))
  const inCredits = choices.providers.filter(({ creditPriced }) => creditPriced)
  const covered = scope === 'named' ? providers : undefined
  return (
    <>
      <EventTypesField {...form.getInputProps('eventTypes')} />
      <Radio.Group label="Providers" {...form.getInputProps('scope')}>
        <Stack gap={6} mt="xs">
          <Radio value="every" label="All providers, including future ones" />
          <Radio value="named" label="Selected providers" />
        </Stack>
      </Radio.Group>
      {scope === 'named' && (
        <MultiSelect
          label="These providers"
          placeholder={providers.length === 0 ? 'Type a name' : undefined}
          searchable
          clearable
          hidePickedOptions
          required
          data={options}
          {...form.getInputProps('providers')}
        />
      )}
      {scope === 'every' && inCredits.length > 0 && (
        <MultiSelect
          label="Also these providers, whose prices are in credits"
          description="Every provider means every one with prices in money. Name the others to receive them too."
          searchable
          clearable
          hidePickedOptions
          data={inCredits.map(({ provider, name }) => ({ value: provider, label: name }))}
          {...form.getInputProps('providers')}
        />
      )}
      <FilterFields form={form} choices={choices} nameOf={nameOf} deleted={deleted} covered={covered} />
    </>
  )
}

/** What narrows them, among the providers that are covered: undefined means all. */
function FilterFields({ form, choices, nameOf, deleted, covered }: Props & { covered: string[] | undefined }) {
  const { aliases, eventTypes } = form.values
  const documents = choices.providers
    .filter(({ provider, documents: own }) => own.length > 0 && (covered?.includes(provider) ?? true))
    .map(({ provider, name, documents: own }) => ({
      group: name,
      items: own.map(({ document, title }) => ({ value: `${provider}/${document}`, label: `${title} · ${name}` })),
    }))
  const groups = [
    ...choices.groups.map(({ id, name, members }) => ({ value: id, label: `${name} (${members})` })),
    ...deleted.map(({ id, name }) => ({ value: id, label: `${name} (deleted)` })),
  ]
  return (
    <Fieldset legend="Filters">
      <Stack>
        <ResourcesField providers={covered} nameOf={nameOf} {...form.getInputProps('resources')} />
        {eventTypes.includes('tos.changed') && (
          <MultiSelect
            label="Only these documents"
            description="Leave empty to include everything."
            placeholder="Type part of a title"
            searchable
            clearable
            hidePickedOptions
            data={documents}
            nothingFoundMessage="No matching documents"
            {...form.getInputProps('documents')}
          />
        )}
        {eventTypes.includes('price.changed') && (
          <SmallestChange
            description="Smaller price changes are not sent. A price that begins or ends always is."
            {...form.getInputProps('minChange')}
          />
        )}
        {eventTypes.includes('tos.changed') && (
          <Select
            label="Significance of changed documents"
            description="How much a change matters, by fixed rules. Nothing is left out unless you choose so here."
            allowDeselect={false}
            data={SIGNIFICANCES}
            {...form.getInputProps('minSignificance')}
          />
        )}
        <MultiSelect
          label="Only these alias groups"
          description={`A group holds one model at several sellers. Leave empty to include everything. ${aliases.length} of ${MAX_GROUPS}.`}
          placeholder="Type part of a name"
          searchable
          clearable
          hidePickedOptions
          maxValues={MAX_GROUPS}
          limit={50}
          data={groups}
          nothingFoundMessage="No matching groups"
          {...form.getInputProps('aliases')}
        />
      </Stack>
    </Fieldset>
  )
}
