import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Returns what changes a part of the open page's address. The browser's way back does not lead through each change. */
export function useChangeSearch(): (change: object) => void {
  const navigate = useNavigate()
  return useCallback(
    (change) =>
      void navigate({ to: '.', search: ((before: object) => ({ ...before, ...change })) as never, replace: true }),
    [navigate],
  )
}
