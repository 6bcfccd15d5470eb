import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import { SECOND } from '../../lib/instant.ts'
import { VERSION } from '../../lib/process/version.ts'
import { within } from '../../lib/process/within.ts'

const FLUSH_WITHIN_MS = 3 * SECOND

/**
 * Starts tracing for this process: spans are sent to a collector, in the background, until it is disposed of. Load this
 * file only where tracing is set: without it the SDK is never loaded.
 * @param settings.ratio the share of traces that is kept, by their ids: every process keeps the same ones
 */
export function startTracing(settings: { url: string; ratio: number; role: string }): AsyncDisposable {
  const kept = new TraceIdRatioBasedSampler(settings.ratio)
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `pricetape-${settings.role}`, 'service.version': VERSION }),
    // The trace of a delivery has no first span to decide: its id decides.
    sampler: new ParentBasedSampler({ root: kept, remoteParentSampled: kept }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: settings.url }))],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  return {
    [Symbol.asyncDispose]: async () => {
      // A collector that is away holds up no stop.
      await within(FLUSH_WITHIN_MS, provider.shutdown()).catch(() => {})
      trace.disable()
      context.disable()
    },
  }
}
