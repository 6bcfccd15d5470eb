import { Button, Group, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type AliasGroup, aliasesQuery } from '../../../api/operator.ts'
import { FindField } from '../../../components/forms/find-field.tsx'
import { useChangeSearch } from '../../../components/hooks/use-change-search.ts'
import { useListSearch } from '../../../components/hooks/use-typed.ts'
import { Placeholder } from '../../../components/loading/skeletons.tsx'
import { Known } from '../../../components/states/known.tsx'
import { text } from '../../../search.ts'
import { hasWords } from '../../../words.ts'
import { OperatorPage } from '../operator-page.tsx'
import { GroupForm } from './group-form.tsx'
import { GroupTable } from './group-table.tsx'
import { Proposals } from './proposals.tsx'

/** Alias groups: one model under each provider's own name. */
export const Aliases = () => (
  <OperatorPage
    title="Alias groups"
    about="One model under each provider's own name, so that its sellers can be compared and watched together. Webhooks report members joining or leaving."
  >
    {() => <Groups />}
  </OperatorPage>
)

function Groups() {
  const query = useQuery(aliasesQuery)
  const { data } = query
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const change = useChangeSearch()
  const [typed, setTyped] = useListSearch()
  const [edited, setEdited] = useState<AliasGroup | 'new'>()
  const tab = text(search.tab) === 'proposals' ? 'proposals' : 'groups'
  const show = (value: string | null) => change({ tab: value === 'proposals' ? value : undefined })
  const groups = data?.groups.filter(
    ({ name, members }) => hasWords(name, typed) || members.some(({ resource }) => hasWords(resource, typed)),
  )
  return (
    <Tabs value={tab} onChange={show} keepMounted={false}>
      <Known query={query}>
        <Tabs.List>
          <Tabs.Tab value="groups">Groups ({data?.groups.length ?? '…'})</Tabs.Tab>
          <Tabs.Tab value="proposals">Proposals ({data?.proposals.length ?? '…'})</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="groups" pt="md">
          <Stack>
            <Group justify="space-between">
              <FindField
                label="Find a group or a member"
                typed={typed}
                onType={setTyped}
                w={{ base: '100%', sm: 280 }}
              />
              <Button onClick={() => setEdited('new')}>Create a group</Button>
            </Group>
            <GroupTable groups={groups} isFiltered={typed.trim() !== ''} onEdit={setEdited} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="proposals" pt="md">
          {data ? <Proposals proposals={data.proposals} /> : <Placeholder height={320} />}
        </Tabs.Panel>
        {edited && <GroupForm group={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      </Known>
    </Tabs>
  )
}
