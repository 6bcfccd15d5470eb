/** Returns `read`, made at most once in `everyMs`: callers that come together, or soon after each other, share one reading. */
export function sharedReading<T>(everyMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { since: number; reading: Promise<T> } | undefined
  return () => {
    if (!last || performance.now() - last.since > everyMs) last = { since: performance.now(), reading: read() }
    return last.reading
  }
}
