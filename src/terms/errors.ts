/** Bytes that are no document that can be read: kept, quarantined, and without effect on any version. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument'
}
