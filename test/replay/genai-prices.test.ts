import { beforeAll, describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { readManifest, readSnapshots } from '../../src/cli/replay/replay-folder.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import { type PriceReplay, replayPrices } from '../../src/prices/ingest/replay-prices.ts'
import { isUnitFlip } from '../../src/prices/plan/evidence/unit-flip-rules.ts'
import { core } from '../../src/prices/plan/renames/name-rules.ts'
import { testDatabase } from '../support/database.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'
import { lacks } from '../support/suite/needs.ts'
import { recording } from '../support/suite/recordings.ts'

const FOLDER = recording('genai-prices')

describe.skipIf(lacks('the recorded prices'))(
  'the recorded history of genai-prices (needs the recorded prices)',
  () => {
    const db = testDatabase()
    let result: PriceReplay
    const events = async (type: string) => {
      const rows = await db.sql<{ body: string }[]>`select body from event where type = ${type} order by seq`
      return rows.map((row) => JSON.parse(row.body))
    }

    beforeAll(async () => {
      const source = sourceDeclaration.parse({ source: 'genai-prices', format: 'genai-prices' })
      const collector = collectorFor('genai-prices')!
      const parser = {
        parserVersion: collector.parserVersion,
        parse: (bytes: Uint8Array, at: Parameters<typeof collector.parse>[1]['at']) =>
          collector.parse(bytes, { source, at }),
      }
      result = await replayPrices(db.sql, source, parser, readSnapshots(FOLDER, await readManifest(FOLDER)))
    })

    it('replays 48 snapshots, each at its own instant', () => {
      expect([result.snapshots, result.quarantined]).toEqual([48, {}])
      expect(result.seconds).toBeLessThan(allowedMs(120_000) / 1_000)
    })

    it('publishes no unit flip and nothing that comes from or goes to zero', async () => {
      for (const { previous, current } of await events('price.changed')) {
        // A line that began or ended has one price alone.
        if (!previous || !current) continue
        expect(isUnitFlip(Number(previous.price), Number(current.price))).toBe(false)
        expect(Math.min(Number(previous.price), Number(current.price))).toBeGreaterThan(0)
      }
      expect(result.held.power_of_ten).toBe(1)
      expect(result.held.mass_change).toBe(80)
      expect(result.changes).toMatchObject({ unit_flip: { published: 0 }, to_zero: { published: 0 } })
    })

    it('publishes at least 95 % of the true changes within 48 hours, half of them within a day, and no half of a set', () => {
      expect(result.changes.true.seen).toBeGreaterThan(100)
      expect(result.hoursToPublish.shareWithin48h).toBeGreaterThanOrEqual(0.95)
      expect(result.hoursToPublish.median).toBeLessThanOrEqual(24)
      expect(result.tornSets).toBe(0)
    })

    it('renames only what is the same name in another spelling or under a maker', async () => {
      const renamed = await events('resource.renamed')
      expect(renamed.length).toBeGreaterThanOrEqual(20)
      for (const event of renamed) expect(core(event.previousResource)).toBe(core(event.resource))
    })

    it('removes nothing that is listed under another spelling', async () => {
      const listed = await db.sql<
        { provider: string; resource: string }[]
      >`select provider, resource from resource where removed_at is null`
      for (const event of await events('resource.removed')) {
        const twins = listed.filter(
          (item) => item.provider === event.provider && core(item.resource) === core(event.resource),
        )
        // One that its source lists again later is there under its own name.
        expect(twins.filter((item) => item.resource !== event.resource)).toEqual([])
      }
    })
  },
)
