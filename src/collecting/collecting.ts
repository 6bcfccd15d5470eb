import { declareSources } from '../catalog/sources/source-store.ts'
import { readSources, type Sources } from '../collectors/sources-file.ts'
import { type Config, pagesUrl } from '../lib/config.ts'
import type { Isolation } from '../lib/isolation/isolation.ts'
import type { Log } from '../lib/log.ts'
import type { SafeFetch } from '../lib/safe-fetch/safe-fetch.ts'
import type { Sql } from '../lib/sql.ts'
import type { CollectTools } from './schema.ts'

/** What the use cases of this room work on: the declared sources and the tools to read them. */
export type Collecting = {
  config: Config
  /** Reads the list of sources once, and records what it declares. */
  sources(): Promise<Sources>
  tools(): Promise<CollectTools>
}

type CollectingTools = { config: Config; log: Log; sql: Sql; isolation: Isolation }

/** Prepares collecting for a worker, a command or a test. */
export function createCollecting(
  { config, log, sql, isolation }: CollectingTools,
  get: SafeFetch['get'],
  { spacingMs }: { spacingMs?: number } = {},
): Collecting {
  let read: Sources | undefined
  let declared: Promise<void> | undefined

  async function sources(): Promise<Sources> {
    read ??= readSources(config.sourcesFile)
    declared ??= declareSources(sql, read.enabled)
    await declared.catch((error) => {
      declared = undefined
      throw error
    })
    return read
  }

  return {
    config,
    sources,
    tools: async () => ({
      sql, log, get, isolation, spacingMs,
      folder: (await sources()).folder, offline: config.offline, keys: config.sourceKeys, pagesUrl: pagesUrl(config),
    }), // biome-ignore format: one thing after another
  }
}
