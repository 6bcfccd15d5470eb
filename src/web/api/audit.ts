import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Answer } from '../../app/contract.ts'
import type * as audit from '../../app/contracts/audit.ts'
import { call } from './client.ts'

export type AuditPage = Answer<typeof audit.listAllActions>
export type AuditEntry = AuditPage['entries'][number]

/** The audit log, newest first: of one workspace for its admins, of everything for operators. */
export const auditQuery = (filter: { workspace?: string; action?: string }, isForOperators: boolean) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter, isForOperators],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }): Promise<AuditPage> => {
      const query = { ...filter, before } as object as Record<string, never> & { workspace: string }
      return isForOperators
        ? call<typeof audit.listAllActions>('GET', '/v1/operator/audit', { query })
        : call<typeof audit.listWorkspaceActions>('GET', '/v1/audit', { query })
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
