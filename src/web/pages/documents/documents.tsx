import { Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { plural } from '../../../lib/text/plural.ts'
import { documentsQuery } from '../../api/documents.ts'
import { overviewQuery } from '../../api/feed.ts'
import { useProviderNames } from '../../api/provider-names.ts'
import { usePageData } from '../../api/use-page-data.ts'
import { FilterSelect } from '../../components/forms/filter-select.tsx'
import { useListSearch } from '../../components/hooks/use-typed.ts'
import { TextLink } from '../../components/links.tsx'
import { LoadingRows } from '../../components/loading/loading-rows.tsx'
import { Loading } from '../../components/loading/skeletons.tsx'
import { Page } from '../../components/page.tsx'
import { SourcesLink } from '../../components/sources-link.tsx'
import { Empty } from '../../components/states/empty.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { keepAsOf } from '../../search.ts'
import { hasWords } from '../../words.ts'
import { AsOfPicker, PastNotice } from '../prices/as-of.tsx'
import { curlOf } from '../prices/take-away/request.ts'
import { TakeAway } from '../prices/take-away/take-away.tsx'
import type { DocumentsSearch } from './search.ts'

const route = getRouteApi('/reading/documents')

/** Every legal document that is followed. */
export function Documents() {
  const search = route.useSearch()
  const { data, isPlaceholderData } = usePageData(documentsQuery(search.asOf))
  const documents = data?.documents
  const { data: overview } = useQuery(overviewQuery)
  const nameOf = useProviderNames()
  const [typed, type] = useListSearch()
  const shown = documents?.filter(
    ({ provider, title, document }) =>
      (!search.provider || provider === search.provider) &&
      hasWords(`${provider} ${nameOf(provider)} ${title} ${document}`, typed),
  )
  const providers = [...new Set(documents?.map(({ provider }) => provider))]
  const actions = (
    <>
      <TakeAway
        name="documents"
        table={() => tableOf(shown ?? [])}
        request={() => requestOf(shown ?? [])}
        requestTitle="Documents for a program"
      />
      <AsOfPicker asOf={search.asOf} newest={overview?.newest} first={overview?.first} />
    </>
  )
  return (
    <Page
      title="Documents"
      about="Providers’ terms and policies, and every change to them."
      actions={actions}
      isOld={isPlaceholderData}
    >
      <PastNotice asOf={search.asOf} />
      {!documents && <Loading />}
      {documents?.length === 0 ? (
        <Empty title="No documents yet" action={<SourcesLink />}>
          Documents are read from the providers’ own pages, a few every five minutes. This needs internet access.
        </Empty>
      ) : (
        <Stack>
          <Filters
            search={search}
            typed={typed}
            onType={type}
            providers={providers.map((value) => ({ value, label: nameOf(value) }))}
          />
          {shown?.length === 0 ? (
            <Empty title="Nothing matches">Remove a filter or a word from the search.</Empty>
          ) : (
            <List documents={shown} nameOf={nameOf} />
          )}
        </Stack>
      )}
    </Page>
  )
}

type FiltersProps = {
  search: DocumentsSearch
  typed: string
  onType: (typed: string) => void
  providers: { value: string; label: string }[]
}

function Filters({ search, typed, onType, providers }: FiltersProps) {
  const navigate = route.useNavigate()
  const set = (change: Partial<DocumentsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <Group gap="xs">
      <TextInput
        aria-label="Search"
        placeholder="Search documents"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        style={{ flex: '2 1 220px' }}
      />
      <FilterSelect
        label="Provider"
        any="All providers"
        data={providers}
        value={search.provider}
        onChange={(provider) => set({ provider })}
        searchable
        style={{ flex: '1 1 180px' }}
      />
    </Group>
  )
}

type Document = {
  provider: string
  document: string
  title: string
  url: string
  versions: number
  recordedAt: string | null
}

type ListProps = { documents: Document[] | undefined; nameOf: (provider: string) => string }

const List = ({ documents, nameOf }: ListProps) => (
  <Table verticalSpacing="sm" layout="fixed">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Document</Table.Th>
        <Table.Th visibleFrom="xs" w={160}>
          Provider
        </Table.Th>
        <Table.Th ta="right" w={90} visibleFrom="xs">
          Versions
        </Table.Th>
        <Table.Th w={130}>Last change</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {documents === undefined && <LoadingRows columns={4} wideOnly={[1, 2]} />}
      {documents?.map(({ provider, document, title, versions, recordedAt }) => (
        <Table.Tr key={`${provider}/${document}`}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {recordedAt ? (
              <TextLink
                to="/documents/$provider/$document"
                params={{ provider, document }}
                search={keepAsOf}
                c="bright"
                fw={500}
                size="sm"
                underline="hover"
              >
                {title}
              </TextLink>
            ) : (
              title
            )}
            <Text size="xs" c="dimmed" hiddenFrom="xs">
              {nameOf(provider)} · {plural(versions, 'version')}
            </Text>
          </Table.Td>
          <Table.Td visibleFrom="xs">{nameOf(provider)}</Table.Td>
          <Table.Td ta="right" visibleFrom="xs">
            {versions}
          </Table.Td>
          <Table.Td>
            {recordedAt ? (
              <Moment at={recordedAt} />
            ) : (
              <Text c="dimmed" inherit>
                not read yet
              </Text>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

const ABOUT =
  'No request returns this list. These return each provider’s documents (docs) with their addresses, as they are now, and what else it has.'

function requestOf(documents: Document[]) {
  const providers = [...new Set(documents.map(({ provider }) => provider))]
  const curl = providers.map((provider) => curlOf(`${location.origin}/v1/catalog?provider=${provider}`)).join('\n')
  return { curl, about: ABOUT }
}

const tableOf = (documents: Document[]): unknown[][] => [
  ['provider', 'document', 'title', 'url', 'versions', 'recordedAt'],
  ...documents.map(({ provider, document, title, url, versions, recordedAt }) => [
    ...[provider, document, title, url, versions, recordedAt],
  ]),
]
