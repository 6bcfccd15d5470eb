import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.ts'
import { localTemporal } from '../support/servers/temporal.ts'

/** Of Temporal's API. */
const [KEYWORD, INT] = [2, 3]

describe('the search attributes of an installation', () => {
  const temporal = localTemporal()
  async function newNamespace(searchAttributes: Record<string, number>): Promise<string> {
    const namespace = `test-${randomBytes(4).toString('hex')}`
    const { workflowService, operatorService } = temporal.env.connection
    await workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    })
    const add = () => operatorService.addSearchAttributes({ namespace, searchAttributes })
    await vi.waitFor(add, { timeout: 60_000, interval: 100 })
    await vi.waitFor(async () => expect(await known(namespace)).toMatchObject(searchAttributes), 60_000)
    return namespace
  }
  const known = async (namespace: string) =>
    (await temporal.env.connection.operatorService.listSearchAttributes({ namespace })).customAttributes

  it('are registered where they are missing, beside what is there', async () => {
    const namespace = await newNamespace({ DeliveryStatus: KEYWORD, Ours: INT })
    await ensureSearchAttributes(temporal.env.connection, namespace)
    const all = { WebhookId: KEYWORD, DeliveryStatus: KEYWORD, Ours: INT }
    expect(await known(namespace)).toMatchObject(all)
    await ensureSearchAttributes(temporal.env.connection, namespace)
    expect(await known(namespace)).toMatchObject(all)
  })

  it('are refused with one sentence where one is there with another type', async () => {
    const namespace = await newNamespace({ DeliveryStatus: INT })
    await expect(ensureSearchAttributes(temporal.env.connection, namespace)).rejects.toMatchObject({
      name: 'OperatorError',
      message: `Temporal's search attribute DeliveryStatus in namespace ${namespace} is not of type Keyword. Use another namespace.`,
    })
    expect(Object.keys((await known(namespace)) ?? {})).not.toContain('WebhookId')
  })

  it('are asked for by hand where Temporal does not let us register them', async () => {
    const namespace = await newNamespace({ WebhookId: KEYWORD })
    const { operatorService } = temporal.env.connection
    const denied = Object.assign(Object.create(operatorService), {
      addSearchAttributes: () => Promise.reject(new Error('permission denied')),
    })
    await expect(ensureSearchAttributes({ operatorService: denied }, namespace)).rejects.toMatchObject({
      name: 'OperatorError',
      message: `Temporal does not let us register search attributes (permission denied). Register by hand: temporal operator search-attribute create --namespace ${namespace} --name DeliveryStatus --type Keyword`,
    })
  })
})
