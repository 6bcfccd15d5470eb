import { Alert, Anchor, Grid, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { ApiError } from '../../api/connection/client.ts'
import { type DocumentAnswer, documentQuery } from '../../api/documents.ts'
import { overviewQuery } from '../../api/feed.ts'
import { useProviderNames } from '../../api/provider-names.ts'
import { capital } from '../../capital.ts'
import { ButtonLink } from '../../components/links.tsx'
import { lazyPart } from '../../components/loading/lazy-part.ts'
import { Placeholder } from '../../components/loading/skeletons.tsx'
import { Page } from '../../components/page.tsx'
import { Empty } from '../../components/states/empty.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { toTheMinute } from '../../instants.ts'
import { keepAsOf } from '../../search.ts'
import { AsOfPicker, PastNotice } from '../prices/as-of.tsx'
import { Watch } from '../prices/resource/watch.tsx'
import { curlOf } from '../prices/take-away/request.ts'
import { TakeAway } from '../prices/take-away/take-away.tsx'
import type { DocumentSearch } from './search.ts'
import { Changes, Citation, Contents, SuppressedParts } from './side-parts.tsx'
import { Timeline } from './timeline.tsx'

const route = getRouteApi('/reading/documents/$provider/$document')
const Difference = lazyPart(() => import('./difference.tsx'))

/** A document: two of its versions beside each other, or one to read. */
export function DocumentPage() {
  const { provider, document } = route.useParams()
  const search = route.useSearch()
  const { data, isPlaceholderData, error, refetch } = useQuery(documentQuery(provider, document, search))
  const { data: overview } = useQuery(overviewQuery)
  const isMissing = error instanceof ApiError && error.status === 404
  const actions = (
    <>
      {data && <Watch of={{ provider, document }} />}
      {data && (
        <TakeAway
          name={`${provider}-${document}`}
          table={() => tableOf(data)}
          request={() => requestOf(data)}
          requestTitle="Documents for a program"
        />
      )}
      <AsOfPicker asOf={search.asOf} newest={overview?.newest} first={overview?.first} />
    </>
  )
  return (
    <Page
      title={data?.document.title ?? wordsOf(document)}
      about={<About provider={provider} url={data?.document.url} />}
      actions={actions}
      isOld={isPlaceholderData}
    >
      <PastNotice asOf={search.asOf} />
      {error && isMissing && <NoDocument />}
      {error && !isMissing && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && (
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 8.8 }}>
            <Placeholder height={640} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 3.2 }}>
            <Placeholder height={240} />
          </Grid.Col>
        </Grid>
      )}
      {data && <Content data={data} isOld={isPlaceholderData} search={search} />}
    </Page>
  )
}

/** `terms-of-use` as a heading, until its title is known. */
const wordsOf = (slug: string): string => capital(slug.replaceAll('-', ' '))

const NoDocument = () => (
  <Empty
    title="There is no such document"
    action={
      <ButtonLink to="/documents" search={keepAsOf} variant="default">
        See all documents
      </ButtonLink>
    }
  >
    It was not recorded at that time, or this installation does not track it.
  </Empty>
)

/** Only addresses of the web are links: a declared address may be anything. */
function About({ provider, url }: { provider: string; url: string | undefined }) {
  const nameOf = useProviderNames()
  return (
    <>
      A document of {nameOf(provider)}
      {url && ' · '}
      {url &&
        (/^https?:\/\//i.test(url) ? (
          <Anchor href={url} rel="noopener noreferrer nofollow" target="_blank">
            original text
          </Anchor>
        ) : (
          url
        ))}
    </>
  )
}

type ContentProps = { data: DocumentAnswer; isOld: boolean; search: DocumentSearch }

function Content({ data, isOld, search }: ContentProps) {
  const navigate = route.useNavigate()
  const set = (change: Partial<DocumentSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) })
  // What is chosen is said at once, also while it is read.
  const chosen = isOld
    ? { from: search.from, to: search.to ?? data.versions[0]!.versionId }
    : { from: data.before?.versionId, to: data.after.versionId }
  const isText = search.view === 'text' || !data.before
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 3.2 }} order={2}>
        <Stack>
          <Timeline versions={data.versions} chosen={chosen} onShow={(to, from) => set({ to, from })} />
          {isText ? <Contents rows={data.rows} /> : <Changes data={data} />}
          <SuppressedParts suppressed={data.suppressed} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8.8 }} order={1}>
        <Stack>
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              {isText ? (
                <>The text recorded {toTheMinute(data.after.recordedAt)}</>
              ) : (
                <>
                  <b>{toTheMinute(data.before!.recordedAt)}</b> → <b>{toTheMinute(data.after.recordedAt)}</b>
                </>
              )}
              {data.after.effectiveDate && <> · effective {data.after.effectiveDate}</>}
            </Text>
            {data.before && (
              <SegmentedControl
                aria-label="What is shown"
                size="xs"
                value={isText ? 'text' : 'difference'}
                onChange={(view) => set({ view: view === 'text' ? 'text' : undefined })}
                data={[
                  { value: 'difference', label: 'What changed' },
                  { value: 'text', label: 'Text' },
                ]}
              />
            )}
          </Group>
          <Suspense fallback={<Placeholder height={640} />}>
            <Difference
              key={`${data.before?.versionId} ${data.after.versionId}`}
              rows={data.rows}
              isText={isText}
              versionId={data.after.versionId}
            />
          </Suspense>
          {data.truncated && (
            <Alert color="gray" title="This is too long for one page">
              A part of it is left out here.
            </Alert>
          )}
          <Citation data={data} isText={isText} />
        </Stack>
      </Grid.Col>
    </Grid>
  )
}

const requestOf = ({ document: { provider } }: DocumentAnswer) => ({
  curl: curlOf(`${location.origin}/v1/catalog?provider=${provider}`),
  about:
    'No request returns the text. This returns the documents of this provider with their addresses, as they are now. Webhooks send what changed in a document.',
})

const tableOf = ({ rows }: DocumentAnswer): unknown[][] => [
  ['kind', 'section', 'clause', 'before', 'after'],
  ...rows.map(({ kind, section, clause, left, right }) => [kind, section, clause, left, right]),
]
