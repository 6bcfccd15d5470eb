import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resourcesQuery } from '../../../api/webhooks.ts'
import { MAX_FILTER_ENTRIES } from '../../../limits.ts'
import { splitChoice } from './form-values.ts'

const WAIT_MS = 200

type Props = Pick<MultiSelectProps, 'value' | 'onChange' | 'error'> & {
  /** Left out: every provider's. */
  providers?: string[]
  nameOf: (provider: string) => string
}

/** Models and machines by typing a part of their names: there are thousands, so the service searches. */
export function ResourcesField({ providers, nameOf, value = [], ...props }: Props) {
  const [search, setSearch] = useState('')
  const [sought] = useDebouncedValue(search.trim(), WAIT_MS)
  const { data, isFetching } = useQuery({ ...resourcesQuery(sought, providers), enabled: sought !== '' })
  const found = sought === '' ? [] : (data?.resources ?? []).map(({ provider, resource }) => `${provider}/${resource}`)
  const groups = new Map<string, { value: string; label: string }[]>()
  for (const choice of new Set([...value, ...found])) {
    const [provider, name] = splitChoice(choice)
    groups.set(provider, [...(groups.get(provider) ?? []), { value: choice, label: `${name} · ${nameOf(provider)}` }])
  }
  const most = Math.max(0, ...[...countBy(value).values()])
  return (
    <MultiSelect
      label="Only these models and machines"
      description={`Leave empty to include everything. At most ${MAX_FILTER_ENTRIES} of one provider${most > 0 ? `; ${most} chosen` : ''}.`}
      placeholder="Type part of a name"
      searchable
      clearable
      hidePickedOptions
      value={value}
      searchValue={search}
      onSearchChange={setSearch}
      data={[...groups].map(([provider, items]) => ({ group: nameOf(provider), items }))}
      filter={({ options }) => options}
      nothingFoundMessage={
        sought === '' ? 'Type part of a name' : isFetching ? 'Searching …' : 'No matching models or machines'
      }
      limit={100}
      {...props}
    />
  )
}

function countBy(choices: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [provider] of choices.map(splitChoice)) counts.set(provider, (counts.get(provider) ?? 0) + 1)
  return counts
}
