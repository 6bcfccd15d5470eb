import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { linkToken } from '../../link-token.ts'

/**
 * Returns the secret of the link that opened this page, or of one that was pasted into its address since: where only what
 * follows the `#` differs, browsers do not load a page again. It stays while the next page is opened, whose address has none.
 */
export function useLinkToken(): string {
  // Renders again when the address changes.
  useLocation()
  const [kept, keep] = useState(linkToken)
  const token = linkToken() || kept
  if (token !== kept) keep(token)
  return token
}
