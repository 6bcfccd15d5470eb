import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useCallback } from 'react'
import { type PackedPrices, pricesQuery } from '../../../api/prices.ts'
import { lazyPart } from '../../../components/loading/lazy-part.ts'
import { Page } from '../../../components/page.tsx'
import { SourcesLink } from '../../../components/sources-link.tsx'
import { Empty } from '../../../components/states/empty.tsx'
import { Known } from '../../../components/states/known.tsx'
import { AsOfPicker, NotFinal, PastNotice } from '../as-of.tsx'
import { ToggleModel } from '../table/model-name.tsx'
import { PriceTable } from '../table/price-table.tsx'
import type { PricesSearch } from './search.ts'
import { Toolbar } from './toolbar.tsx'
import { useView, type View } from './use-view.ts'

/** Comes with the first row that is chosen. */
const ChosenBar = lazyPart(async () => ({ default: (await import('./chosen-bar.tsx')).ChosenBar }))
const PricesExport = lazyPart(() => import('../take-away/prices-export.tsx'))

const route = getRouteApi('/reading/prices')
const MAX_CHOSEN = 6

/** Every price that is served, as of an instant. */
export function Explorer() {
  const search = route.useSearch()
  const named = useNamedProviders(search)
  const query = useQuery(pricesQuery(search.asOf, named, search.confirmed))
  const { data, isPlaceholderData } = query
  const view = useView(data, search)
  const actions = (
    <>
      <Suspense fallback={<NoExport />}>
        {data ? <PricesExport packed={data} rows={view.found} search={search} /> : <NoExport />}
      </Suspense>
      <AsOfPicker asOf={search.asOf} newest={data?.newest} first={data?.first} />
    </>
  )
  return (
    <Page
      title="Prices"
      about="Every model and machine, at every seller. A row shows the lowest price of its sellers. Choose up to six to compare."
      actions={actions}
      isOld={isPlaceholderData}
    >
      <PastNotice asOf={search.asOf} />
      <Known query={query}>
        <Table packed={data} view={view} search={search} />
      </Known>
      <NotFinal finalFrom={data?.finalFrom} />
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

type TableProps = { packed: PackedPrices | undefined; view: View; search: PricesSearch }

function Table({ packed, view, search }: TableProps) {
  const { isNarrow, all, shown, counts, columns, decimals, sort, typed, type, put, toggle } = view
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
            put({
              tab: tab === 'models' ? undefined : (tab as PricesSearch['tab']),
              sort: undefined,
              columns: undefined,
              chosen: undefined,
            })
          }
          data={[
            { value: 'models', label: 'Models' },
            { value: 'sellers', label: 'Sellers' },
            { value: 'machines', label: 'Machines' },
          ]}
        />
        <Text size="sm" c="dimmed" role="status">
          {packed ? `${counts.shown.toLocaleString('en')} of ${counts.all.toLocaleString('en')}` : '…'}{' '}
          {COUNTED[search.tab ?? 'models']}
        </Text>
      </Group>
      <Toolbar search={search} set={put} typed={typed} onType={type} packed={packed} isNarrow={isNarrow} />
      {packed && shown.length === 0 ? (
        <NoRows
          isMachines={isMachines}
          isEmpty={all.length === 0 && !search.confirmed}
          isPast={search.asOf !== undefined}
        />
      ) : (
        <ToggleModel value={toggle}>
          <PriceTable
            key={isNarrow ? 'narrow' : 'wide'}
            label={isMachines ? 'Prices of machines' : 'Prices of models'}
            columns={columns}
            decimals={decimals}
            rows={packed && shown}
            sort={sort}
            onSort={order}
            chosen={chosen}
            canChoose={chosen.length < MAX_CHOSEN}
            hasBar={chosen.length > 0}
            isNarrow={isNarrow}
            onChoose={choose}
          />
        </ToggleModel>
      )}
      {chosen.length > 0 && (
        <Suspense fallback={null}>
          <ChosenBar chosen={chosen} onClear={() => put({ chosen: undefined })} />
        </Suspense>
      )}
    </>
  )
}

/** What the rows of each tab are. */
const COUNTED = { models: 'models', sellers: 'rows', machines: 'machines' }

type NoRowsProps = { isMachines: boolean; isEmpty: boolean; isPast: boolean }

/** Why no row is shown, and what to do about that. */
function NoRows({ isMachines, isEmpty, isPast }: NoRowsProps) {
  if (!isEmpty) return <Empty title="Nothing matches">Remove a filter or a word from the search.</Empty>
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
