import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import type { DocumentReading } from '../read/reading.ts'
import type { DocumentState } from '../schema.ts'
import { lockDocument } from '../store/version-store.ts'
import { leaveOutOfVersion, saveVolatility } from '../store/volatility-store.ts'
import type { Volatility } from '../volatile/schema.ts'

type LearnedFetch = { source: string; state: DocumentState; known: Volatility; reading: DocumentReading }

/**
 * Keeps what a fetch taught about the places that change. Returns the state to decide with: the text in force is
 * compared without its volatile places too.
 */
export async function rememberVolatility(
  sql: Sql,
  { source, state, known, reading: { learned } }: LearnedFetch,
  at: Instant,
): Promise<DocumentState> {
  const { current } = state
  if (!learned || !current) return state
  const { currentNormalHash: normalHash } = learned
  const isKnown = canonicalJson(known) === canonicalJson(learned.volatility)
  if (isKnown && normalHash === current.normalHash) return state
  await sql.begin(async (tx) => {
    await lockDocument(tx, source)
    if (!isKnown) await saveVolatility(tx, source, learned.volatility, at)
    if (normalHash !== current.normalHash)
      await leaveOutOfVersion(tx, current.versionId, learned.currentLeftOut, normalHash)
  })
  const seen = { ...current, normalHash }
  return {
    ...state,
    current: seen,
    known: state.known.map((version) => (version.versionId === seen.versionId ? { ...version, normalHash } : version)),
  }
}
