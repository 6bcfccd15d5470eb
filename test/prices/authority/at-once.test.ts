import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { someoneWaits } from '../../support/locks.ts'
import { model, models } from '../observed.ts'
import { declareLists, eventsOf, snapshot } from '../support.ts'

const FIRST = sourceDeclaration.parse({ source: 'first', format: 'hand' })
const SECOND = sourceDeclaration.parse({ source: 'second', format: 'hand' })

/** What both lists have, and a model that the second one spells differently. */
const NEW = new Map([
  [FIRST, [...models(3), ...model('chat-1-5', 0.000001)]],
  [SECOND, [...models(3), ...model('Chat-1.5', 0.000001)]],
])

describe('a resource that two sources begin to list at the same moment', () => {
  const db = testDatabase({ each: true })

  const take = (source: typeof FIRST, lines: Observation[], rowsAtOnce?: number) =>
    snapshot(db.sql, source.source, lines, { source }, rowsAtOnce)

  /** Plans these publications before the first of them begins; they follow one another in this order. */
  async function plannedTogether(publications: (() => Promise<unknown>)[]) {
    const { running } = await db.sql.begin(async (tx) => {
      await tx`select from publication_clock for update`
      const running: Promise<unknown>[] = []
      for (const publish of publications) {
        running.push(publish())
        await someoneWaits(db.sql, running.length)
      }
      return { running }
    })
    await Promise.all(running)
  }

  async function served() {
    const rows = await db.sql<{ line: string }[]>`
      select distinct source || ' ' || resource as line from publication where unpublished_at is null order by line`
    return rows.map(({ line }) => line).filter((line) => !line.includes('filler'))
  }

  describe.each([
    ['the first', [FIRST, SECOND]],
    ['the second', [SECOND, FIRST]],
  ])('where %s publishes before the other', (_, order) => {
    it('is served once, by the first, and was added once', async () => {
      await declareLists(db.sql, [FIRST, SECOND])
      for (const source of [FIRST, SECOND]) await take(source, models(3))
      await plannedTogether(order.map((one) => () => take(one, NEW.get(one)!)))
      expect(await served()).toEqual([expect.stringMatching(/^first /)])
      const added = await eventsOf(db.sql, 'resource.added')
      expect(added.filter(({ resource }) => !String(resource).startsWith('filler'))).toHaveLength(1)
    })

    it('is served once where nothing was read of either before', async () => {
      await declareLists(db.sql, [FIRST, SECOND])
      await plannedTogether(order.map((one) => () => take(one, NEW.get(one)!, 4)))
      expect(await served()).toEqual([expect.stringMatching(/^first /)])
    })
  })
})
