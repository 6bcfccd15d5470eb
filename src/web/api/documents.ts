import { queryOptions } from '@tanstack/react-query'
import type { Answer } from '../../app/contract.ts'
import type * as documents from '../../app/contracts/documents.ts'
import { call } from './connection/client.ts'

export type DocumentAnswer = Answer<typeof documents.readDocument>
export type DifferenceRow = DocumentAnswer['rows'][number]

export const documentsQuery = (asOf: string | undefined) =>
  queryOptions({
    queryKey: ['documents', asOf],
    queryFn: () => call<typeof documents.listDocuments>('GET', '/v1/app/documents', { query: { asOf } as never }),
  })

type Wanted = { from?: string | undefined; to?: string | undefined; asOf?: string | undefined }

/** Two versions of a document side by side. */
export const documentQuery = (provider: string, document: string, { from, to, asOf }: Wanted) =>
  queryOptions({
    queryKey: ['document', provider, document, from, to, asOf],
    queryFn: () =>
      call<typeof documents.readDocument>('GET', '/v1/app/documents/:provider/:document', {
        params: { provider, document },
        query: { from, to, asOf } as never,
      }),
  })
