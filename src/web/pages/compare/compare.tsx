import { Card, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Series, seriesQuery } from '../../api/prices.ts'
import { Empty } from '../../components/empty.tsx'
import { ButtonLink } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { useChangeSearch } from '../../components/use-change-search.ts'
import { AsOfPicker, PastNotice } from '../prices/as-of.tsx'
import { Chart } from '../prices/chart.tsx'
import { CHART_COLORS } from '../prices/chart-colors.ts'
import { byKind, type Kind } from '../prices/kinds.ts'
import { LegendChoice } from '../prices/legend.tsx'
import { linesOf, type PriceLine } from '../prices/lines.ts'
import { shownDimension, shownTier, unitHeading } from '../prices/money.ts'
import { orderText } from '../prices/offer-texts.ts'
import { type Offers, offersOf } from '../prices/offers.ts'
import { Section } from '../prices/resource.tsx'
import { isOf } from '../prices/row-key.ts'
import type { CompareSearch } from '../prices/search.ts'
import { Sellers } from '../prices/sellers.tsx'
import { SeriesExport } from '../prices/series-export.tsx'
import { Watch } from '../prices/watch.tsx'

const groupRoute = getRouteApi('/reading/compare/$group')
const chosenRoute = getRouteApi('/reading/compare')
const MAX_BUTTONS = 4
/** Lines of a chart that differ at a glance. */
const DRAWN = 5

/** The members of an alias group: the same model at its sellers. */
export function CompareGroup() {
  const { group } = groupRoute.useParams()
  const search = groupRoute.useSearch()
  const { data } = useSuspenseQuery(seriesQuery({ asOf: search.asOf, group }))
  const about = 'The same model under each seller’s own name for it, as the group is now.'
  return (
    <Comparison title={data.group?.name ?? group} about={about} data={data} search={search} alias={data.group?.id} />
  )
}

/** What was chosen in the explorer. */
export function CompareChosen() {
  const search = chosenRoute.useSearch()
  if (!search.of || search.of.length === 0)
    return (
      <Page title="Compare">
        <Empty title="Nothing is chosen" action={<ButtonLink to="/prices">See all prices</ButtonLink>}>
          Choose up to six rows on the page of prices, then Compare.
        </Empty>
      </Page>
    )
  return <Chosen search={search} of={search.of} />
}

function Chosen({ search, of }: { search: CompareSearch; of: string[][] }) {
  const resources = [
    ...new Map(of.map(([provider = '', resource = '']) => [`${provider}\n${resource}`, [provider, resource]])),
  ]
  const pairs = resources.map(([, pair]) => pair as [string, string])
  const { data } = useSuspenseQuery(seriesQuery({ asOf: search.asOf, resources: pairs }))
  return <Comparison title="Compare" about="The rows that were chosen." data={data} search={search} of={of} />
}

type Props = {
  title: string
  about: string
  data: Series
  search: CompareSearch
  alias?: string | undefined
  /** The chosen rows, where not every row of the resources is. */
  of?: string[][]
}

function Comparison({ title, about, data: all, search, alias, of }: Props) {
  const data = useMemo(
    () => ({ ...all, rows: of ? all.rows.filter((row) => of.some((parts) => isOf(row, parts))) : all.rows }),
    [all, of],
  )
  const lines = useMemo(() => linesOf(data.rows), [data])
  const offers = useMemo(() => offersOf(data, of), [data, of])
  const actions = (
    <>
      {alias !== undefined && <Watch of={{ group: alias }} />}
      {data.rows.length > 0 && (
        <SeriesExport
          name="comparison"
          rows={data.rows}
          all={all.rows}
          leftOut={data.leftOut}
          asOf={data.asOf}
          group={alias === undefined ? undefined : { id: alias, members: data.members }}
        />
      )}
      <AsOfPicker asOf={search.asOf} newest={data.newest} first={data.first} />
    </>
  )
  return (
    <Page title={title} about={about} actions={actions}>
      <PastNotice asOf={search.asOf} />
      {lines.length === 0 ? (
        <Empty title="No prices at this instant">None of them was priced then. Choose a later instant above.</Empty>
      ) : (
        <>
          {orderText(offers) && (
            <Text size="sm" c="dimmed">
              {orderText(offers)}
            </Text>
          )}
          <Sellers series={data} offers={offers} />
          <Unpriced series={data} offers={offers} />
          <Histories data={data} lines={lines} offers={offers} search={search} />
        </>
      )}
    </Page>
  )
}

