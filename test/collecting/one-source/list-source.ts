import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeEach } from 'vitest'
import { sourceState } from '../../../src/catalog/sources/source-store.ts'
import { collectDueSources } from '../../../src/collecting/collect-due-sources.ts'
import { collectNamedSource } from '../../../src/collecting/collect-named-sources.ts'
import type { Collecting } from '../../../src/collecting/collecting.ts'
import { type Instant, parseInstant } from '../../../src/lib/instant.ts'
import { testDatabase } from '../../support/database.ts'
import { collectingSystem } from '../support.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export const name = 'list'
export const start = parseInstant('2026-11-21T10:00:00Z')!

/** The list of a seller with two models, as genai-prices writes it. */
export const listing = (price: number, more: object[] = []) =>
  JSON.stringify([
    {
      id: 'list-acme',
      name: 'Acme',
      models: [
        { id: 'm', prices: { input_mtok: price, output_mtok: price * 4 } },
        { id: 'n', prices: { input_mtok: 7 } },
        ...more,
      ],
    },
  ])

export const sends =
  (body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }

/** A source on a web server of the test's own, and what collects it. Call at the top of a file. */
export function listSource() {
  const database = testDatabase({ each: true })
  const requests: IncomingMessage[] = []
  const notFound: Answer = (_, response) => void response.writeHead(404).end()
  const system = collectingSystem(database, (request, response) => {
    requests.push(request)
    list.answer(request, response)
  })
  const list = {
    answer: notFound,
    collecting: undefined as unknown as Collecting,
    requests,
    database,
    system,
    collect: (now: Instant = start, limits: object = {}) => collectNamedSource(list.collecting, name, now, limits),
    collectDue: (now: Instant) =>
      collectDueSources(list.collecting, now, { budgetMs: 60_000, startCollecting: async () => {} }),
    state: () => sourceState(database.sql, name),
    prices: async () => {
      const rows = await database.sql<{ resource: string; dimension: string; price: string }[]>`
        select l.resource, l.dimension, r.price::text
        from publication p join price_row r using (content_hash) join price_line l on l.line_id = r.line_id
        where p.source = ${name} and p.unpublished_at is null
        order by r.recorded_at desc, l.resource, l.dimension`
      const newest = new Map<string, string>()
      for (const row of rows.reverse()) newest.set(`${row.resource} ${row.dimension}`, row.price)
      return Object.fromEntries(newest)
    },
  }
  beforeEach(() => {
    requests.length = 0
    list.answer = notFound
    list.collecting = system.declare([
      { source: name, format: 'genai-prices', url: `${system.base}/${name}.json`, intervalSeconds: 900 },
    ])
  })
  return list
}
