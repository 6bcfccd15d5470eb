import { Anchor, Stack, Text, TextInput, useComputedColorScheme } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { visitorQuery } from '../../api/account.ts'
import { TextLink } from '../../components/links.tsx'
import { Placeholder } from '../../components/loading/skeletons.tsx'
import { Page } from '../../components/page.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { CopiedValue } from '../../components/values/copied-value.tsx'
import { curlOf } from '../prices/take-away/request.ts'
import { findEvents } from './find-operations.ts'
import { showReference } from './load-reference.ts'
import { nameControls } from './name-controls.ts'
import './reference.css'

/** Every endpoint of the API, from the document that the service makes of its own schemas. For everyone. */
export function Reference() {
  const [query, search] = useState('')
  return (
    <Page
      title="API reference"
      about={
        <>
          Every endpoint, with parameters, examples and errors, from the{' '}
          <Anchor href="/openapi.json">OpenAPI document</Anchor>.
        </>
      }
    >
      <Keys />
      <TextInput
        aria-label="Search endpoints"
        placeholder="Search endpoints"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={query}
        onChange={({ currentTarget }) => search(currentTarget.value)}
        maw={480}
      />
      <Operations query={query} />
    </Page>
  )
}

/** With which rights requests are tried here, and what a program needs. */
function Keys() {
  const { data } = useQuery(visitorQuery)
  return (
    <Stack gap="xs" maw={720}>
      <Text size="sm">
        {data?.session ? (
          <>
            Requests you try here run as you. A program needs a key: create one under{' '}
            <TextLink to="/keys">API keys</TextLink>.
          </>
        ) : (
          <>
            To try requests here,{' '}
            <TextLink to="/sign-in" search={{ next: '/docs' }}>
              sign in
            </TextLink>{' '}
            or paste an API key under Authorize. It stays in this page only. Members of a workspace create keys under
            API keys.
          </>
        )}
      </Text>
      <CopiedValue value={curlOf(`${location.origin}/v1/providers`)} label="request" />
    </Stack>
  )
}

function Operations({ query }: { query: string }) {
  const place = useRef<HTMLDivElement>(null)
  const ui = useRef<Awaited<ReturnType<typeof showReference>>>(undefined)
  const [state, setState] = useState<'loading' | 'shown' | Error>('loading')
  useDarkReference()
  useEffect(() => {
    const node = document.createElement('div')
    place.current?.append(node)
    const stopNaming = nameControls(node)
    showReference(node).then(
      (shown) => {
        ui.current = shown
        setState('shown')
      },
      (error) => setState(error),
    )
    return () => {
      stopNaming()
      node.remove()
    }
  }, [])
  useEffect(() => {
    if (state !== 'shown' || !place.current) return
    ui.current?.layoutActions.updateFilter(query)
    findEvents(place.current, query)
  }, [query, state])
  return (
    <>
      {state === 'loading' && <Placeholder height={640} />}
      {state instanceof Error && <Failure error={state} retry={() => location.reload()} />}
      <div ref={place} className={query.trim() === '' ? 'reference' : 'reference searched'} />
    </>
  )
}

/** The reference has dark colours of its own, below this class. */
function useDarkReference() {
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', isDark)
    return () => document.documentElement.classList.remove('dark-mode')
  }, [isDark])
}
