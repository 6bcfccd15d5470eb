import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useCallback, useDeferredValue, useMemo } from 'react'
import { type PackedPrices, pricesQuery } from '../../api/prices.ts'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { lazyPart } from '../../components/lazy-part.ts'
import { Page } from '../../components/page.tsx'
import { Placeholder } from '../../components/placeholder.tsx'
import { SourcesLink } from '../../components/sources-link.tsx'
import { useTyped } from '../../components/use-typed.ts'
import { AsOfPicker, NotFinal, PastNotice } from './as-of.tsx'
import { ChosenBar } from './chosen-bar.tsx'
import { correct, MACHINE_COLUMNS, MACHINE_DEFAULT, MODEL_COLUMNS, MODEL_DEFAULT } from './columns.tsx'
import { useIsOperator } from './correct-link.tsx'
import { filtered } from './filter.ts'
import { narrowColumns } from './narrow-columns.ts'
import { type Column, PriceTable, useDecimals, useSorted } from './price-table.tsx'
import type { PricesSearch } from './search.ts'
import { Toolbar } from './toolbar.tsx'
import { type MachineRow, type ModelRow, unpack } from './unpack.ts'

const PricesExport = lazyPart(() => import('./prices-export.tsx'))

const route = getRouteApi('/reading/prices')
const MAX_CHOSEN = 6
const NARROW = '(max-width: 48em)'

/** Every price that is served, as of an instant. */
export function Explorer() {
  const search = route.useSearch()
  const named = useNamedProviders(search)
  const { data, error, isPlaceholderData, refetch } = useQuery(pricesQuery(search.asOf, named, search.confirmed))
  const view = useView(data, search)
  const actions = (
    <>
      <Suspense fallback={<NoExport />}>
        {data ? <PricesExport packed={data} rows={view.shown} search={search} /> : <NoExport />}
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
      <NotFinal finalFrom={data?.finalFrom} />
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Placeholder height={640} />}
      {data && <Table packed={data} view={view} search={search} isOld={isPlaceholderData} />}
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

type Row = ModelRow | MachineRow
type View = ReturnType<typeof useView>
const NO_ROWS: Row[] = []

/** The rows of the tab in their order, and those of them that are shown. A key that is typed filters, and sorts nothing. */
function useView(packed: PackedPrices | undefined, search: PricesSearch) {
  const { tab, providers, abilities } = search
  const navigate = route.useNavigate()
  const put = useCallback(
    (change: Partial<PricesSearch>) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  )
  const [typed, type] = useTyped(search.q, put)
  const unpacked = useMemo(() => packed && unpack(packed), [packed])
  const all: Row[] = (tab === 'machines' ? unpacked?.machines : unpacked?.models) ?? NO_ROWS
  const { isNarrow = false, columns, sort } = useColumns(search)
  const sorted = useSorted(columns as Column<Row>[], all, sort)
  const decimals = useDecimals(columns as Column<Row>[], all)
  const q = useDeferredValue(typed)
  const shown = useMemo(
    () => filtered(sorted, { q, providers, abilities: tab === 'machines' ? [] : abilities }),
    [sorted, q, providers, abilities, tab],
  )
  return { isNarrow, all, shown, columns: columns as Column<Row>[], decimals, sort, typed, type, put }
}

type TableProps = { packed: PackedPrices; view: View; search: PricesSearch; isOld: boolean }

function Table({
  packed,
  view: { isNarrow, all, shown, columns, decimals, sort, typed, type, put },
  search,
  isOld,
}: TableProps) {
  const isMachines = search.tab === 'machines'
  const chosen = search.chosen ?? NONE
  const navigate = route.useNavigate()
  const choose = useCallback(
    (key: string) =>
      void navigate({ search: (before) => ({ ...before, chosen: toggled(before.chosen, key) }), replace: true }),
    [navigate],
  )
  const order = useCallback((by: string) => put({ sort: by }), [put])
  return (
    <>
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          aria-label="What is priced"
          value={search.tab ?? 'models'}
          onChange={(tab) =>
            put({ tab: tab === 'machines' ? tab : undefined, sort: undefined, columns: undefined, chosen: undefined })
          }
          data={[
            { value: 'models', label: 'Models' },
            { value: 'machines', label: 'Machines' },
          ]}
        />
        <Text size="sm" c="dimmed" role="status">
          {shown.length.toLocaleString('en')} of {all.length.toLocaleString('en')} rows
          {isOld && ' · loading'}
        </Text>
      </Group>
      <Toolbar search={search} set={put} typed={typed} onType={type} packed={packed} isNarrow={isNarrow} />
      {shown.length === 0 ? (
        <NoRows isMachines={isMachines} isEmpty={all.length === 0} isPast={search.asOf !== undefined} />
      ) : (
        <PriceTable
          key={isNarrow ? 'narrow' : 'wide'}
          label={isMachines ? 'Prices of machines' : 'Prices of models'}
          columns={columns}
          decimals={decimals}
          rows={shown}
          sort={sort}
          onSort={order}
          chosen={chosen}
          canChoose={chosen.length < MAX_CHOSEN}
          hasBar={chosen.length > 0}
          isNarrow={isNarrow}
          onChoose={choose}
        />
      )}
      <ChosenBar chosen={chosen} onClear={() => put({ chosen: undefined })} />
    </>
  )
}

type NoRowsProps = { isMachines: boolean; isEmpty: boolean; isPast: boolean }

/** Why no row is shown, and what to do about that. */
function NoRows({ isMachines, isEmpty, isPast }: NoRowsProps) {
  if (!isEmpty) return <Empty title="Nothing matches">Take a word out of the search, or a filter.</Empty>
  if (isPast) return <Empty title="No prices at this instant">None were recorded by then: choose a later one.</Empty>
  return isMachines ? (
    <Empty title="No machines are priced yet" action={<SourcesLink />}>
      Prices of machines are read from the lists of AWS, Azure, SkyPilot and others: the first reading takes some
      minutes, and needs internet.
    </Empty>
  ) : (
    <Empty title="No models are priced yet" action={<SourcesLink />}>
      Prices are read from the sources of this service: the first reading takes some minutes.
    </Empty>
  )
}

const NONE: string[] = []

function toggled(chosen: string[] = NONE, key: string): string[] | undefined {
  const others = chosen.filter((item) => item !== key)
  const next = others.length < chosen.length ? others : [...chosen, key]
  return next.length > 0 ? next : undefined
}

/** The columns that are shown, and the order of the rows. */
function useColumns({ tab, columns: chosen, sort }: PricesSearch) {
  const isNarrow = useMediaQuery(NARROW)
  const isOperator = useIsOperator()
  const isMachines = tab === 'machines'
  const columns = useMemo(() => {
    if (isNarrow) return narrowColumns(isMachines, chosen)
    const wanted = chosen ?? (isMachines ? MACHINE_DEFAULT : MODEL_DEFAULT)
    const own = isOperator ? [correct<MachineRow & ModelRow>()] : []
    return isMachines
      ? [...MACHINE_COLUMNS.filter(({ id }) => wanted.includes(id)), ...own]
      : [...MODEL_COLUMNS.filter(({ id }) => wanted.includes(id)), ...own]
  }, [isNarrow, isMachines, isOperator, chosen])
  const first = isMachines ? 'machine' : 'model'
  const by = sort ?? first
  return { isNarrow, columns, sort: columns.some(({ id }) => id === by.replace(/^-/, '')) ? by : columns[0]!.id }
}
