import { expect, it } from 'vitest'
import type { Log } from '../../src/lib/log.ts'
import { runtimeOptions, temporalLogger } from '../../src/temporal/log.ts'

/** Our log, as far as the SDK's messages use it: it keeps what it is given. */
function keptLog() {
  const kept: unknown[][] = []
  const levels = ['trace', 'debug', 'info', 'warn', 'error']
  const log = Object.fromEntries(levels.map((level) => [level, (...given: unknown[]) => kept.push([level, ...given])]))
  return { kept, log: log as unknown as Log }
}

it('keeps the messages of the Temporal SDK at their level, what it says of its own life for who looks for a fault', () => {
  const { kept, log } = keptLog()
  const logger = temporalLogger(log)
  const fault = new Error('away')
  logger.info('Worker state changed')
  logger.info('Delivered', { sdkComponent: 'workflow', attempt: 2 })
  logger.info('Sent', { sdkComponent: 'activity' })
  logger.info('Polls', { sdkComponent: 'worker' })
  logger.warn('[TMPRL1104] Workflow task duration exceeded 5 seconds.')
  logger.warn('No workflows registered, not polling for workflow tasks')
  logger.error('Poll failed', { error: fault, namespace: 'default' })
  logger.log('DEBUG', 'a', {})
  logger.trace('b')
  logger.debug('c')
  expect(kept).toEqual([
    ['debug', {}, 'Worker state changed'],
    ['info', { sdkComponent: 'workflow', attempt: 2 }, 'Delivered'],
    ['info', { sdkComponent: 'activity' }, 'Sent'],
    ['debug', { sdkComponent: 'worker' }, 'Polls'],
    ['error', { err: fault, namespace: 'default' }, 'Poll failed'],
    ['debug', {}, 'a'],
    ['trace', {}, 'b'],
    ['debug', {}, 'c'],
  ])
})

it('lets the Temporal SDK leave signals to us, and answer scrapers only where an address is set for them', () => {
  const { log } = keptLog()
  const logging = { forward: {}, filter: { core: 'WARN', other: 'ERROR' } }
  const options = runtimeOptions(log)
  expect(options).toMatchObject({ shutdownSignals: [] })
  expect(options.telemetryOptions).toEqual({ logging })
  const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }
  expect(runtimeOptions(log, '127.0.0.1:9464').telemetryOptions).toEqual({
    logging,
    metrics: { prometheus: { bindAddress: '127.0.0.1:9464', ...names } },
  })
})
