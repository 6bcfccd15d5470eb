import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { EarlyKeys } from './early-keys.ts'
import { pageActions } from './page-actions.ts'
import { type UseCommands, useMemberCommands, useVisitorCommands } from './use-commands.ts'

const [store, spotlight] = createSpotlight()
const TYPING_MS = 150

/** `onFocus` is asked once, by the field that takes keys from then on, for those that were pressed before. */
type Props = { onClose: () => void; onFocus: () => EarlyKeys }

export const MemberPalette = (props: Props) => (
  <Palette {...props} useCommands={useMemberCommands} placeholder="Find a page, a model, a document, a webhook …" />
)

export const VisitorPalette = (props: Props) => (
  <Palette {...props} useCommands={useVisitorCommands} placeholder="Find a page, a model, a document …" />
)

/** Finds pages, actions, resources, providers, documents, webhooks and comparisons by their names. */
function Palette({
  onClose,
  onFocus,
  useCommands,
  placeholder,
}: Props & { useCommands: UseCommands; placeholder: string }) {
  const [query, setQuery] = useState('')
  const [typed] = useDebouncedValue(query, TYPING_MS)
  const [onPage] = useState(pageActions)
  const { groups, isLoading, isOutdated, error } = useCommands(query, typed, onPage)
  const isBehind = isOutdated || query.trim() !== typed.trim()
  useEffect(() => spotlight.open(), [])
  const openFirst = () => {
    const first = groups[0]?.commands[0]
    if (!first) return
    if (!first.isMore) spotlight.close()
    first.run()
  }
  // Enter waits for what was typed before it to be found: the first of something else is not what was meant.
  const [entered, setEntered] = useState<string>()
  useEffect(() => {
    if (entered === undefined || isBehind) return
    setEntered(undefined)
    if (entered === query) openFirst()
  })
  /** Whether someone went with the arrow keys to one of what is shown. */
  const isChosen = useRef(false)
  const look = (text: string) => {
    isChosen.current = false
    setQuery(text)
  }
  const firstId = groups[0]?.commands[0]?.id
  useEffect(() => {
    if (firstId !== undefined && query !== '' && !isChosen.current) markFirst()
  }, [firstId, query])
  const takeEarlyKeys = () => {
    const early = onFocus()
    if (early.text !== '') look(early.text)
    if (early.isEntered) setEntered(early.text)
  }
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={look}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': 'Find' } }}
    >
      <Spotlight.Search
        placeholder={placeholder}
        aria-label="Find"
        leftSection={<IconSearch size={18} aria-hidden />}
        onFocus={takeEarlyKeys}
        onKeyDownCapture={(event) => {
          const { key, nativeEvent } = event
          if (key === 'ArrowDown' || key === 'ArrowUp') isChosen.current = true
          if (key !== 'Enter' || nativeEvent.isComposing || (isChosen.current && marked())) return
          event.stopPropagation()
          event.preventDefault()
          if (isBehind) setEntered(query)
          else openFirst()
        }}
      />
      <Found groups={groups} whileEmpty={error ? error.message : isLoading ? 'Searching …' : 'No results'} />
    </Spotlight.Root>
  )
}

type FoundProps = { groups: ReturnType<UseCommands>['groups']; whileEmpty: string }

const Found = ({ groups, whileEmpty }: FoundProps) => (
  <Spotlight.ActionsList>
    {groups.map(({ label, commands }) => (
      <Spotlight.ActionsGroup key={label} label={label}>
        {commands.map(({ id, label: name, about, run, isMore = false }) => (
          <Spotlight.Action key={id} label={name} description={about} onClick={run} closeSpotlightOnTrigger={!isMore} />
        ))}
      </Spotlight.ActionsGroup>
    ))}
    {groups.length === 0 && <Spotlight.Empty>{whileEmpty}</Spotlight.Empty>}
  </Spotlight.ActionsList>
)

const marked = () => document.querySelector('[data-action][data-selected]')

/** The mark is on an element, which stays with it when another is found that comes first. */
function markFirst(): void {
  marked()?.removeAttribute('data-selected')
  document.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}
