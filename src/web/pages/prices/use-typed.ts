import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { PricesSearch } from './search.ts'

const PAUSE_MS = 200

/**
 * What is typed into the search: shown and searched at once, put into the address when the typing pauses. What comes
 * from the address, with the back button for example, replaces it.
 */
export function useTyped(
  q: string | undefined,
  put: (change: Partial<PricesSearch>) => void,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(q ?? '')
  const known = useRef(q)
  useEffect(() => {
    if (q === known.current) return
    known.current = q
    setTyped(q ?? '')
  }, [q])
  const send = useDebouncedCallback((next: string) => {
    known.current = next || undefined
    put({ q: next || undefined })
  }, PAUSE_MS)
  return [
    typed,
    (next) => {
      setTyped(next)
      send(next)
    },
  ]
}
