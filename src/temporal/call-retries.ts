import { type ConnectionOptions, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client'

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number]
type Call = ReturnType<Interceptor>

/** CANCELLED of gRPC. */
const CANCELLED = 1

/**
 * Retries calls as the client library does. A call that waits for its next try when its connection is closed fails: the
 * library would throw from a timer, which ends the process, and never answer.
 */
export function callRetries(): Interceptor[] {
  const tried = new WeakSet<object>()
  return [
    makeGrpcRetryInterceptor(defaultGrpcRetryOptions()),
    (options, nextCall) => {
      const isRetry = tried.has(options)
      tried.add(options)
      try {
        return nextCall(options) as Call
      } catch (error) {
        if (!isRetry) throw error
        return closedCall()
      }
    },
  ]
}

/** The parts of a call that a retry uses. */
function closedCall(): Call {
  const start: Call['start'] = (metadata, listener) =>
    listener?.onReceiveStatus?.({ code: CANCELLED, details: 'The connection was closed.', metadata })
  return { start, sendMessage: () => {}, halfClose: () => {} } as unknown as Call
}
