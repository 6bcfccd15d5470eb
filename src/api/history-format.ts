import type { HistoryAnswer } from '../prices/history/history-rules.ts'

/** Raised whenever the same rows would be written in another way: it is part of the ETag. */
export const HISTORY_FORMAT = 1

/** Returns a page as one JSON object. */
export function asJson({ head, prices }: HistoryAnswer): Buffer {
  const text = JSON.stringify(head)
  return Buffer.concat([Buffer.from(`${text.slice(0, -1)},"prices":[`), prices, Buffer.from(']}')])
}
