import { Alert, Badge, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError } from '../../api/connection/client.ts'
import { type Evidence, evidenceQuery } from '../../api/prices.ts'
import { useProviderNames } from '../../api/provider-names.ts'
import { ButtonLink } from '../../components/links.tsx'
import { LoadingRows } from '../../components/loading/loading-rows.tsx'
import { Words } from '../../components/loading/skeletons.tsx'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { Empty } from '../../components/states/empty.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { shownDimension, shownPrice, shownTier, unitHeading } from '../prices/money.ts'
import { shownStatus } from '../prices/table/status.ts'
import { Facts } from './facts.tsx'
import { ShownPlace } from './place.tsx'
import { Witnesses } from './witnesses.tsx'

const route = getRouteApi('/reading/evidence/$contentHash')

/** Where one price was read, and who else shows it. */
export function EvidencePage() {
  const { contentHash } = route.useParams()
  const { data, error, refetch } = useQuery(evidenceQuery(contentHash))
  const nameOf = useProviderNames()
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Page
      title={data ? `Evidence for ${data.resource}` : error ? 'Evidence' : undefined}
      about={data ? `${nameOf(data.provider)} · ${lineOf(data)}` : !error && <Words width={240} />}
      badge={data && <Status status={data.status} />}
      {...(!error && {
        back: {
          to: '/prices/$provider/$resource',
          params: { provider: data?.provider ?? '', resource: data?.resource ?? '' },
          label: data?.resource,
        },
      })}
    >
      {error && isMissing && <NoPrice />}
      {error && !isMissing && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <EvidenceLoading />}
      {data && <Content data={data} />}
    </Page>
  )
}

const lineOf = ({ dimension, pricingTier }: Evidence): string =>
  [shownDimension(dimension), shownTier(pricingTier)].filter(Boolean).join(' · ')

function Status({ status }: { status: string }) {
  const { label, color } = shownStatus(status)
  return (
    <Badge color={color} variant="light" tt="none" miw="max-content">
      {label}
    </Badge>
  )
}

const NoPrice = () => (
  <Empty
    title="There is no such price"
    action={
      <ButtonLink to="/prices" variant="default">
        See all prices
      </ButtonLink>
    }
  >
    No price with this hash was ever served here.
  </Empty>
)

/** The same while it is loading: the price, its unit and what is known of it. */
const EvidenceLoading = () => (
  <Stack gap="md">
    <div>
      <Text size="xl" lh={1.3}>
        <Words width={90} />
      </Text>
      <Text size="sm">
        <Words width={140} />
      </Text>
    </div>
    <Table variant="vertical" verticalSpacing={4}>
      <Table.Tbody>
        <LoadingRows columns={2} height={29} />
      </Table.Tbody>
    </Table>
  </Stack>
)

function Content({ data }: { data: Evidence }) {
  return (
    <Stack gap="md">
      <div>
        <Text size="xl" fw={600} lh={1.3}>
          {shownPrice(data.price, data.places)}
        </Text>
        <Text size="sm" c="dimmed">
          {unitHeading(data)}
        </Text>
      </div>
      {data.entered && (
        <Alert color="yellow" p="sm">
          A person entered this price. What the source shows is below.
        </Alert>
      )}
      <Facts data={data} />
      <Section title="What the source says" about="As it was when first read.">
        <ShownPlace place={data.place} noPlace={data.noPlace} />
      </Section>
      <Section
        title="Other sources"
        about={
          data.servedUntil
            ? 'What they showed for the same price while it was served, as far as it is known.'
            : 'What they show now for the same price.'
        }
      >
        <Witnesses witnesses={data.witnesses} places={data.places} />
      </Section>
    </Stack>
  )
}
