import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { exportToFile } from '../../src/exports/export-to-file.ts'
import { openExport } from '../../src/exports/open-export.ts'
import type { ExportedRow } from '../../src/exports/schema.ts'
import { readExport } from '../../src/exports/verify/read-export.ts'
import { snippet } from '../support/code/snippets.ts'
import { testDatabase } from '../support/database.ts'
import { lacks } from '../support/suite/needs.ts'
import { keep, seedHistory, testFolder } from './support.ts'

/** Prints what DuckDB, pandas and pyarrow read of the files, as JSON. */
const SCRIPT = `
import json, sys
import duckdb, pandas, pyarrow.parquet
parquet, csv, query = sys.argv[1:]
def records(frame):
    return json.loads(frame.to_json(orient="records", date_format="iso", date_unit="ms"))
duckdb.sql("set timezone = 'UTC'")
metadata = pyarrow.parquet.read_metadata(parquet).metadata
print(json.dumps({
    "types": {name: str(kind) for name, kind in zip(pyarrow.parquet.read_schema(parquet).names, pyarrow.parquet.read_schema(parquet).types)},
    "checkpoint": metadata[b"pricetape.checkpoint"].decode(),
    "pandas": records(pandas.read_parquet(parquet)),
    "csv": records(pandas.read_csv(csv, dtype=str, keep_default_na=False)),
    "duckdb": duckdb.sql(f"select provider, resource, price, leafIndex from '{parquet}' order by leafIndex").fetchall(),
    "duckdbCsv": duckdb.sql(f"select count(*) from read_csv('{csv}')").fetchall()[0][0],
    "documented": [[*row[:2], str(row[2])] for row in duckdb.sql(query).fetchall()],
}))
`

const db = testDatabase()
const folder = testFolder()
type Record = { [name: string]: string | number | null }

describe.skipIf(lacks('DuckDB and pandas'))('an export in other programs (needs DuckDB and pandas)', () => {
  it('is read by DuckDB, pandas and pyarrow as it was written', async () => {
    await seedHistory(db.sql)
    await keep(db.sql)
    const [parquet, csv] = [join(folder, 'prices.parquet'), join(folder, 'prices.csv')]
    await exportToFile(await openExport(db.sql, {}), parquet, 'parquet')
    await exportToFile(await openExport(db.sql, {}), csv, 'csv')
    const { lines, proof } = await readExport(parquet)
    const rows: ExportedRow[] = []
    for await (const part of lines) rows.push(...part)
    const query = (await snippet('docs/use/export.md', 'select provider, resource, price::decimal')).replace(
      'prices.parquet',
      parquet,
    )
    const { stdout } = await promisify(execFile)('python3', ['-c', SCRIPT, parquet, csv, query])
    const read = JSON.parse(stdout)

    const texts = (row: object) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ''))
    expect(read.pandas.map(texts)).toEqual(rows)
    expect(read.csv.map(texts)).toEqual(rows.map((row) => ({ ...row, leafIndex: String(row.leafIndex) })))
    expect(read.duckdb).toEqual(
      rows.map(({ provider, resource, price, leafIndex }) => [provider, resource, price, leafIndex]),
    )
    expect(read.duckdbCsv).toBe(rows.length)
    expect(read.checkpoint).toBe(proof.checkpoint)
    expect(read.types).toMatchObject({ price: 'string', leafIndex: 'int64', statusAt: 'timestamp[ms, tz=UTC]' })
    expect(read.documented.length).toBeGreaterThan(0)
    expect(read.documented.every((row: Record[]) => row.length === 3)).toBe(true)
  })
})
