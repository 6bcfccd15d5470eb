import { useDebouncedCallback } from '@mantine/hooks'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { text } from '../../search.ts'
import { useChangeSearch } from './use-change-search.ts'

const PAUSE_MS = 200

/**
 * What is typed into the search: shown and searched at once, put into the address when the typing pauses. What comes
 * from the address, with the back button for example, replaces it.
 */
export function useTyped(
  sought: string | undefined,
  put: (sought: string | undefined) => void,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(sought ?? '')
  const known = useRef(sought)
  useEffect(() => {
    if (sought === known.current) return
    known.current = sought
    setTyped(sought ?? '')
  }, [sought])
  const send = useDebouncedCallback((next: string) => {
    known.current = next.trim() || undefined
    put(known.current)
  }, PAUSE_MS)
  return [
    typed,
    (next) => {
      setTyped(next)
      send(next)
    },
  ]
}

/** What is typed into the search of a list: in the address of its page, under this name. */
export function useListSearch(name = 'q'): [string, (typed: string) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const change = useChangeSearch()
  return useTyped(text(search[name]), (sought) => change({ [name]: sought }))
}
