import type { Connection } from '@temporalio/client'
import { OperatorError } from '../lib/errors.ts'
import { SECOND } from '../lib/instant.ts'

const ANSWER_WITHIN_MS = 15 * SECOND

/**
 * Waits until Temporal answers for our namespace.
 * @throws OperatorError with one sentence when it does not within 15 seconds
 */
export async function requireTemporal(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
      await connection.ensureConnected()
      await connection.workflowService.describeNamespace({ namespace })
    })
  } catch (cause) {
    const { address } = connection.options
    throw new OperatorError(
      `Temporal at ${address} does not answer for namespace ${namespace}: ${(cause as Error).message}. Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.`,
      { cause },
    )
  }
}
