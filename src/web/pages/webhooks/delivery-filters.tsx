import { Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { FilterSelect } from '../../components/forms/filter-select.tsx'
import { useChangeSearch } from '../../components/hooks/use-change-search.ts'
import { useListSearch, useTyped } from '../../components/hooks/use-typed.ts'
import { PERIODS, STATUSES, sinceOf, type WebhookSearch } from './delivery-search.ts'
import { EVENT_GROUPS } from './form/event-words.ts'

const TYPES = [...EVENT_GROUPS.flatMap(({ types }) => types.map(({ type }) => type as string)), 'webhook.test']
const SINCE_AN_INSTANT = 'instant'
const MINUTE_CHARACTERS = 16

/** What narrows the log of a webhook: everything is in the address of the page. */
export function DeliveryFilters({ search }: { search: WebhookSearch }) {
  const change = useChangeSearch()
  const [typed, type] = useListSearch()
  const isInstant = search.since !== undefined && !PERIODS.some(({ value }) => value === search.since)
  const setSince = (value: string | undefined) =>
    change({ since: value === SINCE_AN_INSTANT ? new Date().toISOString().slice(0, MINUTE_CHARACTERS) : value })
  return (
    <Group gap="xs" mb="md">
      <TextInput
        aria-label="Search deliveries"
        placeholder="Event id, model or text"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        style={{ flex: '2 1 220px' }}
      />
      <FilterSelect
        label="Status"
        any="Any status"
        data={[...STATUSES]}
        value={search.status}
        onChange={(status) => change({ status })}
        style={{ flex: '1 1 130px' }}
      />
      <FilterSelect
        label="Event type"
        any="Any event type"
        data={TYPES}
        value={search.type}
        onChange={(type) => change({ type })}
        searchable
        style={{ flex: '1 1 180px' }}
      />
      <FilterSelect
        label="Created"
        any="Any time"
        data={[
          ...PERIODS.map(({ value, label }) => ({ value, label })),
          { value: SINCE_AN_INSTANT, label: 'Since a time …' },
        ]}
        value={isInstant ? SINCE_AN_INSTANT : search.since}
        onChange={setSince}
        style={{ flex: '1 1 150px' }}
      />
      {isInstant && <SinceField since={search.since} onChange={setSince} />}
    </Group>
  )
}

type SinceProps = { since: string | undefined; onChange: (since: string) => void }

/** What is typed stays. A time is used when it is complete: until then a browser says that the field is empty. */
function SinceField({ since, onChange }: SinceProps) {
  const [typed, type] = useTyped(since, (next) => {
    const read = sinceOf(next)
    if (read) onChange(read)
  })
  return (
    <TextInput
      aria-label="Created since, in UTC"
      type="datetime-local"
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      rightSection="UTC"
      rightSectionWidth={48}
      style={{ flex: '1 1 220px' }}
    />
  )
}
