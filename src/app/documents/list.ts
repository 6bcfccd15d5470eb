import * as terms from '../../terms/read/list-documents.ts'
import { listDocuments } from '../contracts/documents.ts'
import { route } from '../route.ts'

/** GET /v1/app/documents: every document with its text in force. What waits for a person is not shown. */
export const listDocumentsRoute = route(listDocuments, async ({ tools, query }) => ({
  documents: (await terms.listDocuments(tools.sql, query)).map(
    ({ provider, document, title, url, versions, recordedAt, effectiveDate }) => ({
      provider,
      document,
      title,
      url,
      versions,
      recordedAt,
      effectiveDate,
    }),
  ),
}))
