import type { RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { factsAt } from '../../src/catalog/facts/fact-store.ts'
import { collectNamedSource } from '../../src/collecting/collect-named-sources.ts'
import { type Instant, parseInstant, plus } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'
import { collectingSystem } from './support.ts'

let body = ''
const database = testDatabase({ each: true })
const answer: RequestListener = (_request, response) => response.end(body)
const system = collectingSystem(database, answer)
const start = parseInstant('2026-11-21T10:00:00Z')!

const listing = (context: unknown, models = ['m']) =>
  JSON.stringify([
    {
      ...{ id: 'acme', name: 'Acme' },
      models: models.map((id) => ({ id, context_window: context, prices: { input_mtok: 1, output_mtok: 4 } })),
    },
  ])

it('keeps what a list states beside its prices, without an event, also when a later answer cannot be read', async () => {
  const collecting = system.declare([{ source: 'list', format: 'genai-prices', url: `${system.base}/list.json` }])
  let hours = 0
  const collect = (text: string) => {
    body = text
    return collectNamedSource(collecting, 'list', plus(start, hours++ * 3_600_000))
  }
  const now = (): Promise<Instant> => publishing(database.sql, async (_tx, { at }) => at)
  const shown = async (asOf: Instant) => (await factsAt(database.sql, asOf)).map(({ value }) => value)

  expect(await collect(listing(200_000))).toMatchObject({ outcome: 'changed', published: 2 })
  const [first, events] = [await now(), await database.sql`select count(*) from event`]
  expect(await collect(listing(1_000_000))).toMatchObject({ outcome: 'unchanged' })
  const second = await now()
  expect(await collect('[')).toMatchObject({ outcome: 'quarantined' })
  expect([await shown(first), await shown(second), await shown(await now())]).toEqual([
    ['200000'],
    ['1000000'],
    ['1000000'],
  ])
  expect(await database.sql`select count(*) from event`).toEqual(events)
})

it('keeps what was stated where a list that collapsed is quarantined', async () => {
  const collecting = system.declare([{ source: 'shrinks', format: 'genai-prices', url: `${system.base}/shrinks.json` }])
  const collect = (text: string, hours: number) => {
    body = text
    return collectNamedSource(collecting, 'shrinks', plus(start, hours * 3_600_000))
  }
  const names = Array.from({ length: 40 }, (_, n) => `model-${n}`)
  const stated = async () => {
    const at = await publishing(database.sql, async (_tx, stamp) => stamp.at)
    return (await factsAt(database.sql, at)).filter(({ source }) => source === 'shrinks').map(({ value }) => value)
  }
  expect(await collect(listing(1_000, names), 1)).toMatchObject({ outcome: 'changed' })
  expect(await collect(listing(2_000, names.slice(0, 2)), 2)).toMatchObject({ outcome: 'quarantined' })
  expect(await stated()).toEqual(names.map(() => '1000'))
})
