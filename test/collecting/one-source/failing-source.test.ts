import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { acceptClock } from '../../../src/catalog/clock/accept-clock.ts'
import { readSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { recentFetches } from '../../../src/catalog/sources/source-store.ts'
import { MINUTE, plus } from '../../../src/lib/instant.ts'
import { listing, listSource, name, sends, start } from './list-source.ts'

const list = listSource()
const { collect, collectDue, state, prices, system, database } = list

describe('a source that fails', () => {
  beforeEach(async () => {
    list.answer = sends(listing(1), { etag: '"good"' })
    await collect()
  })
  const before = { 'm input_tokens': '0.000001', 'm output_tokens': '0.000004', 'n input_tokens': '0.000007' }

  it('waits longer each time, says why, and changes no price', async () => {
    list.answer = sends('no', {}, 500)
    let now = plus(start, 15 * MINUTE)
    const waits: number[] = []
    for (let failure = 1; failure <= 8; failure++) {
      expect(await collect(now)).toMatchObject({
        outcome: 'failed',
        problem: `${system.base}/${name}.json answered 500.`,
      })
      const { nextDueAt, failures } = (await state())!
      expect(failures).toBe(failure)
      waits.push((Date.parse(nextDueAt) - Date.parse(now)) / MINUTE)
      now = nextDueAt
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 360])
    expect(await prices()).toEqual(before)
    list.answer = sends(listing(1), { etag: '"good"' })
    expect(await collect(now)).toMatchObject({ outcome: 'unchanged' })
    expect(await state()).toMatchObject({ failures: 0, nextDueAt: plus(now, 15 * MINUTE) })
    expect((await state())?.problem).toBeUndefined()
  })

  it('is not blamed while nothing may be published, and is collected as soon as it may', async () => {
    list.answer = sends(listing(1))
    await collect()
    // Both clocks jumped ahead by a day since they were last compared.
    await database.sql`
      update clock_anchor set database_at = database_at - interval '1 day', machine_at = machine_at - interval '1 day'`
    list.answer = sends(listing(2))
    const due = plus(start, 15 * MINUTE)
    const refused = await collect(due)
    expect(refused).toMatchObject({ outcome: 'skipped', problem: expect.stringMatching(/clock jumped ahead/) })
    expect(await state()).toMatchObject({ failures: 0, nextDueAt: due })
    expect(await prices()).toEqual(before)
    await acceptClock(database.sql)
    expect((await collectDue(due)).collected).toMatchObject([{ source: name, outcome: 'changed' }])
    expect(await prices()).toMatchObject({ 'm input_tokens': '0.000002' })
  })

  it('is left alone for as long as it asks', async () => {
    list.answer = sends('slow down', { 'retry-after': '3600' }, 429)
    const now = plus(start, 15 * MINUTE)
    await collect(now)
    expect((await state())?.nextDueAt).toBe(plus(now, 60 * MINUTE))
  })

  it.each([
    ['is cut off', () => listing(1).slice(0, 60), /cut off/],
    ['is a web page', () => '<!doctype html><title>Sign in</title>', /web page/],
    ['is an empty list', () => '[]', /empty list/],
    ['holds NaN', () => listing(1).replace(':7', ':NaN'), /NaN/],
  ])('is quarantined when its answer %s: kept, and no price changes', async (_, body, sentence) => {
    list.answer = sends(body(), { etag: '"bad"' })
    const now = plus(start, 15 * MINUTE)
    expect(await collect(now)).toMatchObject({ outcome: 'quarantined', problem: expect.stringMatching(sentence) })
    const [fetched] = await recentFetches(database.sql, name)
    expect(new TextDecoder().decode(await readSnapshot(database.sql, fetched!.snapshotHash!))).toBe(body())
    expect(await state()).toMatchObject({ failures: 1, etag: '"good"', lastGoodAt: start })
    expect(await prices()).toEqual(before)
  })

  it('is refused when it sends more than the limit, packed or not', async () => {
    const big = { source: name, format: 'genai-prices', url: `${system.base}/big.json`, options: { maxBytes: 10_000 } }
    list.collecting = system.declare([big])
    list.answer = sends(`[${' '.repeat(50_000)}]`)
    expect(await collect()).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/larger than 10000 bytes\. Set maxBytes in the options of the source/),
    })
    list.answer = sends(gzipSync(' '.repeat(5_000_000)), { 'content-encoding': 'gzip' })
    expect(await collect()).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/larger than 10000 bytes\. Set maxBytes in the options of the source/),
    })
    list.answer = sends(gzipSync(' '.repeat(5_000_000)))
    expect(await collect()).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/larger than 10000 bytes\. Set maxBytes in the options of the source/),
    })
    expect(await prices()).toEqual(before)
  })

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['begin', () => {}],
    ['end', (response) => response.writeHead(200).write('[')],
  ])('fails when it does not %s in time, and its connection is closed', async (_, send) => {
    let isClosed = false
    list.answer = (_, response) => {
      response.once('close', () => {
        isClosed = true
      })
      send(response)
    }
    expect(await collect(start, { timeoutMs: 300 })).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/could not be read/),
    })
    await expect.poll(() => isClosed).toBe(true)
  })

  it('does not lean on the bundled release once it was heard', async () => {
    list.collecting = system.declare([
      { source: name, format: 'genai-prices', url: `${system.base}/${name}.json`, bundled: true },
    ])
    list.answer = sends('no', {}, 503)
    expect(await collect(plus(start, 15 * MINUTE))).toMatchObject({ outcome: 'failed' })
    expect(await prices()).toEqual(before)
  })
})
