import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { createExporter } from '../../src/exports/exporter.ts'
import { readExport } from '../../src/exports/verify/read-export.ts'
import { verifyExport } from '../../src/exports/verify/verify-export.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { readCheckpoint } from '../../src/proof/checkpoint-rules.ts'
import { addAccount } from '../support/accounts.ts'
import { appServer } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { lacks } from '../support/suite/needs.ts'
import { keep, seedHistory, testFolder } from './support.ts'

const db = testDatabase({ each: true })
const folder = testFolder()
let [sql, server, url, cookie] = [undefined as unknown as Sql, undefined as unknown as Api, '', '']

beforeEach(async () => {
  await seedHistory(db.sql)
  await keep(db.sql)
  sql = connect(db.url)
  server = await appServer(sql, { DATABASE_URL: db.url }, db.sql)
  await server.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/v1/app/export`
  cookie = `pricetape=${(await addAccount(db.sql, 'reader@example.com')).sessionToken}`
})
afterEach(async () => {
  await server.close()
  await sql.end()
})

const download = (what: string, signal?: AbortSignal) => fetch(`${url}?what=${what}`, { headers: { cookie }, signal })

/** The processes of ours that write an export. */
const writing = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const ofParent = /^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      return ofParent === String(process.pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('exports/child')
    } catch {
      return false
    }
  })

const isWriting = (): boolean => writing().length > 0
/** How much a process gives way to others, of 19. */
const niceOf = (pid: string): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[16]!

/** Holds every process that writes rows up while `work` runs. */
async function heldUp(work: () => Promise<void>): Promise<void> {
  await db.sql.begin(async (tx) => {
    await tx`lock table price_row in access exclusive mode`
    await work()
  })
}

describe.skipIf(lacks('Linux'))('a download of the whole history (needs Linux)', () => {
  it('is Parquet, verified by itself', async () => {
    const answer = await download('parquet')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="prices-20260106T000000Z.parquet"')
    const file = join(folder, 'download.parquet')
    await writeFile(file, Buffer.from(await answer.arrayBuffer()))
    const { lines, proof } = await readExport(file)
    expect(await verifyExport(lines, proof, readCheckpoint(proof.checkpoint)!)).toMatchObject({ isWhole: true })
  })

  it('is CSV, verified with a second file', async () => {
    const file = join(folder, 'download.csv')
    await writeFile(file, await (await download('csv')).text())
    await writeFile(`${file}.proof.json`, await (await download('proof')).text())
    const { lines, proof } = await readExport(file)
    const verified = await verifyExport(lines, proof, readCheckpoint(proof.checkpoint)!)
    expect(verified).toEqual({ rows: 12, isWhole: true })
  })

  it('is broken off, not ended, when it cannot be written to its end', async () => {
    await db.sql`alter table price_row rename to nowhere`
    const answer = await download('csv')
    await expect(answer.text()).rejects.toThrow()
  })

  it('is broken off with what its process said last', async () => {
    await db.sql`alter table price_row rename to nowhere`
    const { bytes } = await createExporter(sql, db.url).start({ what: 'csv' })
    await expect(text(bytes)).rejects.toThrow(
      /^an export ended before its file was whole: [\s\S]*"price_row" does not exist/,
    )
  })

  it('says why nothing can be exported as of an instant, however often that was asked', async () => {
    const exporter = createExporter(sql, db.url)
    const asOf = '2030-01-01T00:00:00.000Z' as Instant
    for (let times = 0; times < 3; times++)
      await expect(exporter.start({ what: 'csv', asOf })).rejects.toMatchObject({ code: 'as_of_too_recent' })
    const answer = await fetch(`${url}?what=csv&asOf=2030-01-01T00:00:00Z`, { headers: { cookie } })
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'as_of_too_recent',
    ])
  })

  it('is made by two processes at once at most, which end when no one wants the file any more', async () => {
    await heldUp(async () => {
      const gone = new AbortController()
      await Promise.all([download('csv', gone.signal), download('csv', gone.signal)])
      expect(isWriting()).toBe(true)
      const third = await download('csv')
      expect(third.status).toBe(429)
      expect(third.headers.get('retry-after')).toBe('60')
      expect(await third.json()).toMatchObject({ error: { message: expect.stringContaining('2 exports') } })
      gone.abort()
      await vi.waitFor(() => expect(isWriting()).toBe(false), { timeout: 60_000 })
    })
    // The server hears of the end of a process a moment later than the system, and the next one begins behind all others.
    await vi.waitFor(async () => expect((await download('csv')).status).toBe(200), { timeout: 120_000, interval: 250 })
  })

  it('is not begun where the process cannot connect', async () => {
    await expect(createExporter(sql, undefined).start({ what: 'csv' })).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('ends with the server', async () => {
    await heldUp(async () => {
      const exporter = createExporter(sql, db.url)
      const { bytes } = await exporter.start({ what: 'csv' })
      bytes.on('error', () => {})
      bytes.resume()
      await vi.waitFor(() => expect(isWriting()).toBe(true), { timeout: 60_000 })
      expect(writing().map(niceOf)).toEqual(['10'])
      exporter.close()
      await new Promise((done) => bytes.once('close', done))
      await vi.waitFor(() => expect(isWriting()).toBe(false), { timeout: 60_000 })
    })
  })
})
