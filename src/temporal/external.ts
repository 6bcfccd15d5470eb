import { loadClientConnectConfig } from '@temporalio/envconfig'
import { OperatorError } from '../lib/errors.ts'
import type { TemporalAccess } from './connect.ts'

export const DEFAULT_NAMESPACE = 'default'

/** How the Temporal server in the environment is reached: address, namespace, TLS, API key, as every Temporal tool reads them. */
export function externalTemporal(): TemporalAccess {
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig()
    return { connection: connectionOptions, namespace: namespace ?? DEFAULT_NAMESPACE }
  } catch (cause) {
    throw new OperatorError(`The settings for Temporal cannot be read: ${(cause as Error).message}`, { cause })
  }
}
