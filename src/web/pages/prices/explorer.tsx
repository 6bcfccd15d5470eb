import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useMemo } from 'react'
import { type PackedPrices, pricesQuery } from '../../api/prices.ts'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { AsOfPicker, PastNotice } from './as-of.tsx'
import { ChosenBar } from './chosen-bar.tsx'
import {
  MACHINE_COLUMNS,
  MACHINE_DEFAULT,
  MACHINE_NARROW,
  MODEL_COLUMNS,
  MODEL_DEFAULT,
  MODEL_NARROW,
} from './columns.tsx'
import { filtered } from './filter.ts'
import { type Column, PriceTable } from './price-table.tsx'
import type { PricesSearch } from './search.ts'
import { Toolbar } from './toolbar.tsx'
import { type MachineRow, type ModelRow, unpack } from './unpack.ts'

const PricesExport = lazy(() => import('./prices-export.tsx'))

const route = getRouteApi('/reading/prices')
const MAX_CHOSEN = 6
const NARROW = '(max-width: 48em)'

/** Every price that is served, as of an instant. */
export function Explorer() {
  const search = route.useSearch()
  const named = useNamedProviders(search)
  const { data, error, isPlaceholderData, refetch } = useQuery(pricesQuery(search.asOf, named))
  const rows = useMemo(() => data && unpack(data), [data])
  const actions = (
    <>
      <Suspense fallback={<NoExport />}>
        {data && rows ? <PricesExport packed={data} rows={rowsOf(rows, search)} search={search} /> : <NoExport />}
      </Suspense>
      <AsOfPicker asOf={search.asOf} newest={data?.newest} first={data?.first} />
    </>
  )
  return (
    <Page
      title="Prices"
      about="Every price that is served, per seller. Choose up to six rows to compare."
      actions={actions}
    >
      <PastNotice asOf={search.asOf} />
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && rows && <Table packed={data} rows={rows} search={search} isOld={isPlaceholderData} />}
    </Page>
  )
}

const NoExport = () => (
  <Button variant="default" disabled>
    Export
  </Button>
)

/** Providers that price in credits are served when they are named. */
function useNamedProviders({ asOf, providers }: PricesSearch): string | undefined {
  const { data } = useQuery(pricesQuery(asOf, undefined))
  const isInCredits = providers?.some((provider) => data?.creditProviders.includes(provider))
  return isInCredits ? providers?.join(',') : undefined
}

type Rows = ReturnType<typeof unpack>
const rowsOf = (rows: Rows, { tab, ...search }: PricesSearch): (ModelRow | MachineRow)[] =>
  tab === 'machines' ? filtered(rows.machines, { ...search, abilities: [] }) : filtered(rows.models, search)

type TableProps = { packed: PackedPrices; rows: Rows; search: PricesSearch; isOld: boolean }

function Table({ packed, rows, search, isOld }: TableProps) {
  const navigate = route.useNavigate()
  const set = (change: Partial<PricesSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const q = useDeferredValue(search.q)
  const shown = useMemo(() => rowsOf(rows, { ...search, q }), [rows, search, q])
  const isMachines = search.tab === 'machines'
  const { columns, sort } = useColumns(search)
  const chosen = search.chosen ?? []
  return (
    <>
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          value={search.tab ?? 'models'}
          onChange={(tab) =>
            set({ tab: tab === 'machines' ? tab : undefined, sort: undefined, columns: undefined, chosen: undefined })
          }
          data={[
            { value: 'models', label: 'Models' },
            { value: 'machines', label: 'Machines' },
          ]}
        />
        <Text size="sm" c="dimmed" role="status">
          {shown.length.toLocaleString('en')} of{' '}
          {(isMachines ? rows.machines : rows.models).length.toLocaleString('en')} rows
          {isOld && ' · loading'}
        </Text>
      </Group>
      <Toolbar search={search} set={set} packed={packed} />
      {shown.length === 0 ? (
        <Empty title={isMachines && rows.machines.length === 0 ? 'No machines are priced yet' : 'Nothing matches'}>
          {isMachines && rows.machines.length === 0
            ? 'Prices of machines appear when a source that lists them was read.'
            : 'Take a word out of the search, or a filter.'}
        </Empty>
      ) : (
        <PriceTable
          label={isMachines ? 'Prices of machines' : 'Prices of models'}
          columns={columns as Column<ModelRow | MachineRow>[]}
          rows={shown}
          sort={sort}
          onSort={(by) => set({ sort: by })}
          chosen={chosen}
          canChoose={chosen.length < MAX_CHOSEN}
          onChoose={(key) => {
            const others = chosen.filter((item) => item !== key)
            const next = others.length < chosen.length ? others : [...chosen, key]
            set({ chosen: next.length > 0 ? next : undefined })
          }}
        />
      )}
      <ChosenBar chosen={chosen} onClear={() => set({ chosen: undefined })} />
    </>
  )
}

/** The columns that are shown, and the order of the rows. */
function useColumns({ tab, columns: chosen, sort }: PricesSearch) {
  const isNarrow = useMediaQuery(NARROW)
  const isMachines = tab === 'machines'
  const columns = useMemo(() => {
    if (isNarrow) return isMachines ? MACHINE_NARROW : MODEL_NARROW
    const wanted = chosen ?? (isMachines ? MACHINE_DEFAULT : MODEL_DEFAULT)
    return isMachines
      ? MACHINE_COLUMNS.filter(({ id }) => wanted.includes(id))
      : MODEL_COLUMNS.filter(({ id }) => wanted.includes(id))
  }, [isNarrow, isMachines, chosen])
  const first = isMachines ? 'machine' : 'model'
  const by = sort ?? first
  return { columns, sort: columns.some(({ id }) => id === by.replace(/^-/, '')) ? by : columns[0]!.id }
}
