import type { VersionDifference } from '../../terms/read/compare-versions.ts'
import type { VersionText } from '../../terms/read/read-version.ts'

/** Returns a held document for a terminal: what it says otherwise than the version in force, then its whole text. */
export function describeHeldVersion(version: VersionText, difference: VersionDifference | undefined): string {
  const said = difference ? describeDifference(difference) : 'No version of this document is in force yet.'
  return `${said}\n\n--- the whole text ---\n\n${printable(version.markdown)}`
}

/** Returns what one version says otherwise than another, as text for a terminal. */
export function describeDifference({ document, before, after, ...compared }: VersionDifference): string {
  const { classification, significance, difference } = compared
  const located = difference.changes.map(({ section, clause, topics, wordsRemoved, wordsAdded }) => {
    const place = [clause, section].filter(Boolean).join(' ') || 'at the beginning'
    return `  ${printable(place)}: -${wordsRemoved} +${wordsAdded} words${topics.length > 0 ? ` (${topics.join(', ')})` : ''}`
  })
  const rows = difference.rows.flatMap(({ added, removed }) => [
    ...removed.map((name) => `  removed: ${printable(name)}`),
    ...added.map((name) => `  added: ${printable(name)}`),
  ])
  const head = [
    `${document.title} of ${document.provider}: ${document.url}`,
    `before: ${before.versionId}, ${before.status}, first seen ${before.firstSeenAt}`,
    `after:  ${after.versionId}, ${after.status}, first seen ${after.firstSeenAt}`,
    `${classification}, significance ${significance}: ${difference.wordsRemoved} words removed, ${difference.wordsAdded} words added`,
    ...located,
    ...rows,
  ]
  const cut = difference.truncated ? ['', '(The difference is longer than what is shown.)'] : []
  return [...head, '', printable(difference.diff), ...cut].join('\n')
}

/** A document can hold control characters, which would move a terminal's cursor or change its colors. */
export const printable = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '�')
