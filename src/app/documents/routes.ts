import { findChange } from '../../terms/read/find-change.ts'
import { listDocuments, type VersionEntry } from '../../terms/read/list-documents.ts'
import { listSuppressed } from '../../terms/read/list-suppressed.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

const shown = ({
  versionId,
  recordedAt,
  classification,
  significance,
  effectiveDate,
  updatedDate,
  previousVersion,
}: VersionEntry) => ({
  versionId,
  recordedAt: recordedAt!,
  classification,
  significance,
  effectiveDate,
  updatedDate,
  previousVersion,
})

export const documentsRoutes: AppRoute[] = [
  /** GET /v1/app/documents: every document with its text in force. What waits for a person is not shown. */
  route(contracts.listDocuments, async ({ tools, query }) => ({
    documents: (await listDocuments(tools.sql, query)).map(
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
  })),

  /** GET /v1/app/documents/{provider}/{document}: two versions side by side, the others, and what was suppressed. */
  route(contracts.readDocument, async ({ tools, params, query }) => {
    const { document, versions, before, after } = await findChange(tools.sql, params, query)
    const compared = await tools.compareVersions((before ?? after).versionId, after.versionId)
    const { wordsRemoved, wordsAdded, changes, rows: entries } = compared.difference
    const { provider, document: slug, title, url } = document
    return {
      document: { provider, document: slug, title, url },
      versions: versions.map(shown),
      ...(before && { before: shown(before) }),
      after: shown(after),
      classification: compared.classification,
      // Of a change that was recorded, what its event said.
      significance: (after.previousVersion === before?.versionId && after.significance) || compared.significance,
      wordsRemoved,
      wordsAdded,
      changes,
      entries,
      rows: compared.rows,
      truncated: compared.truncated,
      suppressed: await listSuppressed(tools.sql, params),
    }
  }),
]
