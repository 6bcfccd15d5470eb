import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { storableJson } from '../../lib/storable-input.ts'
import {
  type FoundResource,
  findProviders,
  type ProviderOverview,
  providerOverview,
  resourcesMatching,
  type SearchPosition,
} from '../providers/overview-store.ts'

const PROVIDERS = 5
const RESOURCES = 10

const position = z.tuple([z.int32(), z.int32(), z.string(), z.string()])

/** Returns every provider with where it is read, retired ones too. */
export const listAllProviders = (sql: Sql): Promise<ProviderOverview[]> => providerOverview(sql)

/** What the catalogue has under a text, and where the next resources begin. */
export type CatalogMatches = {
  providers: { provider: string; name: string }[]
  resources: Pick<FoundResource, 'provider' | 'resource'>[]
  next: string | null
}

/** Returns providers and listed resources whose name holds a text, the closest first. @throws AppError invalid_query */
export async function searchCatalog(sql: Sql, text: string, after?: string): Promise<CatalogMatches> {
  const from = after === undefined ? undefined : readPosition(after)
  const providers = from ? [] : await findProviders(sql, text, PROVIDERS)
  const found = await resourcesMatching(sql, text, { after: from, limit: RESOURCES + 1 })
  const shown = found.slice(0, RESOURCES)
  return {
    providers,
    resources: shown.map(({ provider, resource }) => ({ provider, resource })),
    next: found.length > RESOURCES ? Buffer.from(JSON.stringify(shown.at(-1)!.position)).toString('base64url') : null,
  }
}

function readPosition(text: string): SearchPosition {
  const { data } = position.safeParse(storableJson(Buffer.from(text, 'base64url').toString()))
  if (data) return data
  throw new AppError('invalid_query', 'after: this is not a `next` from an earlier answer. Start again without it.', {
    field: 'after',
  })
}
