import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * Returns what changes a part of the open page's address. The browser's way back does not lead through each change: only
 * through steps, such as something that was opened.
 */
export function useChangeSearch(): (change: object, isStep?: boolean) => void {
  const navigate = useNavigate()
  return useCallback(
    (change, isStep = false) =>
      void navigate({ to: '.', search: ((before: object) => ({ ...before, ...change })) as never, replace: !isStep }),
    [navigate],
  )
}
