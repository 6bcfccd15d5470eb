/**
 * Returns whether a version is newer than another, by the order of semantic versions: a pre-release (`1.0.0-rc.1`) is
 * older than its release.
 */
export function isNewerVersion(version: string, other: string): boolean {
  const [release, early] = splitOnce(version)
  const [otherRelease, otherEarly] = splitOnce(other)
  const order = compareParts(release, otherRelease)
  if (order !== 0) return order > 0
  if (early === '' || otherEarly === '') return otherEarly !== ''
  return compareParts(early, otherEarly) > 0
}

/** What follows a plus sign says nothing about the order. */
function splitOnce(version: string): [release: string, early: string] {
  const text = version.split('+')[0]!
  const at = text.indexOf('-')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function compareParts(left: string, right: string): number {
  const [parts, others] = [left.split('.'), right.split('.')]
  for (let at = 0; at < Math.max(parts.length, others.length); at++) {
    const [part, other] = [parts[at], others[at]]
    if (part === other) continue
    if (part === undefined || other === undefined) return part === undefined ? -1 : 1
    const numbers = /^\d+$/.test(part) && /^\d+$/.test(other)
    return numbers ? Number(part) - Number(other) : part < other ? -1 : 1
  }
  return 0
}
