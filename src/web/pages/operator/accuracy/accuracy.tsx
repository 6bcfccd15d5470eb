import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type Accuracy as Answer, accuracyQuery } from '../../../api/operator.ts'
import { Placeholder, Words } from '../../../components/loading/skeletons.tsx'
import { Section } from '../../../components/section.tsx'
import { Empty } from '../../../components/states/empty.tsx'
import { Known } from '../../../components/states/known.tsx'
import { Moment } from '../../../components/values/moment.tsx'
import { text } from '../../../search.ts'
import { OperatorPage } from '../operator-page.tsx'
import { Contradicted } from './contradicted.tsx'
import { STATES, servedOf, shownChanges, shownHours, shownShare, sumOf } from './counts.ts'
import { GroupTable } from './group-table.tsx'
import { History } from './history.tsx'

/** How sure what is served is. */
export const Accuracy = () => (
  <OperatorPage
    title="Accuracy"
    about="Once a day every served price is compared with all sources and witnesses as they were last read."
  >
    {() => <Measured />}
  </OperatorPage>
)

function Measured() {
  const query = useQuery(accuracyQuery)
  const { data } = query
  const provider = text((useSearch({ strict: false }) as Record<string, unknown>).provider)
  if (data && !data.newest)
    return (
      <Empty title="Not measured yet">
        Prices are measured every day at 03:00 UTC. To measure now: npx pricetape price accuracy --measure
      </Empty>
    )
  return (
    <Stack>
      <Known query={query}>
        <Totals newest={data?.newest} />
        <Section title="Last 30 days" about="The share of served prices that is contradicted, and that is unconfirmed.">
          {data ? <History days={data.history} /> : <Placeholder height={110} />}
        </Section>
        {provider !== undefined && <Contradicted key={provider} provider={provider} />}
        <Section
          title="Providers"
          about="The worst first. A provider has a row for each rank of the sources that its prices are served from."
        >
          <GroupTable groups={data?.newest?.groups} />
        </Section>
      </Known>
    </Stack>
  )
}

const NOTHING = { published: 0, hoursMedian: null, hoursP90: null }

function Totals({ newest }: { newest: NonNullable<Answer['newest']> | undefined }) {
  const counts = sumOf(newest?.groups ?? [])
  const served = servedOf(counts)
  const { published, hoursMedian, hoursP90 } = newest?.total ?? NOTHING
  const facts: [name: string, value: string, about: string][] = [
    ['Served', served.toLocaleString('en'), 'prices'],
    ...(Object.keys(STATES) as (keyof typeof STATES)[]).map((state): [string, string, string] => [
      STATES[state],
      shownShare(counts[state], served),
      counts[state].toLocaleString('en'),
    ]),
    ['Published after', shownHours(hoursMedian, hoursP90), `${shownChanges(published)} in a day`],
  ]
  return (
    <Stack gap="xs">
      <Group gap="xl" align="flex-start" role="group" aria-label="All served prices">
        {facts.map(([name, value, about]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text fw={600}>{newest ? value : <Words width={60} />}</Text>
            <Text size="xs" c="dimmed">
              {newest ? about : <Words width={50} />}
            </Text>
          </div>
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        Measured {newest ? <Moment at={newest.measuredAt} /> : '…'}. Contradicted: other sources have contradicted it
        for 48 hours, or a page of its provider has another price now. Confirmed: by the provider’s own page, by a list
        of another origin, or by its own list alone. Unconfirmed: its source was not read lately or no longer says so.
      </Text>
    </Stack>
  )
}
