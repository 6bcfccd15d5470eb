import type { SourceDeclaration } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import type { SettledAuthority } from '../authority/settle-authority.ts'
import { type ParsedPrices, readableName } from '../schema.ts'
import type { StagedSnapshot } from '../staging/stage-prices.ts'
import type { KnownSource } from '../store/line-state-store.ts'

/** A snapshot that is ingested. */
type Ingesting = {
  source: SourceDeclaration
  /** SHA-256 of the snapshot, which is stored already. */
  snapshotHash: string
  parserVersion: number
  /** Only for importing history: the instant to record at, instead of now. */
  at?: Instant
  /** No events and no items to review: for importing history on the first start. */
  quiet?: boolean
}

export type IngestInput = Ingesting & { parsed: ParsedPrices }

/** A snapshot whose lines are staged. */
export type StagedInput = Ingesting & {
  parsed: Pick<ParsedPrices, 'providers' | 'announced'>
  staged: StagedSnapshot
  /** What was left out of it, by reason. */
  suppressed: Record<string, number>
}

/** A staged snapshot of which is known what its source speaks for, with the source as it was before that. */
export type SettledInput = StagedInput & { before: KnownSource; authority: SettledAuthority }

/** The providers that a snapshot names, with names that can be stored. */
export const storableProviders = ({ parsed }: StagedInput) =>
  parsed.providers.map((provider) => ({ ...provider, name: readableName(provider.name) }))
