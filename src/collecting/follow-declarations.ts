import { announceProviders, type DeclaredProvider } from '../catalog/providers/announce-providers.ts'
import { nameProviders } from '../catalog/providers/name-providers.ts'
import { SLUG } from '../catalog/schema.ts'
import { noteDeclared } from '../catalog/sources/ended-source-store.ts'
import { endsAt } from '../catalog/sources/source-rules.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import type { Instant } from '../lib/instant.ts'
import { introduceDocuments } from '../terms/ingest/introduce-document.ts'
import { documentOptions } from '../terms/schema.ts'
import type { Collecting } from './collecting.ts'
import { endUndeclaredSources } from './end-sources.ts'

/**
 * Does what the list of sources alone demands, before anything is read: the providers and documents that it names are
 * listed, and sources that it has not named for a week end.
 */
export async function followDeclarations(collecting: Collecting, now: Instant): Promise<void> {
  const { enabled } = await collecting.sources()
  const { sql, log } = await collecting.tools()
  const undeclared = await noteDeclared(sql, now)
  if (undeclared.length > 0)
    log.warn({ sources: undeclared, endsAt: endsAt(now) }, 'sources are no longer declared; their prices end then')
  await introduceDocuments(
    sql,
    enabled.filter(({ kind }) => kind === 'terms'),
  )
  await announceProviders(sql, enabled.flatMap(providerOf))
  await nameProviders(sql, namesOf(enabled))
  await endUndeclaredSources({ sql, log }, now)
}

/** How declarations of documents call providers. The first one that names a provider decides. */
function namesOf(sources: DeclaredSource[]): { provider: string; name: string }[] {
  const names = new Map<string, string>()
  for (const { kind, options } of sources) {
    if (kind !== 'terms') continue
    const { provider, providerName } = documentOptions.parse(options)
    if (providerName && !names.has(provider)) names.set(provider, providerName)
  }
  return [...names].map(([provider, name]) => ({ provider, name }))
}

/** The provider that the declaration of a list names. Others are named by what is read. */
function providerOf({ source, kind, witness, options }: DeclaredSource): DeclaredProvider[] {
  const { provider, name } = options
  if (kind !== 'prices' || witness || typeof provider !== 'string' || !SLUG.test(provider)) return []
  return [{ source, provider, name: typeof name === 'string' ? name : provider }]
}
