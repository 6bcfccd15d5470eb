import { parseUrl } from '../lib/http/parse-url.ts'

/** What a parameter that lets someone in is called. */
const SECRET = /key|token|secret|sig|pass|pwd|auth|cred|jwt|session/i
const HIDDEN = 'hidden'

/**
 * Returns where a source is read as everyone may know it: a URL without user names, passwords and keys, and of a file
 * its name, because folders are the operator's business.
 */
export function shownAddress(declared: string): string {
  const url = /^https?:/i.test(declared) ? parseUrl(declared) : undefined
  if (!url) return declared.split(/[\\/]/).at(-1)!
  const secrets = [...new Set(url.searchParams.keys())].filter((name) => SECRET.test(name))
  if (secrets.length === 0 && !url.username && !url.password) return declared
  url.username = ''
  url.password = ''
  for (const name of secrets) url.searchParams.set(name, HIDDEN)
  return url.href
}
