import { type DocumentState, FOR_OTHERS, type KnownVersion } from '../schema.ts'

/** This many earlier texts a new one is compared with. */
const FORMER_TEXTS = 5

/** The texts that were in force before, the newest first and each once; without the one in force. */
export function formerVersions({ current, known }: DocumentState): KnownVersion[] {
  const seen = new Set([current?.normalHash])
  const former: KnownVersion[] = []
  for (const version of known.toReversed()) {
    if (version.recordedAt === undefined || version.status === 'rejected' || seen.has(version.normalHash)) continue
    seen.add(version.normalHash)
    former.push(version)
  }
  return former.slice(0, FORMER_TEXTS)
}

/**
 * Returns whether subscribers were notified of a text, or of none since: it was in force after their last event, or with it.
 * What was put in force without an event since then is nothing that they know.
 */
export function isKnownToSubscribers({ recordedAt }: KnownVersion, { known }: DocumentState): boolean {
  const announced = known.filter((version) => version.announced).map((version) => version.recordedAt!)
  return recordedAt !== undefined && announced.every((instant) => instant <= recordedAt)
}

/** Returns whether a text was put in force although it seemed to be written for other readers. */
export const isForOthers = (version: KnownVersion | undefined): boolean =>
  version?.reasons.some((reason) => FOR_OTHERS.includes(reason)) ?? false
