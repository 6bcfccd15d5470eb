import { Autocomplete, Button, Group, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { providersQuery } from '../../../api/operator.ts'
import { resourcesQuery } from '../../../api/webhooks.ts'
import { useFirstField } from '../../../components/hooks/use-first-field.ts'

type ResourceChoice = { provider: string; resource: string }
type Props = { chosen: ResourceChoice; onChoose: (chosen: ResourceChoice) => void }

const TYPING_MS = 200
const MOST_SUGGESTED = 20

/** Chooses one resource of one provider, with suggestions from the catalogue. A retired name can be typed too. */
export function ResourceForm({ chosen, onChoose }: Props) {
  const firstField = useFirstField()
  const [provider, setProvider] = useState(chosen.provider || null)
  const [resource, setResource] = useState(chosen.resource)
  const [search] = useDebouncedValue(resource, TYPING_MS)
  const { data: catalogue } = useQuery(providersQuery)
  const { data: found } = useQuery(resourcesQuery(search, provider ? [provider] : undefined))
  const names = [...new Set(found?.resources.map((one) => one.resource))]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (provider && resource.trim()) onChoose({ provider, resource: resource.trim() })
  }
  return (
    <form ref={chosen.resource ? undefined : firstField} onSubmit={submit}>
      <Group align="flex-end">
        <Select
          label="Provider"
          placeholder="OpenAI"
          searchable
          openOnFocus={false}
          required
          data={(catalogue?.providers ?? []).map(({ provider: value, name: label }) => ({ value, label }))}
          value={provider}
          onChange={setProvider}
        />
        <Autocomplete
          label="Resource"
          placeholder="gpt-5"
          required
          flex="1 1 220px"
          limit={MOST_SUGGESTED}
          data={names}
          value={resource}
          onChange={setResource}
        />
        <Button type="submit" variant="default">
          Show
        </Button>
      </Group>
    </form>
  )
}
