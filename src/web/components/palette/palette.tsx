import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { pageActions } from './page-actions.ts'
import { type UseCommands, useMemberCommands, useVisitorCommands } from './use-commands.ts'

const [store, spotlight] = createSpotlight()
const TYPING_MS = 150

type Props = { onClose: () => void }

export const MemberPalette = ({ onClose }: Props) => (
  <Palette
    onClose={onClose}
    useCommands={useMemberCommands}
    placeholder="Find a page, a model, a document, a webhook …"
  />
)

export const VisitorPalette = ({ onClose }: Props) => (
  <Palette onClose={onClose} useCommands={useVisitorCommands} placeholder="Find a page, a model, a document …" />
)

/** Finds pages, actions, resources, providers, documents, webhooks and comparisons by their names. */
function Palette({ onClose, useCommands, placeholder }: Props & { useCommands: UseCommands; placeholder: string }) {
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
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
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
        onKeyDownCapture={(event) => {
          const { key, nativeEvent } = event
          if (key !== 'Enter' || nativeEvent.isComposing || isChosen()) return
          // What was found after the last key has no mark yet: then Enter opens the first of it, as it does where that is marked.
          event.stopPropagation()
          event.preventDefault()
          if (isBehind) setEntered(query)
          else openFirst()
        }}
      />
      <Spotlight.ActionsList>
        {groups.map(({ label, commands }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {commands.map(({ id, label: name, about, run, isMore = false }) => (
              <Spotlight.Action
                key={id}
                label={name}
                description={about}
                onClick={run}
                closeSpotlightOnTrigger={!isMore}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && (
          <Spotlight.Empty>{error ? error.message : isLoading ? 'Looking …' : 'Nothing is called so'}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Whether somebody went from the first of what is shown to another. */
function isChosen(): boolean {
  const chosen = document.querySelector('[data-action][data-selected]')
  return chosen !== null && chosen !== document.querySelector('[data-action]')
}
