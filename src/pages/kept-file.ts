import { contentName } from '../api/serving/etag-rules.ts'
import type { Answer } from '../api/serving/send-answer.ts'

/** A file that anyone may keep for an hour. */
export const keptFile = (bytes: Buffer, type: string): Answer => ({
  name: contentName(bytes),
  cacheControl: 'public, max-age=3600',
  vary: 'accept-encoding',
  make: async () => ({ bytes, headers: { 'content-type': type } }),
})
