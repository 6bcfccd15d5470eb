import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tracedSql } from '../../src/lib/postgres/traced-sql.ts'
import { deliveryContext, inSpan, linkToHere } from '../../src/lib/spans.ts'
import { testDatabase } from '../support/database.ts'

const exporter = new InMemorySpanExporter()
beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
})
beforeEach(() => exporter.reset())
afterAll(() => {
  trace.disable()
  context.disable()
})

const spans = () =>
  exporter.getFinishedSpans().map(({ name, attributes, status }) => ({
    name,
    error: attributes['error.type'],
    failed: status.code === SpanStatusCode.ERROR,
  }))

describe('a span', () => {
  it('ends with its work, and of an error has its kind and nothing that it says', async () => {
    expect(await inSpan('good', {}, async () => 'done')).toBe('done')
    const coded = Object.assign(new TypeError('the password is geheim'), { code: 'ECONNRESET' })
    for (const [name, error] of [['coded', coded], ['named', new TypeError('geheim')], ['bare', {}]] as const) // biome-ignore format: pairs
      await expect(inSpan(name, {}, () => Promise.reject(error))).rejects.toBe(error)
    expect(spans()).toEqual([
      { name: 'good', error: undefined, failed: false },
      { name: 'coded', error: 'ECONNRESET', failed: true },
      { name: 'named', error: 'TypeError', failed: true },
      { name: 'bare', error: 'unknown', failed: true },
    ])
    const [, { status, attributes, events } = {}] = exporter.getFinishedSpans()
    expect(JSON.stringify([status, attributes, events])).not.toContain('geheim')
  })

  it('is in the trace that its context names, with what it is about, and leads to the one it was begun in', async () => {
    const deliveryId = '0199c2a4-0000-7000-8000-00000000abcd'
    expect(linkToHere()).toEqual([])
    await inSpan('round', {}, async () => {
      const options = { attributes: { of: 'it' }, links: linkToHere(), within: deliveryContext(deliveryId) }
      await inSpan('attempt', options, async () => {})
    })
    const [attempt, round] = exporter.getFinishedSpans()
    expect(attempt!.attributes).toEqual({ of: 'it' })
    expect(attempt!.spanContext().traceId).toBe(deliveryId.replaceAll('-', ''))
    expect(attempt!.links.map((link) => link.context.spanId)).toEqual([round!.spanContext().spanId])
  })
})

describe('the span of a statement', () => {
  const db = testDatabase()

  it('has its text without values, also in a transaction, in a savepoint and on a reserved connection', async () => {
    const sql = tracedSql(db.sql)
    await sql`
      select ${'geheim'}::text as   secret`
    await sql.begin(async (tx) => {
      await tx`select 2`
      await tx.savepoint((inner) => inner`values (3)`)
    })
    const connection = await sql.reserve()
    await connection`table migration limit 0`
    connection.release()
    const found = exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes['db.query.text']])
    expect(found).toEqual([
      ['sql select', 'select ?::text as secret'],
      ['sql select', 'select 2'],
      ['sql values', 'values (3)'],
      ['sql table', 'table migration limit 0'],
    ])
  })

  it('says by its code why it failed, is of one that was waited for once, and is not longer than 2,000 characters', async () => {
    const sql = tracedSql(db.sql)
    await expect(sql`select 1 / ${0}::int`).rejects.toThrow('division by zero')
    const waited = sql`select 1`
    await Promise.all([waited, waited])
    const long = Object.assign([`select 1 -- ${'x'.repeat(3_000)}`], { raw: [`select 1 -- ${'x'.repeat(3_000)}`] })
    await sql(long)
    expect(spans()).toEqual([
      { name: 'sql select', error: '22012', failed: true },
      { name: 'sql select', error: undefined, failed: false },
      { name: 'sql select', error: undefined, failed: false },
    ])
    expect(String(exporter.getFinishedSpans().at(-1)!.attributes['db.query.text'])).toHaveLength(2_000)
  })
})
