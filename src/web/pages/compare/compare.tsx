import { Card, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Series, seriesQuery } from '../../api/prices.ts'
import { Empty } from '../../components/empty.tsx'
import { Page } from '../../components/page.tsx'
import { AsOfPicker, PastNotice } from '../prices/as-of.tsx'
import { Chart } from '../prices/chart.tsx'
import { byDimension } from '../prices/current-prices.tsx'
import { linesOf, type PriceLine } from '../prices/lines.ts'
import { shownDimension, shownUnit } from '../prices/money.ts'
import { Section } from '../prices/resource.tsx'
import type { CompareSearch } from '../prices/search.ts'
import { Sellers } from '../prices/sellers.tsx'
import { SeriesExport } from '../prices/series-export.tsx'

const groupRoute = getRouteApi('/reading/compare/$group')
const chosenRoute = getRouteApi('/reading/compare')
const MAX_BUTTONS = 4

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
        <Empty title="Nothing is chosen">Choose up to six rows on the page of prices.</Empty>
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
      {data.rows.length > 0 && <SeriesExport name="comparison" rows={data.rows} asOf={data.asOf} alias={alias} />}
      <AsOfPicker asOf={search.asOf} newest={data.newest} first={data.first} />
    </>
  )
  return (
    <Page title={title} about={about} actions={actions}>
      <PastNotice asOf={search.asOf} />
      {lines.length === 0 ? (
        <Empty title="No prices at this instant">None of them was priced then.</Empty>
      ) : (
        <>
          <Sellers series={data} />
          <Histories data={data} lines={lines} dimension={search.dimension} />
        </>
      )}
    </Page>
  )
}

type HistoriesProps = { data: Series; lines: PriceLine[]; dimension: string | undefined }

/** One chart of all of them, of one dimension at a time. */
function Histories({ data, lines, dimension }: HistoriesProps) {
  const navigate = useNavigate()
  const dimensions = byDimension(lines)
  const [shown, own] = dimensions.find(([name]) => name === dimension) ?? dimensions[0]!
  const standard = own.filter(({ tier }) => Object.keys(tier).length === 0)
  const drawn = standard.length > 0 ? standard : own
  const show = (name: string) =>
    void navigate({ to: '.', search: ((search: object) => ({ ...search, dimension: name })) as never, replace: true })
  return (
    <Section title="History">
      <Group>
        <Dimensions names={dimensions.map(([name]) => name)} shown={shown} onShow={show} />
      </Group>
      <Card withBorder>
        <Text size="sm" c="dimmed" mb="xs">
          {shownUnit(drawn[0]!)}
        </Text>
        <Chart lines={drawn} labels={drawn.map((line) => labelOf(data, line, drawn))} asOf={data.asOf} height={360} />
      </Card>
    </Section>
  )
}

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
    <SegmentedControl value={shown} onChange={onShow} data={data} />
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
