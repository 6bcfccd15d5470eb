import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../../app/contracts.ts'
import * as documents from '../../app/documents/endpoints.ts'
import { call } from './connection/client.ts'
import { shownAt } from './shown-at.ts'

export type DocumentAnswer = AnswerOf<typeof documents.readDocument>
export type DifferenceRow = DocumentAnswer['rows'][number]

export const documentsQuery = (asOf: string | undefined) =>
  queryOptions({
    ...shownAt(['documents'], asOf),
    queryFn: () => call(documents.listDocuments, { query: { asOf } as never }),
  })

type DocumentSelection = { from?: string | undefined; to?: string | undefined; asOf?: string | undefined }

/** Two versions of a document side by side. */
export const documentQuery = (provider: string, document: string, { from, to, asOf }: DocumentSelection) =>
  queryOptions({
    ...shownAt(['document', provider, document], { from, to, asOf }),
    queryFn: () =>
      call(documents.readDocument, {
        params: { provider, document },
        query: { from, to, asOf } as never,
      }),
  })
