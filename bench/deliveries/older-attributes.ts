import type { NativeConnection } from '@temporalio/worker'

const KEYWORD = 2
const ATTRIBUTES = { WorkspaceId: '0197a8a0-0000-7000-8000-000000000001', EventType: 'price.changed' }

/**
 * Registers the two search attributes that deliveries had in version 0.1.0. Returns a switch: while it is on, every
 * workflow that this connection starts has them besides today's.
 */
export async function olderAttributes(connection: NativeConnection): Promise<{ on: boolean }> {
  const { operatorService, workflowService } = connection
  const searchAttributes = Object.fromEntries(Object.keys(ATTRIBUTES).map((name) => [name, KEYWORD]))
  await operatorService.addSearchAttributes({ namespace: 'default', searchAttributes })
  const added = Object.fromEntries(Object.entries(ATTRIBUTES).map(([name, value]) => [name, payload(value)]))
  const state = { on: false }
  const start = workflowService.startWorkflowExecution.bind(workflowService)
  type Request = Parameters<typeof start>[0]
  workflowService.startWorkflowExecution = ((request: Request) => {
    if (!state.on) return start(request)
    const indexedFields = { ...request.searchAttributes?.indexedFields, ...added }
    return start({ ...request, searchAttributes: { indexedFields } })
  }) as typeof workflowService.startWorkflowExecution
  return state
}

const payload = (value: string) => ({
  metadata: { encoding: Buffer.from('json/plain'), type: Buffer.from('Keyword') },
  data: Buffer.from(JSON.stringify(value)),
})
