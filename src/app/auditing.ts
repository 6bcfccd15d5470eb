import { authorize } from '../accounts/members/authorize.ts'
import type { Device } from '../accounts/sessions/start-session.ts'
import { audited } from '../audit/audited.ts'
import { asRequester } from '../audit/requester.ts'
import type { Requester } from '../audit/schema.ts'
import type { Json } from '../lib/canonical-json.ts'
import type { Tx } from '../lib/sql.ts'
import type { Contract } from './contract.ts'
import type { AppTools } from './tools.ts'

type Request = { tools: AppTools; actor: Requester | undefined; params: object; body: unknown; device: Device }

/**
 * Returns a route's handler, whose changes name who sent the request, and are recorded where its contract says so. Such
 * a change may have waited for a lock: the sender's role is read again before it is committed. A use case that records
 * its changes itself does both itself.
 */
export const auditing =
  <R extends Request>({ audit, access }: Contract, handle: (request: R) => Promise<unknown>) =>
  (request: R): Promise<unknown> => {
    const { accountId, email, workspaceId } = request.actor ?? {}
    return asRequester({ accountId, email, workspaceId, address: request.device.address }, async () => {
      if (audit === undefined || audit === 'by_the_route') return handle(request)
      const about = { subject: subjectOf(request), detail: detailOf(request) }
      const acting = accountId && workspaceId ? { accountId, workspaceId } : undefined
      const isStillAllowed = acting && ((tx: Tx) => authorize(tx, acting, access === 'admin' ? 'admin' : 'member'))
      const { sql, finish } = audited(request.tools.sql, audit, about, isStillAllowed)
      const answer = await handle({ ...request, tools: toolsOn(request.tools, sql) })
      await finish()
      return answer
    })
  }

/** The last name in the path is the most exact one; what is new has the name it was given. */
function subjectOf({ params, body }: Request): string | undefined {
  const { name } = (body ?? {}) as { name?: unknown }
  return (Object.values(params) as string[]).at(-1) ?? (typeof name === 'string' ? name : undefined)
}

/** What of a body says what was done. Nothing else of it is recorded: it may hold addresses and secrets. */
const RECORDED = ['name', 'names', 'reason', 'price'] as const

function detailOf({ params, body }: Request): { [name: string]: Json } {
  const given = (body ?? {}) as { [name: string]: Json | undefined }
  // What the subject is part of, such as the webhook of a delivery.
  const around = Object.entries(params as { [name: string]: string }).slice(0, -1)
  return Object.fromEntries([
    ...around,
    ...RECORDED.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  ])
}

/** The tools on another view of the database. They are not copied: some are made when they are first read. */
const toolsOn = (tools: AppTools, sql: AppTools['sql']): AppTools =>
  Object.create(tools, { sql: { value: sql }, operator: { value: { ...tools.operator, sql } } })
