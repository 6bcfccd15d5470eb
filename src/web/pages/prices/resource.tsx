import { Card, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconPencilDollar } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { feedQuery } from '../../api/feed.ts'
import { type Series, seriesQuery } from '../../api/prices.ts'
import { Empty } from '../../components/empty.tsx'
import { ButtonLink, TextLink } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { FeedList } from '../changes/feed-list.tsx'
import { isForgotten, KEPT } from '../changes/kept.ts'
import { AsOfPicker, PastNotice } from './as-of.tsx'
import { Chart } from './chart.tsx'
import { correctionSearch, useIsOperator } from './correct-link.tsx'
import { CurrentPrices, labelOf } from './current-prices.tsx'
import { byKind } from './kinds.ts'
import { linesOf, type PriceLine } from './lines.ts'
import { shownDimension, unitHeading } from './money.ts'
import { orderText } from './offer-texts.ts'
import { offersOf } from './offers.ts'
import { RowTable } from './row-table.tsx'
import { Sellers } from './sellers.tsx'
import { SeriesExport } from './series-export.tsx'
import type { Marker } from './step-chart.tsx'
import { Watch } from './watch.tsx'

/** Events of a resource that its page lists. */
const MAX_EVENTS = 50

const route = getRouteApi('/reading/prices/$provider/$resource')

/** A resource at a seller: what it costs, since when, and where else it is sold. */
export function ResourcePage() {
  const { provider, resource } = route.useParams()
  const { asOf } = route.useSearch()
  const { data } = useSuspenseQuery(seriesQuery({ asOf, resources: [[provider, resource]] }))
  const lines = useMemo(() => linesOf(data.rows), [data])
  const isOperator = useIsOperator()
  const actions = (
    <>
      {data.rows.length > 0 && <Watch of={{ provider, resource }} />}
      {isOperator && data.rows.length > 0 && <Correct provider={provider} resource={resource} />}
      {data.rows.length > 0 && (
        <SeriesExport
          name={`${provider}-${resource}`.replace(/[^\w.-]+/g, '-')}
          rows={data.rows}
          leftOut={data.leftOut}
          asOf={data.asOf}
        />
      )}
      <AsOfPicker asOf={asOf} newest={data.newest} first={data.first} />
    </>
  )
  return (
    <Page
      title={resource}
      about={data.rows.length > 0 && <About provider={provider} data={data} asOf={asOf} />}
      actions={actions}
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
        <Details data={data} lines={lines} provider={provider} resource={resource} asOf={asOf} />
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

export const Section = ({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) => (
  <Stack gap="sm" component="section" mt="md">
    <div>
      <Title order={2} size="h4">
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
    </div>
    {children}
  </Stack>
)

type DetailsProps = { data: Series; lines: PriceLine[]; provider: string; resource: string; asOf: string | undefined }

function Details({ data, lines, provider, resource, asOf }: DetailsProps) {
  const withSource = new Set(lines.map(({ source }) => source)).size > 1
  const isGone = lines.every((line) => !line.current)
  return (
    <>
      {isGone && <Text c="dimmed">Nothing is served of it any more: its history is below.</Text>}
      <CurrentPrices lines={lines} />
      <Section title="History" about="Each price holds until the next one. Point at a step to see its row.">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
          {byKind(lines).map(({ key, dimension, lines: own }) => (
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
                markers={markersOf(data, own)}
              />
            </Card>
          ))}
        </SimpleGrid>
      </Section>
      {data.groups.map((group) => (
        <OtherSellers key={group.id} group={group} asOf={asOf} here={{ provider, resource }} />
      ))}
      <Section
        title="All rows"
        about={`What was recorded, once and for ever. Only the status of a row changes.${leftOutText(data)}`}
      >
        <RowTable rows={data.rows} />
      </Section>
      <Events provider={provider} resource={resource} asOf={asOf} />
    </>
  )
}

const leftOutText = ({ leftOut }: Series): string =>
  leftOut === 0 ? '' : ` ${leftOut.toLocaleString('en')} older rows are left out here: Export has the request for them.`

/** Renamings, and the instants from which nothing was served. */
const markersOf = ({ renamings }: Series, lines: PriceLine[]): Marker[] => [
  ...renamings.map(({ at, from }) => ({ at, label: `was ${from}` })),
  ...lines.flatMap(({ steps }) => (steps.at(-1)?.row === null ? [{ at: steps.at(-1)!.at, label: 'removed' }] : [])),
]

type Others = {
  group: { id: string; name: string }
  asOf: string | undefined
  here: { provider: string; resource: string }
}

function OtherSellers({ group, asOf, here }: Others) {
  const { data } = useSuspenseQuery(seriesQuery({ asOf, group: group.id }))
  const offers = useMemo(() => offersOf(data), [data])
  const about = (
    <>
      {orderText(offers)}{' '}
      <TextLink to="/compare/$group" params={{ group: group.id }} search={{ asOf }}>
        Compare their histories
      </TextLink>
    </>
  )
  return (
    <Section title={`${group.name} at every seller`} about={about}>
      <Sellers series={data} offers={offers} here={here} />
    </Section>
  )
}

function Events({ provider, resource, asOf }: { provider: string; resource: string; asOf: string | undefined }) {
  const { data } = useSuspenseQuery(feedQuery({ providers: provider, resource, asOf, limit: String(MAX_EVENTS) }))
  const isGone = isForgotten(asOf, new Date().toISOString())
  const none = isGone
    ? 'Those of that time are no longer kept: the history above shows them as steps.'
    : 'There is none of them: the history above shows earlier changes as steps. Prices of the first start are no changes.'
  return (
    <Section title="Events" about={`What was sent to webhooks about it. ${KEPT}`}>
      {data.items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <FeedList items={data.items} />
      )}
      {data.next && (
        <Text size="sm" c="dimmed">
          These are the newest {MAX_EVENTS}. “What changed” shows earlier ones.
        </Text>
      )}
    </Section>
  )
}
