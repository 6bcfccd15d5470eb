import { Button, Checkbox, Group, Popover, Skeleton, Stack, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconColumns, IconSearch } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { PackedPrices } from '../../../api/prices.ts'
import { lazyPart } from '../../../components/loading/lazy-part.ts'
import { WorkloadChoice } from '../cost/workload-choice.tsx'
import { MACHINE_COLUMNS, MACHINE_DEFAULT } from '../machines/machine-columns.tsx'
import { MODEL_COLUMNS, MODEL_DEFAULT, SELLER_DEFAULT } from '../table/model-columns.tsx'
import { narrowChoice } from '../table/narrow-columns.ts'
import type { PricesSearch } from './search.ts'

/** The columns that are shown before anyone chooses. */
export function usualColumns(tab: PricesSearch['tab']): string[] {
  if (tab === 'machines') return MACHINE_DEFAULT
  return tab === 'sellers' ? SELLER_DEFAULT : MODEL_DEFAULT
}

type Change = { search: PricesSearch; set: (change: Partial<PricesSearch>) => void; isNarrow: boolean }
type Props = Change & { typed: string; onType: (typed: string) => void; packed: PackedPrices | undefined }

/** They come after the rows: the page works without them. */
const Filters = lazyPart(() => import('./filters.tsx'))

/** What narrows the rows, and which columns are shown. On a narrow screen the search alone stands before the rows. */
export function Toolbar({ search, set, isNarrow, typed, onType, packed }: Props) {
  const [isOpen, setOpen] = useState(false)
  const isMachines = search.tab === 'machines'
  const chosen = filtersIn(search)
  return (
    <Group gap="xs" align="flex-start">
      <TextInput
        aria-label="Search"
        placeholder={isMachines ? 'Search GPUs, machines, regions' : 'Search models and sellers'}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        miw={isNarrow ? 150 : 220}
        style={{ flex: isNarrow ? '1 1 150px' : '2 1 220px' }}
      />
      {isNarrow && (
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {chosen > 0 ? `Filters (${chosen})` : 'Filters'}
        </Button>
      )}
      {(isOpen || !isNarrow) && <Choices search={search} set={set} isNarrow={isNarrow} packed={packed} />}
    </Group>
  )
}

const filtersIn = ({ providers, confirmed, abilities, context }: PricesSearch): number =>
  [providers, confirmed, abilities, context].filter((one) => one !== undefined).length

function Choices({ search, set, isNarrow, packed }: Change & Pick<Props, 'packed'>) {
  const isMachines = search.tab === 'machines'
  const loading = <Loading widths={isMachines ? MACHINE_FILTERS : MODEL_FILTERS} />
  return (
    <>
      <Suspense fallback={loading}>{packed ? <Filters search={search} set={set} packed={packed} /> : loading}</Suspense>
      {!isMachines && <WorkloadChoice search={search} set={set} />}
      <Columns search={search} set={set} isNarrow={isNarrow} />
    </>
  )
}

/** The least widths of the filters that come. */
const MACHINE_FILTERS = [180, 180, 190]
const MODEL_FILTERS = [180, 180, 160, 170, 190]
const FIELD_HEIGHT = 36

const Loading = ({ widths }: { widths: number[] }) =>
  widths.map((width, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
    <Skeleton key={n} height={FIELD_HEIGHT} w="auto" style={{ flex: `1 1 ${width}px` }} />
  ))

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
              Reset columns
            </Button>
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
