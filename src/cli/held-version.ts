import type { VersionDifference } from '../terms/review/compare-versions.ts'

/** Returns what a held document says otherwise than the version in force, as text for a terminal. */
export function describeHeldVersion({
  document,
  before,
  after,
  classification,
  difference,
}: VersionDifference): string {
  const head = [
    `${document.title} of ${document.provider}: ${document.url}`,
    `in force: ${before.versionId}, recorded ${before.recordedAt}`,
    `held:     ${after.versionId}, first seen ${after.firstSeenAt}`,
    `${classification}: ${difference.wordsRemoved} words removed, ${difference.wordsAdded} words added`,
  ]
  const cut = difference.truncated ? ['', '(The difference is longer than what is shown.)'] : []
  return [...head, '', printable(difference.diff), ...cut].join('\n')
}

/** A document can hold control characters, which would move a terminal's cursor or change its colors. */
const printable = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '�')
