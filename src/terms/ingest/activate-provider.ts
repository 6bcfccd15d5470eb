import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { activateProviders } from '../../catalog/providers/provider-status-store.ts'
import { providerAddedEvent } from '../../events/payloads/provider-added.ts'
import { recordEvents } from '../../events/store.ts'
import type { Tx } from '../../lib/sql.ts'

/** Makes a provider active whose first text is in force: where nothing of it could be read before, that is an event. */
export async function activateProvider(tx: Tx, stamp: Stamp, provider: string): Promise<void> {
  const activated = await activateProviders(tx, [provider], stamp.at)
  await recordEvents(
    tx,
    stamp,
    activated.map((added) => providerAddedEvent(added.provider, added.name)),
  )
}
