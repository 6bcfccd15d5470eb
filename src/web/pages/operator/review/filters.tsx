import { Button, Group, Switch, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import type { QueueCounts } from '../../../api/operator.ts'
import { FilterSelect } from '../../../components/forms/filter-select.tsx'
import { useChangeSearch } from '../../../components/hooks/use-change-search.ts'
import { useListSearch } from '../../../components/hooks/use-typed.ts'
import { text } from '../../../search.ts'
import { EVERY_PROVIDER, KIND_NAMES } from './kinds.ts'

const NAMES = ['kind', 'provider', 'source', 'reason', 'resource', 'olderThan', 'all'] as const
type FilterName = (typeof NAMES)[number]
type Filters = { [name in FilterName]?: string }

const AGES = [
  { value: '1h', label: '1 hour' },
  { value: '12h', label: '12 hours' },
  { value: '1d', label: '1 day' },
  { value: '3d', label: '3 days' },
  { value: '7d', label: '7 days' },
]

/** Returns the filters in the address, and what changes one there. */
export function useFilters() {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const change: (changed: Filters) => void = useChangeSearch()
  const filters: Filters = {}
  for (const name of NAMES) {
    // The address holds a switch that is on as true.
    const value = search[name] === true ? 'true' : text(search[name])
    if (value !== undefined) filters[name] = value
  }
  const clear = () => change(Object.fromEntries(NAMES.map((name) => [name, undefined])))
  return { filters, change, clear }
}

type Props = { counts?: QueueCounts } & ReturnType<typeof useFilters>

/** What of the queue is shown. The choices are what waits, the most frequent first. */
export function QueueFilters({ counts, filters, change, clear }: Props) {
  const [typed, type] = useListSearch('resource')
  const choices = (
    name: 'kind' | 'provider' | 'source' | 'reason',
    list: { value: string; count: number; name?: string }[] = [],
  ) => {
    const known = list.map(({ value, count, name: words = labelOf(name, value) }) => ({
      value,
      label: `${words} (${count})`,
    }))
    const chosen = filters[name]
    if (chosen === undefined || known.some(({ value }) => value === chosen)) return known
    return [...known, { value: chosen, label: `${labelOf(name, chosen)} (0)` }]
  }
  const select = (
    name: 'kind' | 'provider' | 'source' | 'reason',
    label: string,
    list?: QueueCounts['kinds'] | QueueCounts['reasons'],
  ) => (
    <FilterSelect
      label={label}
      any={label}
      size="xs"
      w={{ base: '47%', sm: 154 }}
      searchable
      data={choices(name, list)}
      value={filters[name]}
      onChange={(value) => change({ [name]: value })}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  )
  return (
    <Group gap="xs" role="search" aria-label="Filters">
      {select('kind', 'Kind', counts?.kinds)}
      {select('provider', 'Provider', counts?.providers)}
      {select('source', 'Source', counts?.sources)}
      {select('reason', 'Reason', counts?.reasons)}
      <TextInput
        aria-label="Resource, its exact name"
        placeholder="Resource"
        size="xs"
        w={{ base: '47%', sm: 154 }}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <FilterSelect
        label="Waiting longer than"
        any="Waiting for"
        size="xs"
        w={{ base: '47%', sm: 154 }}
        data={AGES}
        value={filters.olderThan}
        onChange={(olderThan) => change({ olderThan })}
        clearButtonProps={{ 'aria-label': 'Clear age' }}
      />
      <Switch
        size="xs"
        label="Include items that resolve themselves"
        checked={filters.all !== undefined}
        onChange={(event) => change({ all: event.currentTarget.checked ? 'true' : undefined })}
      />
      {Object.keys(filters).length > 0 && (
        <Button size="xs" variant="subtle" color="gray" leftSection={<IconX size={14} aria-hidden />} onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  )
}

function labelOf(name: string, value: string): string {
  if (name === 'kind' && value in KIND_NAMES) return KIND_NAMES[value as keyof typeof KIND_NAMES]
  return value === EVERY_PROVIDER ? 'every provider' : value.replaceAll('_', ' ')
}
