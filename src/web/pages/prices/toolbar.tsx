import { Button, Checkbox, Group, MultiSelect, Popover, Select, Stack, TextInput } from '@mantine/core'
import { IconColumns, IconSearch } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { ConfirmedBy, PackedPrices } from '../../api/prices.ts'
import { WorkloadChoice } from './cost/workload-choice.tsx'
import { MACHINE_COLUMNS, MACHINE_DEFAULT } from './machines/machine-columns.tsx'
import { MODEL_COLUMNS, MODEL_DEFAULT, SELLER_DEFAULT } from './model-columns.tsx'
import { narrowChoice } from './narrow-columns.ts'
import { ContextChoice, OrderChoice } from './order-choice.tsx'
import type { PricesSearch } from './search.ts'
import { ABILITIES } from './unpack.ts'

/** The columns that are shown before anyone chooses. */
export function usualColumns(tab: PricesSearch['tab']): string[] {
  if (tab === 'machines') return MACHINE_DEFAULT
  return tab === 'sellers' ? SELLER_DEFAULT : MODEL_DEFAULT
}

type Change = { search: PricesSearch; set: (change: Partial<PricesSearch>) => void; isNarrow: boolean }
type Props = Change & { typed: string; onType: (typed: string) => void; packed: PackedPrices }

const CONFIRMED: { value: ConfirmedBy; label: string }[] = [
  { value: 'provider', label: 'Confirmed by the provider' },
  { value: 'independent', label: 'Confirmed by independent sources' },
]

/** What narrows the rows, and which columns are shown. */
export function Toolbar({ search, set, isNarrow, typed, onType, packed }: Props) {
  const sellers = useSellers(packed)
  const isMachines = search.tab === 'machines'
  return (
    <Group gap="xs" align="flex-start">
      <TextInput
        aria-label="Search"
        placeholder={isMachines ? 'Search GPUs, machines, regions' : 'Search models and sellers'}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        miw={220}
        style={{ flex: '2 1 220px' }}
      />
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
      <Select
        aria-label="Confirmed by"
        placeholder="Confirmed or not"
        data={CONFIRMED}
        value={search.confirmed ?? null}
        onChange={(confirmed) => set({ confirmed: (confirmed as ConfirmedBy | null) ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Confirmed or not' }}
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
      {!isMachines && <WorkloadChoice search={search} set={set} />}
      <Columns search={search} set={set} isNarrow={isNarrow} />
    </Group>
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

function wideChoice(tab: PricesSearch['tab']) {
  const all = tab === 'machines' ? MACHINE_COLUMNS : MODEL_COLUMNS
  return { all, usual: usualColumns(tab), fixed: all[0]!.id }
}

function Columns({ search, set, isNarrow }: Change) {
  const isMachines = search.tab === 'machines'
  const { all, usual, fixed } = isNarrow ? narrowChoice(isMachines) : wideChoice(search.tab)
  const shown = search.columns ?? usual
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group value={shown} onChange={(columns) => set({ columns })}>
          <Stack gap="xs">
            {all.map(({ id, label }) => (
              <Checkbox key={id} value={id} label={label} disabled={id === fixed} />
            ))}
            <Button size="compact-sm" variant="default" onClick={() => set({ columns: undefined })}>
              The usual columns
            </Button>
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
