import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR, type Instant, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { openItems } from '../../src/review/find-in-queue.ts'
import { notifyOperators } from '../../src/review/notify-operators.ts'
import type { QueueFilter, ReviewNotice, SourceNotice } from '../../src/review/schema.ts'
import { summarizeQueue } from '../../src/review/summarize-queue.ts'
import { testDatabase } from '../support/database.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const at = (hour: number) => plus(AT, hour * HOUR)
const db = testDatabase()
beforeEach(async () => {
  await db.sql`
    delete from operator_notice; delete from source_notice; delete from review; delete from document_version;
    delete from document; delete from snapshot; delete from source; delete from provider`.simple()
  await db.sql`insert into provider (provider, name, created_at) values ('acme', 'A', ${AT}), ('best', 'B', ${AT})`
  await db.sql`insert into snapshot (hash, size, bytes, created_at) values (${'a'.repeat(64)}, 0, '', ${AT})`
})

const source = (name: string, kind = 'prices') => db.sql`
  insert into source (source, kind, format, interval_seconds) values (${name}, ${kind}, 'x', 300) on conflict do nothing`
type ItemParts = {
  source?: string
  provider?: string
  kind?: string
  asks?: boolean
  resources?: string[]
  reasons?: string[]
}
async function review(hour: number, given: ItemParts = {}) {
  const {
    source: of = 'list',
    provider = 'acme',
    kind = 'removal',
    asks = true,
    resources = ['m'],
    reasons = ['gone'],
  } = given
  await source(of)
  await db.sql`
    insert into review (source, provider, kind, reasons, detail, opened_at, asks)
    values (${of}, ${provider}, ${kind}, ${reasons}, ${db.sql.json({ resources, to: 'n' })}, ${at(hour)}, ${asks})`
}
async function document(hour: number, name: string, reasons: string[] = ['another text'], provider = 'acme') {
  await source(name, 'terms')
  await db.sql`
    insert into document (source, provider, document, title, url, updated_at)
    values (${name}, ${provider}, ${name}, 'Terms', 'https://acme.example', ${AT}) on conflict do nothing`
  await db.sql`
    insert into document_version (source, status, first_seen_at, last_seen_at, held_at, snapshot_hash, extractor, markdown,
                                  text_hash, normal_hash, reasons)
    values (${name}, 'held', ${AT}, ${AT}, ${at(hour)}, ${'a'.repeat(64)}, '1', '', '', '', ${reasons})`
}
const found = async (filter: QueueFilter = {}, limit = 99) =>
  (await openItems(db.sql, filter, limit)).map((item) =>
    'document' in item ? item.document.source : `${item.prices.kind} ${item.prices.provider}`,
  )