type OffersProps = { series: Series; offers: Offers }

/** Says which of them have no price, so that nobody looks for them. */
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

type HistoriesProps = { data: Series; lines: PriceLine[]; offers: Offers; search: CompareSearch }

/** One chart of one dimension and unit at a time: of the cheapest, and of those that are chosen. */
function Histories({ data, lines, offers, search: { dimension, lines: chosen } }: HistoriesProps) {
  const kinds = byKind(lines)
  const shown = kinds.find(({ key }) => key === dimension) ?? kinds[0]!
  const standard = shown.lines.filter(({ tier }) => Object.keys(tier).length === 0)
  const ordered = inOrder(standard.length > 0 ? standard : shown.lines, offers)
  const items = ordered.map((line, n) => ({
    key: line.key,
    label: labelOf(data, line, ordered),
    color: CHART_COLORS[n % CHART_COLORS.length]!,
    line,
  }))
  const isChosen = chosen !== undefined && items.some(({ key }) => chosen.includes(key))
  const keys = isChosen ? chosen : items.slice(0, DRAWN).map(({ key }) => key)
  const drawn = items.filter(({ key }) => keys.includes(key))
  const put: (change: Partial<CompareSearch>) => void = useChangeSearch()
  const first = offers.comparedBy.length > 0 ? 'The cheapest' : `The first ${DRAWN}`
  return (
    <Section title="History" about={items.length > DRAWN ? `${first} are drawn. Choose others below.` : undefined}>
      <Group>
        <Kinds kinds={kinds} shown={shown.key} onShow={(key) => put({ dimension: key, lines: undefined })} />
      </Group>
      <Card withBorder>
        <Text size="sm" c="dimmed" mb="xs">
          {unitHeading(ordered[0]!)}
        </Text>
        <Chart
          lines={drawn.map(({ line }) => line)}
          labels={drawn.map(({ label }) => label)}
          colors={drawn.map(({ color }) => color)}
          asOf={data.asOf}
          height={320}
          withoutLegend
        />
        <LegendChoice items={items} shown={keys} onShow={(next) => put({ lines: next })} />
      </Card>
    </Section>
  )
}

/** The lines in the order of their offers; last those that are no longer served. */
function inOrder(lines: PriceLine[], { offers }: Offers): PriceLine[] {
  const ranks = new Map(offers.flatMap((offer, n) => offer.lines.map(({ key }) => [key, n] as const)))
  const rank = ({ key }: PriceLine) => ranks.get(key) ?? offers.length
  return [...lines].sort((a, b) => rank(a) - rank(b))
}

/** Names as few of seller, name, place and source as tell lines apart. */
function labelOf({ providers }: Series, { provider, listed, tier, source }: PriceLine, all: PriceLine[]): string {
  const same = all.filter((line) => line.provider === provider)
  const seller = providers[provider] ?? provider
  const names = new Set(same.map((line) => line.listed)).size > 1 || new Set(all.map((line) => line.listed)).size > 1
  const places = new Set(all.map((line) => shownTier(line.tier))).size > 1
  const sources = new Set(same.map((line) => line.source)).size > 1
  const parts = [seller, names && listed, places && shownTier(tier), sources && source]
  return parts.filter(Boolean).join(' · ')
}

type KindsProps = { kinds: Kind[]; shown: string; onShow: (key: string) => void }

const Kinds = ({ kinds, shown, onShow }: KindsProps) => {
  const data = kinds.map(({ key, dimension, lines, isOnly }) => ({
    value: key,
    label: isOnly ? shownDimension(dimension) : `${shownDimension(dimension)}, ${unitHeading(lines[0]!)}`,
  }))
  return kinds.length <= MAX_BUTTONS ? (
    <SegmentedControl value={shown} onChange={onShow} data={data} aria-label="What is priced" />
  ) : (
    <Select
      value={shown}
      onChange={(value) => value && onShow(value)}
      data={data}
      allowDeselect={false}
      aria-label="What is priced"
    />
  )
}
