import { type Collecting, createCollecting } from '../../collecting/collecting.ts'
import { createSafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'
import type { CommandContext } from '../with-installation.ts'

/** Runs `work` with what collecting needs: the declared sources and an HTTP client. */
export async function withCollecting<T>(
  context: CommandContext,
  work: (collecting: Collecting) => Promise<T>,
): Promise<T> {
  const { config, log, sql, isolation } = context
  const { allowPrivateEndpoints: allowPrivate, dnsServers, egress } = config
  const { get, close } = createSafeFetch({ allowPrivate, dnsServers, ...egress })
  try {
    return await work(createCollecting({ config, log, sql, isolation }, get))
  } finally {
    await close()
  }
}
