import { type Collecting, createCollecting } from '../../collecting/collecting.ts'
import { createIsolation } from '../../lib/isolation/isolation.ts'
import { createSafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'
import type { CommandContext } from '../with-installation.ts'

/** Runs `work` with what collecting needs: the declared sources, an HTTP client and isolated processes. */
export async function withCollecting<T>(
  context: CommandContext,
  work: (collecting: Collecting) => Promise<T>,
): Promise<T> {
  const { config, log, sql } = context
  const { allowPrivateEndpoints: allowPrivate, dnsServers, egress } = config
  await using isolation = createIsolation()
  const { get, close } = createSafeFetch({ allowPrivate, dnsServers, ...egress })
  try {
    return await work(createCollecting({ config, log, sql, isolation }, get))
  } finally {
    await close()
  }
}
