import { describe, expect, it } from 'vitest'
import { COLUMN_LIST } from '../../src/exports/column-rules.ts'
import { exportFileName } from '../../src/exports/file-name-rules.ts'
import { exportedRow, type StoredPeriod } from '../../src/exports/line-rules.ts'
import { PARQUET_SCHEMA, parquetColumns } from '../../src/exports/parquet-rules.ts'
import type { ExportedRow, ExportProof } from '../../src/exports/schema.ts'
import { verifyExport } from '../../src/exports/verify/verify-export.ts'
import { editedFacts, leafOf, misplaced, removed } from '../../src/exports/verify/verify-rules.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { contentHash } from '../../src/prices/row-rules.ts'
import { consistencyPath, treeHash } from '../support/definitions/log-by-definition.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const LATER = '2026-01-02T00:00:00.000Z' as Instant
const LAST = '2026-01-03T00:00:00.000Z' as Instant

const LINE = { provider: 'acme', resource: 'm', dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD' }
const MONEY = { price: '0.000003', effectiveFrom: '2026-01-01', canonicalResource: 'acme/m' }
const line = (n: number, more: Partial<ExportedRow> = {}): ExportedRow => {
  const identity = { ...LINE, resource: `m${n}`, pricingTier: '{}' }
  return {
    ...identity,
    ...MONEY,
    source: 'list',
    recordedAt: AT,
    contentHash: contentHash('list', identity, MONEY, AT),
    approvalStatus: 'approved',
    statusAt: AT,
    leafIndex: n,
    ...more,
  }
}

const HASH = 'a'.repeat(64)
const body = (more: object = {}) =>
  JSON.stringify({ ...LINE, source: 'list', pricingTier: { region: 'eu', context: '>8' }, price: '1', recordedAt: AT, contentHash: HASH, approvalStatus: 'auto_approved', ...more }) // biome-ignore format: a body reads best in a line
const period = (
  publishedAt: Instant,
  unpublishedAt: Instant | null,
  more: Partial<StoredPeriod> = {},
): StoredPeriod => ({
  ...{ contentHash: HASH, body: body(), publishedAt, unpublishedAt },
  ...{ effectiveFrom: null, canonicalResource: 'acme/m', category: null, billingCondition: null },
  ...more,
})
const leaf = (status: 'approved' | 'auto_approved' | 'withdrawn' | 'removed', at: Instant, leafIndex = 4) =>
  ({ kind: 'row', at, contentHash: HASH, status, leafIndex }) as const
const NAMES = { asOf: LAST, listedNames: {} }

describe('a line of an export', () => {
  it('is the row as it is served, with its other facts and its leaf', () => {
    const row = exportedRow(leaf('auto_approved', AT), [period(AT, null)], NAMES)
    expect(row).toEqual({
      ...{ ...LINE, source: 'list', pricingTier: '{"context":">8","region":"eu"}', price: '1', recordedAt: AT },
      ...{
        contentHash: HASH,
        canonicalResource: 'acme/m',
        approvalStatus: 'auto_approved',
        statusAt: AT,
        leafIndex: 4,
      },
    })
  })

  it('keeps a tier that is a text', () => {
    const text = period(AT, null, { body: body({ pricingTier: '{"a":"b"}' }) })
    expect(exportedRow(leaf('approved', AT), [text], NAMES).pricingTier).toBe('{"a":"b"}')
  })

  it.each(['approved', 'auto_approved'] as const)('of a row that was %s says until when it was served', (status) => {
    const periods = [period(AT, LATER), period(LATER, null)]
    expect(exportedRow(leaf(status, AT), periods, NAMES).servedUntil).toBe(LATER)
    expect(exportedRow(leaf(status, LATER), periods, NAMES)).not.toHaveProperty('servedUntil')
    expect(exportedRow(leaf(status, AT), [period(AT, LATER)], { ...NAMES, asOf: LATER }).servedUntil).toBe(LATER)
    expect(exportedRow(leaf(status, AT), [period(AT, LATER)], { ...NAMES, asOf: AT })).not.toHaveProperty('servedUntil')
  })

  it.each(['withdrawn', 'removed'] as const)('of a row that was %s says nothing of a period', (status) => {
    const row = exportedRow(leaf(status, LATER), [period(AT, LATER)], NAMES)
    expect(row).toMatchObject({ approvalStatus: status, statusAt: LATER })
    expect(row).not.toHaveProperty('servedUntil')
  })

  it('is of the first period where the leaf is older than all', () => {
    expect(exportedRow(leaf('approved', AT), [period(LATER, LAST)], NAMES).servedUntil).toBe(LAST)
  })

  it('names what its resource is called now', () => {
    const listedNames = { 'list\u001facme\u001fm': 'new name' }
    expect(exportedRow(leaf('approved', AT), [period(AT, null)], { asOf: LAST, listedNames }).renamedTo).toBe(
      'new name',
    )
    const elsewhere = { 'list\u001fzeta\u001fm': 'new name' }
    expect(
      exportedRow(leaf('approved', AT), [period(AT, null)], { asOf: LAST, listedNames: elsewhere }),
    ).not.toHaveProperty('renamedTo')
  })
})

describe('Parquet', () => {
  it('has a column for each of CSV, which may be empty where the field may be absent', () => {
    expect(PARQUET_SCHEMA).toEqual([
      { name: 'prices', num_children: 20 },
      ...COLUMN_LIST.map(([name]) => ({
        name,
        ...(name === 'leafIndex'
          ? { type: 'INT64' }
          : ['recordedAt', 'statusAt', 'servedUntil'].includes(name)
            ? { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }
            : { type: 'BYTE_ARRAY', converted_type: 'UTF8' }),
        repetition_type: ['continues', 'renamedTo', 'effectiveFrom', 'canonicalResource', 'category', 'billingCondition', 'servedUntil'].includes(name)
          ? 'OPTIONAL'
          : 'REQUIRED',
      })),
    ]) // biome-ignore format: a table reads best in lines
  })

  it('holds texts as they are, instants as milliseconds, counts as numbers, and nothing where there is nothing', () => {
    const columns = Object.fromEntries(
      parquetColumns([line(7), line(8, { servedUntil: LATER })]).map(({ name, data }) => [name, data]),
    )
    expect(columns).toMatchObject({
      price: ['0.000003', '0.000003'],
      statusAt: [BigInt(Date.parse(AT)), BigInt(Date.parse(AT))],
      servedUntil: [undefined, BigInt(Date.parse(LATER))],
      leafIndex: [7n, 8n],
      category: [undefined, undefined],
    })
  })
})

it('files are named by their instant', () => {
  const at = '2026-11-20T03:04:05.678Z' as Instant
  expect(exportFileName(at, 'parquet')).toBe('prices-20261120T030405Z.parquet')
  expect(exportFileName(at, 'csv')).toBe('prices-20261120T030405Z.csv')
  expect(exportFileName(at, 'proof')).toBe('prices-20261120T030405Z.csv.proof.json')
})

describe('the judgement of a line', () => {
  it('finds facts that are not those of the contentHash', () => {
    expect(editedFacts(line(3))).toBeUndefined()
    expect(editedFacts(line(3, { price: '9' }))).toMatchObject({
      ...{ fault: 'edited', leafIndex: 3, contentHash: line(3).contentHash },
      message: expect.stringMatching(
        /^Row [0-9a-f]{64} \(acme m3 input_tokens 9, leaf 3\) was edited: its fields have the hash [0-9a-f]{64}\.$/,
      ),
    })
  })

  it('finds lines that were added, and in a whole history those that are missing', () => {
    const row = line(3)
    expect(misplaced(row, 3, true)).toBeUndefined()
    expect(misplaced(row, 2, false)).toBeUndefined()
    expect(misplaced(row, 4, false)).toEqual({
      ...{ fault: 'added', leafIndex: 3, contentHash: row.contentHash },
      message: `Row ${row.contentHash} (acme m3 input_tokens 0.000003) was added: its leaf 3 comes before leaf 4.`,
    })
    expect(misplaced(row, 2, true)).toEqual({
      ...{ fault: 'removed', leafIndex: 2 },
      message: `The row of leaf 2 was removed: it is missing before row ${row.contentHash} (acme m3 input_tokens 0.000003).`,
    })
    expect(removed(7, 'at the end of the file').message).toBe(
      'The row of leaf 7 was removed: it is missing at the end of the file.',
    )
  })

  it('knows the text of its leaf', () => {
    const { contentHash: hash } = line(1)
    expect(leafOf(line(1))).toBe(`{"at":"${AT}","contentHash":"${hash}","kind":"row","status":"approved"}`)
  })
})

describe('the verification of a file', () => {
  const OTHER = '{"at":"2026-01-01T00:00:00.000Z","kind":"provider","provider":"acme","status":"active"}'
  /** A log whose first and 300th leaf are not about rows. */
  const isOther = (index: number) => index === 0 || index === 300
  const leaves = (count: number) => Array.from({ length: count }, (_, n) => (isOther(n) ? OTHER : leafOf(line(n))))
  const lines = (count: number) =>
    Array.from({ length: count }, (_, n) => line(n)).filter(({ leafIndex }) => !isOther(leafIndex))
  const base64 = (hash: Buffer) => hash.toString('base64')
  const proofOf = (size: number, signed: number, more: Partial<ExportProof> = {}): ExportProof => ({
    ...{ asOf: AT, size, checkpoint: '' },
    consistency: consistencyPath(size, leaves(signed)).map(base64),
    tiles: Array.from({ length: Math.floor(size / 256) }, (_, n) =>
      base64(treeHash(leaves(size).slice(n * 256, (n + 1) * 256))),
    ),
    otherLeaves: leaves(size).flatMap((text, n): [number, string][] => (isOther(n) ? [[n, text]] : [])),
    ...more,
  })
  async function* parts(rows: ExportedRow[]) {
    for (let from = 0; from < rows.length; from += 100) yield rows.slice(from, from + 100)
  }
  const verified = (rows: ExportedRow[], proof: ExportProof, signed: number) =>
    verifyExport(parts(rows), proof, { size: signed, root: treeHash(leaves(signed)) })

  it.each([
    [1, 1],
    [2, 2],
    [301, 301],
    [520, 520],
    [520, 700],
  ])('finds %i leaves whole under a checkpoint of %i', async (size, signed) => {
    const rows = lines(size)
    expect(await verified(rows, proofOf(size, signed), signed)).toEqual({ rows: rows.length, isWhole: true })
  })

  it('finds a part of the history as far as it goes', async () => {
    const rows = lines(520).filter((_, n) => n % 7 === 0)
    const proof = proofOf(520, 520, { providers: ['acme'] })
    expect(await verified(rows, proof, 520)).toEqual({ rows: rows.length, isWhole: false })
    const edited = rows.with(3, { ...rows[3]!, unit: 'x' })
    expect((await verified(edited, proof, 520)).difference).toMatchObject({
      fault: 'edited',
      leafIndex: rows[3]!.leafIndex,
    })
    const twice = [...rows.slice(0, 4), ...rows.slice(3)]
    expect((await verified(twice, proof, 520)).difference).toMatchObject({
      fault: 'added',
      leafIndex: rows[3]!.leafIndex,
    })
  })

  it('names the first of 256 leaves among which a line was edited with its hash', async () => {
    const rows = lines(520)
    const edited = rows.with(400, { ...rows[400]!, approvalStatus: 'auto_approved' })
    expect((await verified(edited, proofOf(520, 520), 520)).difference).toEqual({
      ...{ fault: 'edited', leafIndex: 256 },
      message: 'Lines of the leaves 256 to 511 were edited together with their hashes.',
    })
  })

  it('says where it ends when only the last lines differ', async () => {
    const rows = lines(520)
    const edited = rows.with(-1, { ...rows.at(-1)!, approvalStatus: 'auto_approved' })
    const { difference } = await verified(edited, proofOf(520, 520), 520)
    expect(difference).toMatchObject({
      fault: 'edited',
      leafIndex: 512,
      message: expect.stringContaining('from 512 on'),
    })
  })

  it('does not trust hashes that do not lead to the root', async () => {
    const rows = lines(520)
    const edited = rows.with(400, { ...rows[400]!, approvalStatus: 'auto_approved' })
    const tiles = [base64(treeHash(['other'])), proofOf(520, 520).tiles[1]!]
    const { difference } = await verified(edited, proofOf(520, 520, { tiles }), 520)
    expect(difference).toMatchObject({ leafIndex: 0, message: expect.stringContaining('neither are the hashes') })
    const first = lines(256)
    const without = proofOf(256, 256, { tiles: [] })
    const changed = first.with(100, { ...first[100]!, approvalStatus: 'auto_approved' })
    expect((await verified(changed, without, 256)).difference).toMatchObject({ fault: 'edited', leafIndex: 0 })
  })

  it('finds a line that is missing at the end, or in between', async () => {
    const rows = lines(520)
    expect((await verified(rows.slice(0, -1), proofOf(520, 520), 520)).difference).toMatchObject({
      fault: 'removed',
      leafIndex: 519,
    })
    expect((await verified(rows.toSpliced(5, 1), proofOf(520, 520), 520)).difference).toMatchObject({
      fault: 'removed',
      leafIndex: 6,
    })
  })
})
