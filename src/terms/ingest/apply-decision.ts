import type { Stamp } from '../../catalog/clock/clock-store.ts'
import type { Tx } from '../../lib/sql.ts'
import { type DocumentReport, type DocumentState, GONE_AGAIN, REPLACED } from '../schema.ts'
import type { Version } from '../store/document-store.ts'
import { type DerivedText, expire, insertVersion, seeAgain } from '../store/version-store.ts'
import { activateProvider } from './activate-provider.ts'
import type { PendingWrite } from './confirm-text.ts'
import type { Decision } from './decision-rules.ts'

export type DecidedText = {
  decision: Decision
  provider: string
  text: DerivedText
  state: DocumentState
  current?: Version
  /** What a confirmed text leads to. */
  pending?: PendingWrite
}

/** Writes what was decided about a text, within the publication of its source. */
export async function applyDecision(tx: Tx, stamp: Stamp, decided: DecidedText): Promise<DocumentReport> {
  const { decision, text, state, current, pending } = decided
  const expired = 'expired' in decision ? decision.expired : undefined
  if (expired) {
    await expire(tx, expired.versionId, decision.action === 'ignore' ? GONE_AGAIN : REPLACED)
  }
  const gone = expired && { versionId: expired.versionId, status: expired.status }
  switch (decision.action) {
    case 'introduce':
      await activateProvider(tx, stamp, decided.provider)
      return { outcome: 'first', versionId: await insertVersion(tx, { ...text, status: 'published' }, stamp.at) }
    case 'ignore':
      return { ...unchanged(decision.because, text, current), gone }
    case 'open': {
      const returnsTo = decision.returnsTo?.versionId
      const { doubtSince, lastsSince } = decision
      const version = { ...text, status: 'candidate' as const, returnsTo, doubtSince, lastsSince }
      const versionId = await insertVersion(tx, version, stamp.at)
      return { outcome: 'waiting', versionId, recheckAt: decision.confirmAt, gone, reason: returnsTo && 'seen before' }
    }
    case 'confirm part':
      return { ...(await pending!(tx, stamp)), isPart: true }
    default:
      await seeAgain(tx, state.open!.versionId, stamp.at)
      return pending ? pending(tx, stamp) : waiting(decision, state.open!.versionId)
  }
}

function waiting(decision: Decision, versionId: string): DocumentReport {
  if (decision.action === 'keep holding')
    return { outcome: 'held', versionId, reason: 'waits for review', recheckAt: decision.endsAt }
  return { outcome: 'waiting', versionId, recheckAt: 'confirmAt' in decision ? decision.confirmAt : undefined }
}

/** What is reported of a text that says nothing new. */
export function unchanged(because: string, text: DerivedText, current: Version | undefined): DocumentReport {
  if (because === 'rejected before') return { outcome: 'unchanged', reason: because }
  return text.textHash === current?.textHash
    ? { outcome: 'unchanged' }
    : { outcome: 'cosmetic', reason: 'formatting or links' }
}
