/** Bytes that are not a document that can be read: kept, quarantined, and without effect on any version. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument'
}
