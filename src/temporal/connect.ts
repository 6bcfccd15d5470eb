import { Connection } from '@temporalio/client'
import type { NativeConnectionOptions } from '@temporalio/worker'
import { OperatorError } from '../lib/errors.ts'
import { SECOND } from '../lib/instant.ts'

const ANSWER_WITHIN_MS = 15 * SECOND

/** The client library waits up to two minutes before it tries a lost server again; a lost one is back sooner. */
const MAX_RECONNECT_BACKOFF_MS = 5 * SECOND

/** How a Temporal server is reached. */
export type TemporalAccess = { connection: NativeConnectionOptions; namespace: string }

/** A connection that is made when it is first used, and made again when it is lost. */
export const lazyConnection = ({ connection }: Pick<TemporalAccess, 'connection'>): Connection =>
  Connection.lazy({
    ...connection,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_BACKOFF_MS },
  })

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
