import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { sha256 } from './hash.ts'

type Options = { kind?: SpanKind; attributes?: Attributes; links?: Link[]; within?: Context }

/** Where no tracing was started this is a tracer that does nothing. */
export const tracer = () => trace.getTracer('pricetape')

/**
 * Runs `work` in a span. Of an error only its kind is kept: messages may quote what someone sent. Attributes are ids,
 * names, hosts and numbers, never an address with its path, a payload or a secret.
 */
export function inSpan<T>(name: string, options: Options, work: (span: Span) => Promise<T>): Promise<T> {
  const { within = context.active(), ...given } = options
  return tracer().startActiveSpan(name, given, within, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      failSpan(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** Marks a span as failed, by the kind of its error. */
export function failSpan(span: Span, error: unknown): void {
  const { code, name } = error as { code?: string; name?: string }
  span.setAttribute('error.type', code ?? name ?? 'unknown')
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/**
 * Returns the context of a delivery. Its trace id is its own id without dashes: everything done for a delivery, over days
 * and by any process, is one trace, and an operator finds it by the id that the log, the app and the command line show.
 */
export function deliveryContext(deliveryId: string): Context {
  const spanContext = {
    traceId: deliveryId.replaceAll('-', ''),
    spanId: sha256(deliveryId).slice(0, 16),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  }
  return trace.setSpanContext(context.active(), spanContext)
}

/** Returns a link to the span that runs now, in whichever trace. */
export function linkToHere(): Link[] {
  const here = trace.getActiveSpan()?.spanContext()
  return here ? [{ context: here }] : []
}

export { SpanKind }
