import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { replayPrices } from '../../../src/prices/ingest/replay-prices.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, model, models } from '../support.ts'

const _parsed = (observations: Observation[]) => ({ providers: [], observations, ignored: [] })

describe('a replayed history', () => {
  const db = testDatabase({ each: true })
  const source = (intervalSeconds: number) =>
    sourceDeclaration.parse({ source: 'one', format: 'hand', intervalSeconds })
  const parser = {
    parserVersion: 1,
    parse: (bytes: Uint8Array) => {
      const observations: Observation[] = JSON.parse(Buffer.from(bytes).toString())
      return { providers: [{ provider: 'acme', name: 'Acme' }], observations, ignored: [] }
    },
  }
  async function* recorded(lists: Observation[][]) {
    for (const [n, list] of lists.entries())
      yield { file: `${n}`, at: day(n * 10), bytes: Buffer.from(JSON.stringify(list)) }
  }
  const replay = (lists: Observation[][], intervalSeconds = 3600) =>
    replayPrices(db.sql, source(intervalSeconds), parser, recorded(lists))

  it('fetches each snapshot again until the next: an absence is confirmed without another snapshot', async () => {
    const rest = models(20)
    const result = await replay([[...rest, ...model('gone', 0.0000077)], rest])
    expect(result).toMatchObject({ snapshots: 2, refetches: 1, events: { 'resource.removed': 1 }, falseRemovals: 0 })
    const [removed] = await db.sql`select eligible_at as at from event where type = 'resource.removed'`
    expect(removed?.at).toBe(day(13))
  })

  it('needs three fetches, however long the interval', async () => {
    const rest = models(20)
    await replay([[...rest, ...model('gone', 0.0000077)], rest], 2 * 86_400)
    const [removed] = await db.sql`select eligible_at as at from event where type = 'resource.removed'`
    expect(removed?.at).toBe(day(14))
  })

  it('counts what was published at once', async () => {
    const result = await replay([model('m', 0.000002), model('m', 0.000003)])
    expect(result).toMatchObject({
      changes: { total: 2, true: { seen: 2, published: 2 } },
      hoursToPublish: { median: 0, p95: 0, shareWithin48h: 1 },
      tornSets: 0,
      stillHeld: EMPTY,
    })
  })
})
