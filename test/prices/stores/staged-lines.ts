import type { Sql } from '../../../src/lib/sql.ts'
import type { Observation, UnreadablePrice } from '../../../src/prices/schema.ts'
import { stagedPrice, stagedUnreadable } from '../../../src/prices/staging/staged-line-rules.ts'
import { copyIntoStaging, registerStaging } from '../../../src/prices/staging/staging-store.ts'
import { observed } from '../observed.ts'

export type StagedLine = [
  resource: string,
  dimension: Observation['dimension'],
  price: string,
  more?: Partial<Observation> & { rank?: string },
]

/** Stages these lines of acme. Returns the table. */
export async function staged(sql: Sql, lines: StagedLine[], unreadable: UnreadablePrice[] = []): Promise<string> {
  const table = await registerStaging(sql, 'list')
  await copyIntoStaging(sql, table, async (write) => {
    for (const [resource, dimension, price, { rank, ...more } = {}] of lines)
      await write(stagedPrice(observed(resource, dimension, price, more), rank))
    for (const one of unreadable) await write(stagedUnreadable(one))
  })
  return table
}

/** A price that cannot be read. */
export const unread = (resource: string, dimension: Observation['dimension'] = 'requests') =>
  ({ ...observed(resource, dimension, ''), text: 'N/A' }) as unknown as UnreadablePrice

export const named = (...resources: string[]) => resources.map((resource) => ({ provider: 'acme', resource }))
export const names = (resources: { provider: string; resource: string }[]) =>
  resources.map(({ provider, resource }) => `${provider} ${resource}`).sort()
