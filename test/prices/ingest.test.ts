import { describe, expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { eventsOf, observed, snapshot } from './support.ts'

describe('taking a snapshot in', () => {
  const db = testDatabase()

  it('publishes first prices, and one price.changed for a price that changed', async () => {
    await snapshot(db.sql, 'acme', [
      observed('m-1', 'input_tokens', '0.000002'),
      observed('m-1', 'output_tokens', '0.000004'),
    ])
    const report = await snapshot(db.sql, 'acme', [
      observed('m-1', 'input_tokens', '0.0000015'),
      observed('m-1', 'output_tokens', '0.000004'),
    ])
    expect(report).toMatchObject({ changed: 1, unchanged: 1, events: { 'price.changed': 1 } })
    const [event] = await eventsOf(db.sql, 'price.changed')
    expect(event).toMatchObject({
      version: 'price-change.v1',
      type: 'price.changed.acme',
      resource: 'm-1',
      previous: { price: '0.000002' },
      current: { price: '0.0000015' },
    })
    const open = await db.sql`select body from publication where unpublished_at is null`
    expect(open).toHaveLength(3)
  })
})
