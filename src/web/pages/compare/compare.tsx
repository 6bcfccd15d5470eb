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
import { byDimension } from '../prices/current-prices.tsx'
import { LegendChoice } from '../prices/legend.tsx'
import { linesOf, type PriceLine } from '../prices/lines.ts'
import { shownDimension, unitHeading } from '../prices/money.ts'
import { Section } from '../prices/resource.tsx'
import type { CompareSearch } from '../prices/search.ts'
import { Sellers, sellersOf } from '../prices/sellers.tsx'
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

function Chosen({ search, of }: { search: CompareSearch; of: [string, string][] }) {
  const { data } = useSuspenseQuery(seriesQuery({ asOf: search.asOf, resources: of }))
  return <Comparison title="Compare" about="The rows that were chosen." data={data} search={search} />
}

type Props = { title: string; about: string; data: Series; search: CompareSearch; alias?: string | undefined }

function Comparison({ title, about, data, search, alias }: Props) {
  const lines = useMemo(() => linesOf(data.rows), [data])
  const actions = (
    <>
      {alias !== undefined && <Watch of={{ group: alias }} />}
      {data.rows.length > 0 && <SeriesExport name="comparison" rows={data.rows} asOf={data.asOf} alias={alias} />}
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
          <Sellers series={data} />
          <Unpriced series={data} />
          <Histories data={data} lines={lines} search={search} />
        </>
      )}
    </Page>
  )
}

/** Says which of them have no price, so that nobody looks for them. */
function Unpriced({ series }: { series: Series }) {
  const priced = new Set(sellersOf(series).map(({ provider, resource }) => keyOf({ provider, listed: resource })))
  const names = series.members
    .filter(({ provider, resource }) => !priced.has(keyOf({ provider, listed: resource })))
    .map(({ provider, resource }) => `${resource} at ${series.providers[provider] ?? provider}`)
  if (names.length === 0) return null
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      No price at this instant: {names.join(', ')}.
    </Text>
  )
}

type HistoriesProps = { data: Series; lines: PriceLine[]; search: CompareSearch }

/** One chart of one dimension at a time: of the cheapest, and of those that are chosen. */
function Histories({ data, lines, search: { dimension, lines: chosen } }: HistoriesProps) {
  const dimensions = byDimension(lines)
  const [shown, own] = dimensions.find(([name]) => name === dimension) ?? dimensions[0]!
  const standard = own.filter(({ tier }) => Object.keys(tier).length === 0)
  const all = standard.length > 0 ? standard : own
  const sellers = sellersOf(data).map(({ provider, resource }) => keyOf({ provider, listed: resource }))
  const rank = (line: PriceLine) => (sellers.indexOf(keyOf(line)) + sellers.length + 1) % (sellers.length + 1)
  const ordered = [...all].sort((a, b) => rank(a) - rank(b))
  const items = ordered.map((line) => ({
    key: keyOf(line) + line.source + JSON.stringify(line.tier),
    label: labelOf(data, line, ordered),
    color: CHART_COLORS[rank(line) % CHART_COLORS.length]!,
    line,
  }))
  const isChosen = chosen !== undefined && items.some(({ key }) => chosen.includes(key))
  const keys = isChosen ? chosen : items.slice(0, DRAWN).map(({ key }) => key)
  const drawn = items.filter(({ key }) => keys.includes(key))
  const put: (change: Partial<CompareSearch>) => void = useChangeSearch()
  return (
    <Section title="History" about={items.length > DRAWN ? 'The cheapest are drawn. Choose others below.' : undefined}>
      <Group>
        <Dimensions
          names={dimensions.map(([name]) => name)}
          shown={shown}
          onShow={(name) => put({ dimension: name, lines: undefined })}
        />
      </Group>
      <Card withBorder>
        <Text size="sm" c="dimmed" mb="xs">
          {unitHeading(all[0]!)}
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

const keyOf = ({ provider, listed }: { provider: string; listed: string }): string => `${provider}\n${listed}`

/** Names as few of seller, name and source as tell lines apart. */
function labelOf({ providers }: Series, { provider, listed, source }: PriceLine, all: PriceLine[]): string {
  const same = all.filter((line) => line.provider === provider)
  const seller = providers[provider] ?? provider
  const names = new Set(same.map((line) => line.listed)).size > 1 || new Set(all.map((line) => line.listed)).size > 1
  const sources = new Set(same.map((line) => line.source)).size > 1
  return [seller, ...(names ? [listed] : []), ...(sources ? [source] : [])].join(' · ')
}

type DimensionsProps = { names: string[]; shown: string; onShow: (name: string) => void }

const Dimensions = ({ names, shown, onShow }: DimensionsProps) => {
  const data = names.map((value) => ({ value, label: shownDimension(value) }))
  return names.length <= MAX_BUTTONS ? (
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