describe('what waits for a person', () => {
  it('is of prices and of documents, the longest waiting first, as many as asked for', async () => {
    await review(3)
    await document(2, 'terms')
    await review(1, { provider: 'best' })
    await document(4, 'privacy')
    expect(await found()).toEqual(['removal best', 'terms', 'removal acme', 'privacy'])
    expect(await found({}, 2)).toEqual(['removal best', 'terms'])
  })

  it('asks, unless all is wanted or it is named by its id or as a possible renaming', async () => {
    await review(1)
    await review(2, { kind: 'rename', asks: false })
    await review(3, { kind: 'line_removal', asks: false })
    expect(await found()).toEqual(['removal acme'])
    expect(await found({ all: true })).toEqual(['removal acme', 'rename acme', 'line_removal acme'])
    expect(await found({ kind: 'rename' })).toEqual(['rename acme'])
    const [, , lines] = await openItems(db.sql, { all: true }, 9)
    expect(await found({ id: lines!.id })).toEqual(['line_removal acme'])
    expect(await found({ kind: 'line_removal' })).toEqual([])
    expect(await found({ kind: 'line_removal', all: true })).toEqual(['line_removal acme'])
  })

  it('is narrowed by kind, source, reason, resource and age, documents too', async () => {
    await review(1)
    await document(2, 'terms', ['short', 'odd'])
    await document(3, 'privacy', ['long'], 'best')
    expect(await found({ kind: 'terms' })).toEqual(['terms', 'privacy'])
    expect(await found({ kind: 'removal' })).toEqual(['removal acme'])
    expect(await found({ source: 'terms' })).toEqual(['terms'])
    expect(await found({ reason: 'odd' })).toEqual(['terms'])
    expect(await found({ reason: 'gone' })).toEqual(['removal acme'])
    expect(await found({ resource: 'm' })).toEqual(['removal acme'])
    expect(await found({ openedBefore: at(2) })).toEqual(['removal acme', 'terms'])
    expect(await found({ provider: 'best' })).toEqual(['privacy'])
    const [item] = await openItems(db.sql, { kind: 'terms' }, 1)
    expect(await found({ id: item!.id })).toContain('terms')
    expect(await found({ id: item!.id, kind: 'terms' })).toEqual(['terms'])
  })

  it('is counted by what it can be narrowed by, the most frequent first', async () => {
    await review(1, { provider: 'best', reasons: ['gone', 'many'] })
    await review(2)
    await document(3, 'terms', ['many'])
    await review(4, { source: 'other', asks: false })
    expect(await summarizeQueue(db.sql)).toEqual({
      waiting: 3,
      kinds: [
        { value: 'removal', count: 2 },
        { value: 'terms', count: 1 },
      ],
      providers: [
        { value: 'acme', count: 2 },
        { value: 'best', count: 1 },
      ],
      sources: [
        { value: 'list', count: 2 },
        { value: 'terms', count: 1 },
      ],
      reasons: [
        { value: 'gone', count: 2 },
        { value: 'many', count: 2 },
      ],
    })
    expect((await summarizeQueue(db.sql, { all: true })).waiting).toBe(4)
  })
})

describe('operators', () => {
  it('are notified of a hundred items by name, of all by number, and of each once in each channel', async () => {
    const logged: { msg: string; items?: number; sources?: number; oldest?: object }[] = []
    const log = createLog('info', 'json', { write: (line) => void logged.push(JSON.parse(line)) })
    const sent: (ReviewNotice | SourceNotice)[] = []
    const hook = { name: 'webhook', send: async (notice: ReviewNotice | SourceNotice) => void sent.push(notice) }
    for (let n = 0; n < 101; n++) await review(0, { kind: 'rename', resources: [`m${n}`] })
    await source('down')
    await db.sql`update source set failing_since = ${AT}, problem = 'it answered 500.' where source = 'down'`
    const notify = (hour: number) => notifyOperators({ sql: db.sql, log, channels: [hook] }, at(hour))
    expect((await notify(23)).notified).toBe(0)
    expect(await notify(24)).toEqual({ notified: 102, problems: [] })
    const [items, sources] = sent as [ReviewNotice, SourceNotice]
    expect([items.waiting, items.notified, items.items.length]).toEqual([101, 101, 100])
    expect(sources).toMatchObject({ failing: 1, notified: 1, sources: [{ source: 'down' }] })
    expect(logged.map(({ msg, items: count, sources: failing }) => [msg, count ?? failing])).toEqual([
      [expect.stringMatching(/^review items that have waited longer than a day: 101; see npx/), 101],
      [expect.stringMatching(/^sources that could not be read for a day: 1; see npx/), 1],
    ])
    expect(logged[1]!.oldest).toMatchObject({ source: 'down' })
    expect((await notify(25)).notified).toBe(0)
    expect([sent.length, logged.length]).toEqual([2, 2])
  })

  it('are notified once of a document whose selectors find nothing, before it has waited a day and after', async () => {
    const sent: (ReviewNotice | SourceNotice)[] = []
    const channels = [{ name: 'webhook', send: async (notice: ReviewNotice | SourceNotice) => void sent.push(notice) }]
    const notify = async (hour: number) => {
      sent.length = 0
      await notifyOperators({ sql: db.sql, log: createLog('silent'), channels }, at(hour))
      return sent.map(({ notified }) => notified)
    }
    const reason = 'looks like: none of its selectors finds anything: .legal'
    await document(0, 'old-blind', [reason])
    await document(29, 'new-blind', [reason])
    await document(29, 'new', ['another text'])
    expect(await notify(30)).toEqual([2])
    expect(await notify(31)).toEqual([])
  })
})
