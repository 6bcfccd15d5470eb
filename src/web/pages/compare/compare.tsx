import { Button, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Series, seriesQuery } from '../../api/prices.ts'
import { usePageData } from '../../api/use-page-data.ts'
import { ButtonLink } from '../../components/links.tsx'
import { Loading } from '../../components/loading/skeletons.tsx'
import { Page } from '../../components/page.tsx'
import { Empty } from '../../components/states/empty.tsx'
import { AsOfPicker, NotFinal, PastNotice } from '../prices/as-of.tsx'
import { SeriesExport } from '../prices/chart/series-export.tsx'
import { CostSection, hasCosts } from '../prices/cost/cost-section.tsx'
import type { CompareSearch } from '../prices/explorer/search.ts'
import { orderText } from '../prices/resource/offer-texts.ts'
import { type Offers, offersOf } from '../prices/resource/offers.ts'
import { Sellers } from '../prices/resource/sellers.tsx'
import { Watch } from '../prices/resource/watch.tsx'
import { linesOf } from '../prices/table/lines.ts'
import { isOf } from '../prices/table/row-key.ts'
import { Histories } from './histories.tsx'

const groupRoute = getRouteApi('/reading/compare/$group')
const chosenRoute = getRouteApi('/reading/compare')

/** The members of an alias group: the same model at its sellers. */
export function CompareGroup() {
  const { group } = groupRoute.useParams()
  const search = groupRoute.useSearch()
  const { data, isPlaceholderData } = usePageData(seriesQuery({ asOf: search.asOf, group }))
  const about = 'The same model under each seller’s own name, with the group’s current members.'
  if (!data) return <ComparisonLoading about={about} search={search} />
  return (
    <Comparison
      title={data.group?.name ?? group}
      about={about}
      data={data}
      isOld={isPlaceholderData}
      search={search}
      alias={data.group?.id}
    />
  )
}

/** What was chosen in the explorer. */
export function CompareChosen() {
  const search = chosenRoute.useSearch()
  if (!search.of || search.of.length === 0)
    return (
      <Page title="Compare">
        <Empty title="Nothing selected" action={<ButtonLink to="/prices">See all prices</ButtonLink>}>
          Select up to six rows under Prices, then Compare.
        </Empty>
      </Page>
    )
  return <Chosen search={search} of={search.of} />
}

const ABOUT_CHOSEN = 'The rows you selected.'

function Chosen({ search, of }: { search: CompareSearch; of: string[][] }) {
  const resources = [
    ...new Map(of.map(([provider = '', resource = '']) => [`${provider}\n${resource}`, [provider, resource]])),
  ]
  const pairs = resources.map(([, pair]) => pair as [string, string])
  const { data, isPlaceholderData } = usePageData(seriesQuery({ asOf: search.asOf, resources: pairs }))
  if (!data) return <ComparisonLoading title="Compare" about={ABOUT_CHOSEN} search={search} />
  return (
    <Comparison title="Compare" about={ABOUT_CHOSEN} data={data} isOld={isPlaceholderData} search={search} of={of} />
  )
}

type Props = {
  title: string
  about: string
  data: Series
  isOld: boolean
  search: CompareSearch
  alias?: string | undefined
  /** The chosen rows, where not every row of the resources is. */
  of?: string[][]
}

function Comparison({ title, about, data: all, isOld, search, alias, of }: Props) {
  const data = useMemo(
    () => ({ ...all, rows: of ? all.rows.filter((row) => of.some((parts) => isOf(row, parts))) : all.rows }),
    [all, of],
  )
  const lines = useMemo(() => linesOf(data.rows), [data])
  const drawn = useMemo(() => lines.filter(({ steps }) => steps.length > 0), [lines])
  const offers = useMemo(() => offersOf(data, of), [data, of])
  const actions = (
    <>
      {alias !== undefined && <Watch of={{ group: alias }} />}
      {data.rows.length > 0 && (
        <SeriesExport
          name="comparison"
          rows={data.rows}
          all={all.rows}
          series={data}
          group={alias === undefined ? undefined : { id: alias, members: data.members }}
        />
      )}
      <AsOfPicker asOf={search.asOf} newest={data.newest} first={data.first} />
    </>
  )
  return (
    <Page title={title} about={about} actions={actions} isOld={isOld}>
      <PastNotice asOf={search.asOf} />
      {lines.length === 0 ? (
        <Empty title="No prices at this instant">None of them was priced then. Choose a later instant above.</Empty>
      ) : (
        <>
          {hasCosts(lines) && <CostSection series={data} lines={lines} search={search} />}
          <Text size="sm" c="dimmed">
            {orderText(offers)} <NotFinal finalFrom={data.finalFrom} />
          </Text>
          <Sellers series={data} offers={offers} isRanked={!hasCosts(lines)} />
          <Unpriced series={data} offers={offers} />
          {drawn.length > 0 && <Histories data={data} lines={drawn} offers={offers} search={search} />}
        </>
      )}
    </Page>
  )
}

/** The same while it is loading. */
const ComparisonLoading = ({ title, about, search }: { title?: string; about: string; search: CompareSearch }) => (
  <Page
    title={title}
    about={about}
    actions={
      <>
        {title === undefined && <Button disabled>Watch</Button>}
        <Button variant="default" disabled>
          Export
        </Button>
        <AsOfPicker asOf={search.asOf} />
      </>
    }
  >
    <Loading />
    <PastNotice asOf={search.asOf} />
    <CostSection series={undefined} lines={[]} search={search} />
  </Page>
)

type OffersProps = { series: Series; offers: Offers }

/** Says which of them have no price, so that no one looks for them. */
function Unpriced({ series, offers: { unpriced } }: OffersProps) {
  const names = unpriced.map(
    ([provider = '', resource = '']) => `${resource} at ${series.providers[provider] ?? provider}`,
  )
  if (names.length === 0) return null
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      No price at this instant: {[...new Set(names)].join(', ')}.
    </Text>
  )
}
