import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { exportToFile } from '../../src/exports/export-to-file.ts'
import { openExport } from '../../src/exports/open-export.ts'
import { EXPORT_FORMATS, type ExportedRow, type ExportFormat } from '../../src/exports/schema.ts'
import { readExport } from '../../src/exports/verify/read-export.ts'
import { verifyExport } from '../../src/exports/verify/verify-export.ts'
import { writeParquet } from '../../src/exports/write-parquet.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { publicationBody } from '../../src/prices/history/history-rules.ts'
import { readCheckpoint } from '../../src/proof/checkpoint-rules.ts'
import { day, models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'
import { readRows } from '../support/definitions/history.ts'
import { keep, seedHistory, testFolder } from './support.ts'

const db = testDatabase({ each: true })
const folder = testFolder()

async function all(parts: AsyncIterable<ExportedRow[]>): Promise<ExportedRow[]> {
  const rows: ExportedRow[] = []
  for await (const part of parts) rows.push(...part)
  return rows
}

let files = 0
async function exported(format: ExportFormat, wanted: { asOf?: Instant; providers?: string[] } = {}) {
  const file = join(folder, `prices-${files++}.${format}`)
  const written = await exportToFile(await openExport(db.sql, wanted), file, format)
  const { lines, proof } = await readExport(file)
  return { file, written, proof, rows: await all(lines) }
}

async function verified(file: string) {
  const { lines, proof } = await readExport(file)
  const signed = readCheckpoint(proof.checkpoint)!
  return verifyExport(lines, proof, signed)
}

describe.each(EXPORT_FORMATS)('the whole history as %s', (format) => {
  it('has every row with everything it says, in the order of the log, and is verified', async () => {
    await seedHistory(db.sql)
    await keep(db.sql)
    const { file, written, rows } = await exported(format)
    expect(written).toMatchObject({ rows: rows.length, asOf: day(5) })
    expect(rows.map(({ statusAt }) => statusAt)).toEqual(rows.map(({ statusAt }) => statusAt).sort())
    expect(new Set(rows.map(({ leafIndex }) => leafIndex)).size).toBe(rows.length)
    expect(await verified(file)).toEqual({ rows: rows.length, isWhole: true })
  })

  it('has the rows that the price history serves, as it serves them', async () => {
    await seedHistory(db.sql)
    await keep(db.sql)
    for (const asOf of [day(2), day(3), day(4), day(5)]) {
      const { rows } = await exported(format, { asOf })
      const served = rows.filter((row) => !['withdrawn', 'removed'].includes(row.approvalStatus) && !row.servedUntil)
      const history = await readRows<ExportedRow>(db.sql, { asOf })
      const texts = served.map((row) => publicationBody(row as Parameters<typeof publicationBody>[0])).sort()
      expect(texts).toEqual(history.map((row) => publicationBody(row as never)).sort())
    }
  })

  it('is of one provider alone where that is wanted, and names what was edited in it', async () => {
    await seedHistory(db.sql)
    await keep(db.sql)
    const { file, rows, proof } = await exported(format, { providers: ['zeta'] })
    expect(rows.map(({ provider }) => provider)).toEqual(['zeta', 'zeta'])
    expect(proof.providers).toEqual(['zeta'])
    expect(await verified(file)).toEqual({ rows: 2, isWhole: false })
  })

  it('is of an earlier checkpoint than the newest, whose tree begins with it', async () => {
    await snapshot(db.sql, 'list', models(150), { at: day(1) })
    await snapshot(db.sql, 'list', [...models(150), ...models(200).slice(300)], { at: day(2) })
    await keep(db.sql)
    const { file, proof } = await exported(format, { asOf: day(1) })
    expect(proof).toMatchObject({ size: 302, asOf: day(1) })
    expect(readCheckpoint(proof.checkpoint)!.size).toBeGreaterThan(302)
    expect(await verified(file)).toEqual({ rows: 300, isWhole: true })
  })
})

it('an export says until when a row was served, in whatever order its periods are stored', async () => {
  const { restored } = await seedHistory(db.sql)
  await keep(db.sql)
  const { rows } = await exported('csv')
  // A row that is written again is stored behind the others.
  await db.sql`
    update publication set unpublished_at = unpublished_at where content_hash = ${restored} and unpublished_at is not null`
  expect((await exported('csv')).rows).toEqual(rows)
  const periods = rows.filter(({ contentHash }) => contentHash === restored)
  expect(periods.map(({ approvalStatus, servedUntil }) => `${approvalStatus} ${servedUntil}`)).toEqual([
    ...[`auto_approved ${day(4)}`, 'withdrawn undefined', 'approved undefined'],
  ])
})

it('an export of an instant before the first publication is refused', async () => {
  await seedHistory(db.sql)
  await keep(db.sql)
  await expect(openExport(db.sql, { asOf: day(0) })).rejects.toMatchObject({ code: 'unavailable' })
})

it('an export of a log that names a row which is not there is refused, unless it is of other providers', async () => {
  await seedHistory(db.sql)
  await keep(db.sql)
  await db.sql`delete from publication where provider = 'acme' and resource = 'm1'`
  await expect(exported('csv')).rejects.toThrow('the publication log names a row that is not there')
  expect((await exported('csv', { providers: ['zeta'] })).rows).toHaveLength(2)
})

it('every part of a Parquet file stays as it is while the next one is made', async () => {
  await seedHistory(db.sql)
  await keep(db.sql)
  const { file } = await exported('parquet')
  const parts: Uint8Array[] = []
  for await (const part of writeParquet(await openExport(db.sql, {}))) parts.push(part)
  expect(parts.length).toBeGreaterThan(1)
  expect(Buffer.concat(parts).equals(await readFile(file))).toBe(true)
})

it('every column has a value in some row of a history with everything', async () => {
  await seedHistory(db.sql)
  await db.sql`
    insert into resource_rename values ('list', 'acme', 'm2', 'm3', ${day(4)}, null)`
  await db.sql`
    update publication set body = replace(body, '"approvalStatus":"auto_approved"', '"approvalStatus":"auto_approved","continues":"second"')`
  await keep(db.sql)
  const { rows } = await exported('csv')
  const empty = Object.keys(rows[0]!).filter((name) =>
    rows.every((row) => row[name as keyof ExportedRow] === undefined),
  )
  expect(empty).toEqual([])
  const header = (await readFile(join(folder, `prices-${files - 1}.csv`), 'utf8')).split('\r\n')[0]!.split(',')
  const filled = new Set(rows.flatMap((row) => Object.keys(row)))
  expect(header.filter((name) => !filled.has(name))).toEqual([])
})

it('Parquet has row groups of bounded size and the checkpoint as text in its metadata', async () => {
  await snapshot(db.sql, 'list', models(50), { at: day(1) })
  await keep(db.sql)
  const { file, proof } = await exported('parquet')
  const { row_groups: groups, key_value_metadata: pairs } = await parquetMetadataAsync(await asyncBufferFromFile(file))
  expect(groups.map(({ num_rows }) => Number(num_rows))).toEqual([100])
  expect(pairs?.find(({ key }) => key === 'pricetape.checkpoint')?.value).toBe(proof.checkpoint)
})

describe('a CSV file that someone changed', () => {
  const HEADER = 1
  async function changed(change: (lines: string[]) => string[], proofChange = (proof: string) => proof) {
    await snapshot(db.sql, 'list', models(300), { at: day(1) })
    await keep(db.sql)
    const { file, proof } = await exported('csv')
    size = proof.size
    const lines = (await readFile(file, 'utf8')).split('\r\n')
    await writeFile(file, change(lines).join('\r\n'))
    const proofFile = `${file}.proof.json`
    await writeFile(proofFile, proofChange(await readFile(proofFile, 'utf8')))
    return (await verified(file)).difference
  }
  const hashIn = (line: string) => /[0-9a-f]{64}/.exec(line)![0]
  let [hash, size] = ['', 0]

  it('is named by the first row that was edited', async () => {
    const difference = await changed((lines) => {
      hash = hashIn(lines[HEADER + 7]!)
      return lines.with(HEADER + 7, lines[HEADER + 7]!.replace('usd_per_token', 'eur_per_token'))
    })
    expect(difference).toMatchObject({ fault: 'edited', contentHash: hash, leafIndex: 9 })
  })

  it('is named by the first row that is gone', async () => {
    const difference = await changed((lines) => lines.toSpliced(HEADER + 7, 1))
    expect(difference).toMatchObject({ fault: 'removed', leafIndex: 9 })
  })

  it('is named by the last row, when that is gone', async () => {
    const difference = await changed((lines) => lines.slice(0, -2))
    expect(difference).toMatchObject({ fault: 'removed', leafIndex: size - 1 })
  })

  it('is named by a row that was added', async () => {
    const difference = await changed((lines) => {
      hash = hashIn(lines[HEADER + 3]!)
      return lines.toSpliced(HEADER + 7, 0, lines[HEADER + 3]!)
    })
    expect(difference).toMatchObject({ fault: 'added', contentHash: hash })
  })

  const withEditedStatus = (row: number) => (lines: string[]) =>
    lines.with(HEADER + row, lines[HEADER + row]!.replace('auto_approved', 'approved'))

  it.each([
    [100, 0, 'Lines of the leaves 0 to 255 were edited together with their hashes.'],
    [300, 256, 'Lines of the leaves from 256 on, or the proof, are not what was signed.'],
  ])(
    'is named by its part, or by what is after the last whole one, where the status of row %i was edited',
    async (row, leafIndex, message) => {
      expect(await changed(withEditedStatus(row))).toMatchObject({ fault: 'edited', leafIndex, message })
    },
  )

  it('is named where its proof was edited with it', async () => {
    const difference = await changed(withEditedStatus(300), (proof) =>
      proof.replace(/"tiles":\["[^"]+"/, `"tiles":["${Buffer.alloc(32).toString('base64')}"`),
    )
    expect(difference).toMatchObject({
      ...{ fault: 'edited', leafIndex: 0 },
      message: 'The lines are not what was signed, and neither are the hashes of the proof, which would say where.',
    })
  })
})

it('a Parquet file with fewer rows than its checkpoint is refused', async () => {
  await snapshot(db.sql, 'list', models(20), { at: day(1) })
  await snapshot(db.sql, 'list', models(30), { at: day(2) })
  await keep(db.sql)
  const { file } = await exported('parquet', { asOf: day(1) })
  const later = await exported('parquet')
  const { lines } = await readExport(file)
  const signed = readCheckpoint(later.proof.checkpoint)!
  expect((await verifyExport(lines, later.proof, signed)).difference).toMatchObject({ fault: 'removed' })
})
