import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AppError, ERROR_CODES } from '../../src/lib/errors.ts'

const DOCS = join(import.meta.dirname, '../../docs/use')

/** The codes of a page's tables of errors, with the status that each is listed under. */
function documentedIn(page: string): [code: string, status: number][] {
  const rows = readFileSync(join(DOCS, page), 'utf8').matchAll(/^\| (\d{3}) \| ([^|]+)\|/gm)
  return [...rows].flatMap(([, status, codes]) =>
    [...codes!.matchAll(/`(\w+)`/g)].map(([, code]): [string, number] => [code!, Number(status)]),
  )
}

describe('the error codes that our pages list', () => {
  const documented = [...documentedIn('reading-prices.md'), ...documentedIn('accounts.md')]

  it('are all codes that there are, and no other', () => {
    expect([...new Set(documented.map(([code]) => code))].sort()).toEqual([...ERROR_CODES].sort())
  })

  it.each(documented)('%s has status %d', (code, status) => {
    expect(new AppError(code as (typeof ERROR_CODES)[number], '').status).toBe(status)
  })

  it('are in both pages where the specification says so', () => {
    // Specification, Errors: codes usable with an API key.
    expect(Object.fromEntries(documentedIn('reading-prices.md'))).toMatchObject({
      unauthorized: 401,
      invalid_api_key: 401,
      invalid_query: 400,
      as_of_too_recent: 400,
      alias_not_found: 404,
      alias_changed: 409,
      provider_not_found: 404,
      rate_limited: 429,
    })
    // Codes that only the signed-in app produces.
    expect(Object.fromEntries(documentedIn('accounts.md'))).toMatchObject({
      webhook_limit: 409,
      api_key_limit: 409,
      invalid_body: 400,
      organization_limit: 409,
      organization_busy: 409,
      invitation_limit: 429,
      invalid_url: 400,
      webhook_paused: 409,
    })
  })
})
