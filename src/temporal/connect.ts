import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import type { NativeConnectionOptions } from '@temporalio/worker'
import { OperatorError } from '../lib/errors.ts'
import { SECOND } from '../lib/instant.ts'
import { callRetries } from './call-retries.ts'

const ANSWER_WITHIN_MS = 15 * SECOND
const CONNECT_WITHIN_MS = 10 * SECOND
const RETRY_MS = 200
/** Codes of gRPC: the deadline has passed; no connection, or the server cannot answer now. */
const [DEADLINE_EXCEEDED, UNAVAILABLE] = [4, 14]
const isDeadline = (error: unknown) => isGrpcServiceError(error) && error.code === DEADLINE_EXCEEDED
const isUnavailable = (error: unknown) => isGrpcServiceError(error) && error.code === UNAVAILABLE

/** The client library waits up to two minutes before it tries a lost server again; a lost one is back sooner. */
const MAX_RECONNECT_BACKOFF_MS = 5 * SECOND

/** How a Temporal server is reached. */
export type TemporalAccess = { connection: NativeConnectionOptions; namespace: string }

const optionsOf = ({ connection }: Pick<TemporalAccess, 'connection'>) => ({
  ...connection,
  interceptors: callRetries(),
  channelArgs: { 'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_BACKOFF_MS },
})

/** A connection that is made when it is first used, and made again when it is lost. */
export const lazyConnection = (access: Pick<TemporalAccess, 'connection'>): Connection =>
  Connection.lazy(optionsOf(access))

/** A connection that has been made. @throws when the server does not answer in time */
export const openConnection = (
  access: Pick<TemporalAccess, 'connection'>,
  withinMs: number = CONNECT_WITHIN_MS,
): Promise<Connection> => Connection.connect({ ...optionsOf(access), connectTimeout: withinMs })

/**
 * Waits until Temporal answers for our namespace. Asks again each time: the client library's `ensureConnected` keeps its
 * first failure forever.
 * @throws OperatorError with one sentence when it does not within 15 seconds
 */
export async function requireTemporal(
  connection: Connection,
  namespace: string,
  withinMs = ANSWER_WITHIN_MS,
): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    try {
      await connection.withDeadline(deadline, () => connection.workflowService.describeNamespace({ namespace }))
      return
    } catch (cause) {
      if (isUnavailable(cause) && Date.now() + RETRY_MS < deadline) {
        await sleep(RETRY_MS)
        continue
      }
      const { address } = connection.options
      const reason = isDeadline(cause) ? `no answer within ${withinMs / SECOND} s` : (cause as Error).message
      throw new OperatorError(
        `Temporal at ${address} does not answer for namespace ${namespace}: ${reason}. Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.`,
        { cause },
      )
    }
  }
}
