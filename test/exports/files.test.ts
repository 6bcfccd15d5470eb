import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { COLUMN_LIST } from '../../src/exports/column-rules.ts'
import { saveFile } from '../../src/exports/save-file.ts'
import type { ExportedRow, ExportProof } from '../../src/exports/schema.ts'
import { readCsvLines } from '../../src/exports/verify/read-csv.ts'
import { openParquet } from '../../src/exports/verify/read-parquet.ts'
import { readTileHashes } from '../../src/exports/verify/read-tile-hashes.ts'
import { writeParquet } from '../../src/exports/write-parquet.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { HASH_BYTES } from '../../src/proof/tree/hash-rules.ts'
import { writeTiles } from '../../src/proof/tree/tile-store.ts'
import { testDatabase } from '../support/database.ts'
import { testFolder } from './support.ts'

const folder = testFolder()
const db = testDatabase()
const names = COLUMN_LIST.map(([name]) => name)
const linesOf = async (file: string) => {
  const lines: object[] = []
  for await (const part of readCsvLines(file)) lines.push(...part)
  return lines
}

describe('a CSV file', () => {
  it('has nothing where a field may be absent, and an empty text where it may not', async () => {
    const file = join(folder, 'prices.csv')
    const values = names.map((name) => (name === 'leafIndex' ? '7' : name === 'price' ? '1' : ''))
    await writeFile(file, `${names.join(',')}\r\n${values.join(',')}\r\n`)
    const always = COLUMN_LIST.filter(([, { optional }]) => !optional).map(([name]) => name)
    const [line] = await linesOf(file)
    expect(Object.keys(line!)).toEqual(always)
    expect(line).toMatchObject({ provider: '', price: '1', leafIndex: 7 })
  })

  it('without a column is refused by its name', async () => {
    const file = join(folder, 'other.csv')
    await writeFile(file, `${names.filter((name) => name !== 'price').join(',')}\r\n`)
    await expect(linesOf(file)).rejects.toThrow(`${file} is not an export: it has no column price.`)
  })
})

describe('a Parquet file', () => {
  it('has the rows of every part in their order, and the proof', async () => {
    const file = join(folder, 'parts.parquet')
    const values = { text: 'é', instant: '2026-01-01T00:00:00.000Z', count: 0 }
    const row = (leafIndex: number) => ({
      ...Object.fromEntries(COLUMN_LIST.map(([name, { kind }]) => [name, values[kind]])),
      leafIndex,
    })
    const parts = [[row(0), row(1)], [row(2)], [row(3), row(4), row(5)]] as ExportedRow[][]
    const proof = { checkpoint: 'signed', size: 6 } as ExportProof
    const rows = Readable.from(parts)
    await writeFile(file, writeParquet({ asOf: values.instant as Instant, size: 6, rows, proof: async () => proof }))
    const opened = await openParquet(file)
    expect(await Readable.from(opened.lines).toArray()).toEqual(parts)
    expect(JSON.parse(opened.proof!)).toEqual(proof)
  })

  it('without a column is refused by its name, and so is what is none', async () => {
    const file = join(folder, 'other.parquet')
    const writer = new ByteWriter()
    const parquet = new ParquetWriter({
      writer,
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'provider', type: 'BYTE_ARRAY' },
      ],
    })
    await parquet.write({ columnData: [{ name: 'provider', data: ['acme'] }], rowGroupSize: 1 })
    await parquet.finish()
    await writeFile(file, writer.getBytes())
    await expect(openParquet(file)).rejects.toThrow(`${file} is not an export: it has no column source.`)
    const text = join(folder, 'text.parquet')
    await writeFile(text, 'a text that is long enough')
    await expect(openParquet(text)).rejects.toThrow(`${text} is not a Parquet file`)
  })
})

describe('a file that is saved', () => {
  it('is there whole, or is what it was, and nothing stays beside it', async () => {
    const file = join(folder, 'saved.txt')
    async function* parts(fails = false) {
      yield Buffer.from('one ')
      if (fails) throw new Error('no more')
      yield Buffer.from('two')
    }
    await saveFile(file, parts())
    expect(await readFile(file, 'utf8')).toBe('one two')
    await expect(saveFile(file, parts(true))).rejects.toThrow('no more')
    expect(await readFile(file, 'utf8')).toBe('one two')
    expect((await readdir(folder)).filter((name) => name.startsWith('saved'))).toEqual(['saved.txt'])
    await expect(saveFile(join(folder, 'nowhere', 'saved.txt'), parts())).rejects.toThrow(/ENOENT.*, open '/)
  })
})

it('the hashes over complete tiles of leaves are those of the next level, side by side', async () => {
  const hash = (n: number) => Buffer.alloc(HASH_BYTES, n % 251)
  const of = (from: number, count: number) => Buffer.concat(Array.from({ length: count }, (_, n) => hash(from + n)))
  await db.sql.begin((tx) =>
    writeTiles(tx, [
      { level: 1, tile: 1, hashes: of(256, 2) },
      { level: 1, tile: 0, hashes: of(0, 256) },
    ]),
  )
  const text = (n: number) => hash(n).toString('base64')
  expect(await readTileHashes(db.sql, 255)).toEqual([])
  expect(await readTileHashes(db.sql, 3 * 256)).toEqual([0, 1, 2].map(text))
  const all = await readTileHashes(db.sql, 258 * 256 + 9)
  expect([all.length, all[255], all[256], all[257]]).toEqual([258, text(255), text(256), text(257)])
})
