import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { withdrawRow } from '../../../src/prices/review/correct-price.ts'
import { replacePrice } from '../../../src/prices/review/replace-price.ts'
import { testDatabase } from '../../support/database.ts'
import { day, models, observed } from '../observed.ts'
import { eventsOf, snapshot } from '../support.ts'

const WHO = { actor: 'olga@example.com', reason: 'the page shows another price' }

describe('where an event says that its price was read', () => {
  const db = testDatabase({ each: true })
  const source = sourceDeclaration.parse({ source: 'list', format: 'hand', rank: 'provider', speaksFor: ['acme'] })

  /** Takes in the price of `m`, and of `n` at another seller, as they are on one page on the n-th day. */
  async function take(n: number, price: string, address?: string) {
    const at = day(n)
    const observations = [
      ...models(10),
      observed('m', 'input_tokens', price),
      observed('n', 'input_tokens', price, { provider: 'other' }),
    ]
    const snapshotHash = await storeSnapshot(db.sql, { bytes: Buffer.from(`day ${n}`), at, address })
    await snapshot(db.sql, 'list', observations, { at, snapshotHash, source })
  }
  const page = (n: number) => `https://acme.example/pricing-${n}`
  const served = async () => {
    const [row] = await db.sql<{ hash: string }[]>`select current_hash as hash from price_line where resource = 'm'`
    return row!.hash
  }
  const read = (body: Record<string, unknown> | undefined) => body?.read

  it('is the page of the new price, the day it was read first, and what its source is to the provider', async () => {
    await take(0, '0.000002', page(0))
    await take(1, '0.0000021', page(1))
    const [changed, ...more] = await eventsOf(db.sql, 'price.changed')
    expect(more).toEqual([])
    expect(changed).toMatchObject({
      read: { address: page(1), at: day(1), rank: 'provider' },
      shown: { previous: '2.00', current: '2.10', per: 'million tokens', change: '+5%' },
    })
    const [elsewhere] = await eventsOf(db.sql, 'price.changed', 'other')
    expect(read(elsewhere)).toEqual({ address: page(1), at: day(1), rank: 'community' })
  })

  it('is absent where no address is known, and where the snapshot is not kept', async () => {
    await take(0, '0.000002', page(0))
    await take(1, '0.0000021')
    expect(Object.keys((await eventsOf(db.sql, 'price.changed'))[0]!)).not.toContain('read')
    await db.sql`update price_row set snapshot_hash = null`
    await withdrawRow(db.sql, { contentHash: await served(), ...WHO, at: day(2) })
    const [corrected] = await eventsOf(db.sql, 'price.corrected')
    expect(corrected).toMatchObject({ current: { price: '0.000002' }, shown: { previous: '2.10', current: '2.00' } })
    expect(Object.keys(corrected!)).not.toContain('read')
  })

  it('is the page of the price that a correction leaves, and none for a price that a person entered', async () => {
    await take(0, '0.000002', page(0))
    await take(1, '0.0000021', page(1))
    await withdrawRow(db.sql, { contentHash: await served(), ...WHO, at: day(2) })
    const [withdrawn] = await eventsOf(db.sql, 'price.corrected')
    expect(read(withdrawn)).toEqual({ address: page(0), at: day(0), rank: 'provider' })
    await replacePrice(db.sql, { contentHash: await served(), price: '0.000003', ...WHO, at: day(3) })
    const [, entered] = await eventsOf(db.sql, 'price.corrected')
    expect(entered).toMatchObject({ current: { price: '0.000003' } })
    expect(Object.keys(entered!)).not.toContain('read')
  })
})
