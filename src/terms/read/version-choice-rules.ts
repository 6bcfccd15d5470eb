type Entry = { versionId: string; previousVersion: string | null }

/** Two versions to compare. The first version of a document has none before it. */
export type ChosenVersions<T> = { before?: T; after: T }

/**
 * Returns the versions to compare, out of a document's versions with the newest first: those that are named, else the
 * newest and the one that it replaced. Returns undefined when a named version is not among them, or there are none.
 */
export function chooseVersions<T extends Entry>(
  versions: T[],
  { from, to }: { from?: string; to?: string },
): ChosenVersions<T> | undefined {
  const byId = (id: string | null) => versions.find(({ versionId }) => versionId === id?.toLowerCase())
  const after = to === undefined ? versions[0] : byId(to)
  const before = from === undefined ? after && byId(after.previousVersion) : byId(from)
  if (!after || (from !== undefined && !before)) return undefined
  return { before, after }
}
