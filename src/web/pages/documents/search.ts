import { text } from '../../search.ts'
import { type AsOf, readAsOf } from '../prices/explorer/search.ts'

export type DocumentsSearch = AsOf & { provider?: string; q?: string }
export const readDocumentsSearch = (search: Record<string, unknown>): DocumentsSearch => ({
  ...readAsOf(search),
  provider: text(search.provider),
  q: text(search.q),
})

/** `from` and `to` are version ids, as in the differenceUrl of an event. */
export type DocumentSearch = AsOf & { from?: string; to?: string; view?: 'text' }
export const readDocumentSearch = (search: Record<string, unknown>): DocumentSearch => ({
  ...readAsOf(search),
  from: text(search.from),
  to: text(search.to),
  view: search.view === 'text' ? 'text' : undefined,
})
