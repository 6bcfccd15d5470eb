import { Card, SimpleGrid, Text } from '@mantine/core'
import { IconPencilDollar } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Series, seriesQuery } from '../../../api/prices.ts'
import { usePageData } from '../../../api/use-page-data.ts'
import { ButtonLink, TextLink } from '../../../components/links.tsx'
import { Page } from '../../../components/page.tsx'
import { Section } from '../../../components/section.tsx'
import { Empty } from '../../../components/states/empty.tsx'
import { AsOfPicker, NotFinal, PastNotice } from '../as-of.tsx'
import { Chart } from '../chart/chart.tsx'
import { SeriesExport } from '../chart/series-export.tsx'
import type { Marker } from '../chart/step-chart.tsx'
import { correctionSearch, useIsOperator } from '../correct-link.tsx'
import { byKind } from '../explorer/kinds.ts'
import type { ResourceSearch } from '../explorer/search.ts'
import { ModelFacts } from '../facts/model-facts.tsx'
import { shownDimension, unitHeading } from '../money.ts'
import { firstStep, isWithdrawn, linesOf, type PriceLine } from '../table/lines.ts'
import { RowTable } from '../table/row-table.tsx'
import { CurrentPrices, labelOf } from './current-prices.tsx'
import { OtherSellers } from './other-sellers.tsx'
import { ResourceEvents } from './resource-events.tsx'
import { ResourceLoading } from './resource-loading.tsx'
import { Watch } from './watch.tsx'

const route = getRouteApi('/reading/prices/$provider/$resource')

/** Charts of a page are small, and have one time axis. */
const CHART_HEIGHT = 180

/** A resource at a seller: what it costs, since when, and where else it is sold. */
export function ResourcePage() {
  const { provider, resource } = route.useParams()
  const search = route.useSearch()
  const { asOf } = search
  const { data, isPlaceholderData } = usePageData(seriesQuery({ asOf, resources: [[provider, resource]] }))
  return data ? (
    <Shown data={data} isOld={isPlaceholderData} provider={provider} resource={resource} search={search} />
  ) : (
    <ResourceLoading resource={resource} asOf={asOf} />
  )
}

type ShownProps = { data: Series; isOld: boolean; provider: string; resource: string; search: ResourceSearch }

function Shown({ data, isOld, provider, resource, search }: ShownProps) {
  const { asOf } = search
  const lines = useMemo(() => linesOf(data.rows, data.upcoming), [data])
  const isOperator = useIsOperator()
  const actions = (
    <>
      {data.rows.length > 0 && <Watch of={{ provider, resource }} />}
      {isOperator && data.rows.length > 0 && <Correct provider={provider} resource={resource} />}
      {data.rows.length > 0 && (
        <SeriesExport name={`${provider}-${resource}`.replace(/[^\w.-]+/g, '-')} rows={data.rows} series={data} />
      )}
      <AsOfPicker asOf={asOf} newest={data.newest} first={data.first} />
    </>
  )
  return (
    <Page
      title={resource}
      about={data.rows.length > 0 && <About provider={provider} data={data} asOf={asOf} />}
      actions={actions}
      isOld={isOld}
    >
      <PastNotice asOf={asOf} />
      {lines.length === 0 ? (
        <Empty
          title="No prices at this instant"
          action={
            <ButtonLink to="/prices" search={{ asOf, q: resource }} variant="default">
              Search for it
            </ButtonLink>
          }
        >
          Nothing of this name was priced here then. It may have appeared later, or under another name.
        </Empty>
      ) : (
        <Details data={data} lines={lines} provider={provider} resource={resource} search={search} />
      )}
    </Page>
  )
}

function About({ provider, data, asOf }: { provider: string; data: Series; asOf: string | undefined }) {
  const former = data.renamings.map(({ from }) => from)
  return (
    <>
      Sold by{' '}
      <TextLink to="/prices" search={{ providers: [provider], asOf }}>
        {data.providers[provider] ?? provider}
      </TextLink>
      {former.length > 0 && <>, formerly called {former.join(', ')}</>}
    </>
  )
}

/** A wrong price is replaced, withdrawn or restored on a page of operators. */
const Correct = (named: { provider: string; resource: string }) => (
  <ButtonLink
    to="/operator/prices"
    search={correctionSearch(named)}
    preload={false}
    variant="default"
    leftSection={<IconPencilDollar size={16} aria-hidden />}
  >
    Correct
  </ButtonLink>
)

type DetailsProps = { data: Series; lines: PriceLine[]; provider: string; resource: string; search: ResourceSearch }

function Details({ data, lines, provider, resource, search }: DetailsProps) {
  const withSource = new Set(lines.map(({ source }) => source)).size > 1
  const isGone = lines.every((line) => !line.current)
  const drawn = lines.filter(({ steps }) => steps.length > 0)
  const from = firstStep(drawn)
  return (
    <>
      {isGone && <Text c="dimmed">No longer listed. Its history is below.</Text>}
      <ModelFacts facts={data.facts} />
      <CurrentPrices lines={lines} newest={data.newest} />
      <Section
        title="History"
        about={
          <>
            {historyText(data)} <NotFinal finalFrom={data.finalFrom} />
          </>
        }
      >
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
          {byKind(drawn).map(({ key, dimension, lines: own }) => (
            <Card key={key} withBorder padding="md">
              <Text size="sm" fw={600} mb="xs">
                {shownDimension(dimension)}{' '}
                <Text span c="dimmed" fw={400}>
                  {unitHeading(own[0]!)}
                </Text>
              </Text>
              <Chart
                lines={own}
                labels={own.map((line) => labelOf(line, withSource))}
                asOf={data.asOf}
                from={from}
                height={CHART_HEIGHT}
                markers={markersOf(data, own)}
              />
            </Card>
          ))}
        </SimpleGrid>
      </Section>
      {data.groups.map((group) => (
        <OtherSellers key={group.id} group={group} search={search} here={{ provider, resource }} />
      ))}
      <Section
        title="All rows"
        about={`Every row ever recorded. Rows never change; only their status does.${leftOutText(data)}`}
      >
        <RowTable rows={data.rows} />
      </Section>
      <ResourceEvents provider={provider} resource={resource} asOf={search.asOf} />
    </>
  )
}

const leftOutText = ({ leftOut }: Series): string =>
  leftOut === 0 ? '' : ` ${leftOut.toLocaleString('en')} older rows are left out here: Export has the request for them.`

function historyText({ rows }: Series): string {
  const withdrawn = rows.filter(isWithdrawn).length
  const leftOut =
    withdrawn === 1 ? ' A row that was withdrawn as wrong is' : ` ${withdrawn} rows that were withdrawn as wrong are`
  return `Each price holds until the next one. Point at a step to see its row.${withdrawn === 0 ? '' : `${leftOut} not drawn.`}`
}

/** Renamings, and the instants from which nothing was served. */
const markersOf = ({ renamings }: Series, lines: PriceLine[]): Marker[] => [
  ...renamings.map(({ at, from }) => ({ at, label: `was ${from}` })),
  ...lines.flatMap(({ steps }) => (steps.at(-1)?.row === null ? [{ at: steps.at(-1)!.at, label: 'removed' }] : [])),
]
