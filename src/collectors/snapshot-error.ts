/** A snapshot that is not what its format says: kept, quarantined, and without effect on any price. */
export class SnapshotError extends Error {
  override name = 'SnapshotError'
}
