import { MultiSelect, Select } from '@mantine/core'
import { useMemo } from 'react'
import type { ConfirmedBy, PackedPrices } from '../../../api/prices.ts'
import { FilterSelect } from '../../../components/forms/filter-select.tsx'
import { shownContext } from '../money.ts'
import { ABILITIES } from '../table/unpack.ts'
import { CONTEXTS, type PricesSearch } from './search.ts'

type Props = { search: PricesSearch; set: (change: Partial<PricesSearch>) => void }

const CONFIRMED: { value: ConfirmedBy; label: string }[] = [
  { value: 'provider', label: 'Confirmed by the provider' },
  { value: 'independent', label: 'Confirmed by independent sources' },
]

/** What narrows the rows, and orders them. */
export default function Filters({ search, set, packed }: Props & { packed: PackedPrices }) {
  const sellers = useSellers(packed)
  const isMachines = search.tab === 'machines'
  return (
    <>
      <MultiSelect
        aria-label="Sellers"
        placeholder={search.providers ? undefined : 'All sellers'}
        data={sellers}
        value={search.providers ?? []}
        onChange={(providers) => set({ providers: providers.length > 0 ? providers : undefined })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'All sellers' }}
        hidePickedOptions
        limit={100}
        style={{ flex: '1 1 180px' }}
      />
      <FilterSelect
        label="Confirmed by"
        any="Confirmed or not"
        data={CONFIRMED}
        value={search.confirmed}
        onChange={(confirmed) => set({ confirmed })}
        style={{ flex: '1 1 180px' }}
      />
      {!isMachines && (
        <MultiSelect
          aria-label="Abilities"
          placeholder={search.abilities ? undefined : 'Any ability'}
          data={[...ABILITIES]}
          value={search.abilities ?? []}
          onChange={(abilities) => set({ abilities: abilities.length > 0 ? abilities : undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'Any ability' }}
          style={{ flex: '1 1 160px' }}
        />
      )}
      {!isMachines && <ContextChoice search={search} set={set} />}
      <OrderChoice search={search} set={set} />
    </>
  )
}

function useSellers({ resources, providers, creditProviders }: PackedPrices) {
  return useMemo(() => {
    const credits = new Set(creditProviders)
    const slugs = new Set([...resources.map(({ provider }) => provider), ...creditProviders])
    return [...slugs]
      .map((value) => ({
        value,
        label: `${providers[value] ?? value}${credits.has(value) ? ' (prices in credits)' : ''}`,
      }))
      .sort((a, b) => a.label.localeCompare(b.label))
  }, [resources, providers, creditProviders])
}

const ORDERS = {
  models: [
    { value: '-seller', label: 'Most sellers first' },
    { value: '-released', label: 'Newest first' },
    { value: 'cost', label: 'Cheapest workload first' },
    { value: '-window', label: 'Longest context first' },
  ],
  sellers: [
    { value: 'model', label: 'By name' },
    { value: '-released', label: 'Newest first' },
    { value: 'cost', label: 'Cheapest workload first' },
    { value: '-window', label: 'Longest context first' },
  ],
  machines: [
    { value: '-seller', label: 'Most sellers first' },
    { value: 'perGpu', label: 'Cheapest GPU first' },
    { value: 'hourly', label: 'Cheapest machine first' },
    { value: '-gpus', label: 'Most GPUs first' },
  ],
}

/** The orders that people ask for. Headings of columns give the others. */
function OrderChoice({ search, set }: Props) {
  const orders = ORDERS[search.tab ?? 'models']
  const sort = search.sort ?? orders[0]!.value
  const isListed = orders.some(({ value }) => value === sort)
  return (
    <Select
      aria-label="Order"
      placeholder="By a column"
      data={orders}
      value={isListed ? sort : null}
      allowDeselect={false}
      onChange={(order) => set({ sort: order === orders[0]!.value ? undefined : (order ?? undefined) })}
      style={{ flex: '1 1 190px' }}
    />
  )
}

/** How many tokens a model must take. */
const ContextChoice = ({ search, set }: Props) => (
  <FilterSelect
    label="Context window"
    any="Any context"
    data={CONTEXTS.map((value) => ({ value, label: `Context of ${shownContext(value)} or more` }))}
    value={search.context}
    onChange={(context) => set({ context })}
    style={{ flex: '1 1 170px' }}
  />
)
