import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ConsistencyProof, PageProof, PriceRow, RowProof } from '../../clients/typescript/src/index.ts'
import { ProofError, verifyConsistency, verifyPage, verifyRow } from '../../clients/typescript/src/proof/index.ts'
import { canonicalJson } from '../../src/lib/canonical-json.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { contentHash } from '../../src/prices/row-rules.ts'
import {
  base64,
  consistencyPath,
  inclusionPath,
  logSigner,
  pagePath,
} from '../support/definitions/log-by-definition.ts'
import { lacks } from '../support/suite/needs.ts'
import { callPythonEach, type PythonTask } from '../support/toolchains/python-client.ts'

const ORIGIN = 'prices.example.com/v1/log'
const AT = '2026-01-01T00:00:00.000Z' as Instant
const log = logSigner(ORIGIN)
const SIZES = [1, 2, 3, 4, 5, 7, 8, 13]

const LINE = { provider: 'acme', dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD' }
const rows: PriceRow[] = Array.from({ length: 13 }, (_, n) => {
  const line = { ...LINE, resource: `model "é" ${n}`, pricingTier: n % 2 ? '{"context":">272000"}' : '{}' }
  const money = { price: `0.00000${n + 1}`, effectiveFrom: '2026-01-01' }
  const hash = contentHash('list', line, money, AT)
  const pricingTier = JSON.parse(line.pricingTier)
  return {
    ...line,
    ...money,
    source: 'list',
    pricingTier,
    recordedAt: AT,
    contentHash: hash,
    approvalStatus: 'approved',
  }
}).map(({ effectiveFrom: _, ...row }) => row as PriceRow)

const leafOf = ({ contentHash, approvalStatus }: PriceRow): string =>
  canonicalJson({ kind: 'row', at: AT, contentHash, status: approvalStatus })
const factsOf = ({ approvalStatus: _, contentHash: __, ...row }: PriceRow): string =>
  canonicalJson({ ...row, pricingTier: canonicalJson(row.pricingTier), effectiveFrom: '2026-01-01' })
const leaves = rows.map(leafOf)

const proven = (index: number) => ({ leafIndex: index, leaf: leaves[index]!, row: factsOf(rows[index]!) })
const rowProof = (index: number, size: number): RowProof => ({
  ...proven(index),
  hashes: base64(inclusionPath(index, leaves.slice(0, size))),
  checkpoint: log.checkpoint(leaves.slice(0, size)),
})
const consistencyProof = (from: number, to: number): ConsistencyProof => ({
  ...{ from, to },
  hashes: base64(consistencyPath(from, leaves.slice(0, to))),
  checkpoint: log.checkpoint(leaves.slice(0, to)),
})
const pageProof = (indexes: number[], size: number): PageProof => ({
  rows: indexes.map(proven),
  hashes: base64(pagePath(indexes, leaves.slice(0, size))),
  checkpoint: log.checkpoint(leaves.slice(0, size)),
})
const kept = (size: number, by = log): string => by.checkpoint(leaves.slice(0, size))
const page = (indexes: number[]): PriceRow[] => indexes.map((index) => rows[index]!)

type Case = {
  name: string
  call: 'verify_row' | 'verify_consistency' | 'verify_page'
  given: unknown[]
  expected: unknown
}
const row = (name: string, given: [PriceRow, RowProof, unknown?], expected: unknown): Case => ({
  ...{ name, call: 'verify_row', expected },
  given: [given[0], given[1], given[2] ?? log.verifier],
})
const consistency = (name: string, given: [string, ConsistencyProof, unknown?], expected: unknown): Case => ({
  ...{ name, call: 'verify_consistency', expected },
  given: [given[0], given[1], given[2] ?? log.verifier],
})
const pageOf = (name: string, given: [PriceRow[], PageProof], expected: unknown): Case => ({
  ...{ name, call: 'verify_page', expected },
  given: [...given, log.verifier],
})
const fault = (name: string, more: object = {}) => ({ fault: name, ...more })

const other = logSigner(ORIGIN)
const stranger = logSigner('elsewhere.example.com/v1/log')
const [first, second] = [rows[0]!, rows[1]!]
const PAGES = [[0], [12], [3, 4], [7, 2, 11], [...rows.keys()], [0, 2, 4, 6, 8, 10, 12]]
const hashOf = ({ contentHash }: PriceRow) => contentHash

const CASES: Case[] = [
  ...SIZES.flatMap((size) =>
    Array.from({ length: size }, (_, index) =>
      row(`row ${index} of ${size}`, [rows[index]!, rowProof(index, size)], AT),
    ),
  ),
  ...SIZES.flatMap((to) =>
    SIZES.filter((from) => from <= to).map((from) =>
      consistency(`the log of ${from} begins that of ${to}`, [kept(from), consistencyProof(from, to)], to),
    ),
  ),
  ...PAGES.map((indexes) =>
    pageOf(
      `a page of rows ${indexes}`,
      [page(indexes), pageProof(indexes, 13)],
      Object.fromEntries(page(indexes).map((one) => [hashOf(one), AT])),
    ),
  ),
  row('a key among others', [first, rowProof(0, 5), [stranger.verifier, other.verifier, log.verifier]], AT),

  row('an edited price', [{ ...first, price: '9' }, rowProof(0, 5)], fault('edited_row', { field: 'price' })),
  row(
    'an edited tier',
    [{ ...second, pricingTier: {} }, rowProof(1, 5)],
    fault('edited_row', { field: 'pricingTier' }),
  ),
  row(
    'facts that were edited too',
    [
      { ...first, price: '9' },
      { ...rowProof(0, 5), row: factsOf({ ...first, price: '9' }) },
    ],
    fault('edited_row'),
  ),
  row('the proof of another row', [first, rowProof(1, 5)], fault('other_row')),
  row(
    'a leaf that ended the publication',
    [first, { ...rowProof(0, 5), leaf: leaves[0]!.replace('"approved"', '"withdrawn"') }],
    fault('other_row'),
  ),
  row(
    'a leaf that is not in the log',
    [first, { ...rowProof(0, 5), leaf: leaves[0]!.replace('2026', '2025') }],
    fault('not_in_log'),
  ),
  row('a leaf at another index', [first, { ...rowProof(0, 5), leafIndex: 1 }], fault('not_in_log')),
  row('an index beyond the log', [first, { ...rowProof(0, 5), leafIndex: 5 }], fault('not_in_log')),
  row(
    'a hash too many',
    [first, { ...rowProof(0, 5), hashes: [...rowProof(0, 5).hashes, rowProof(0, 5).hashes[0]!] }],
    fault('not_in_log'),
  ),
  row('a hash too few', [first, { ...rowProof(0, 5), hashes: rowProof(0, 5).hashes.slice(1) }], fault('not_in_log')),
  row('what is not a hash', [first, { ...rowProof(0, 5), hashes: ['AAAA'] }], fault('unreadable')),
  row('leaves that are not canonical', [first, { ...rowProof(0, 5), leaf: ` ${leaves[0]}` }], fault('unreadable')),
  row('a swapped checkpoint', [first, { ...rowProof(0, 5), checkpoint: kept(7) }], fault('not_in_log')),
  row('another key of the same name', [first, rowProof(0, 5), other.verifier], fault('unknown_key')),
  row('the key of another log', [first, rowProof(0, 5), stranger.verifier], fault('unknown_key')),
  row(
    'a damaged key',
    [first, rowProof(0, 5), log.verifier.replace(/\+[0-9a-f]{8}/, '+00000000')],
    fault('unreadable'),
  ),
  row(
    'a checkpoint that was changed',
    [first, { ...rowProof(0, 5), checkpoint: kept(5).replace('\n5\n', '\n6\n') }],
    fault('bad_signature'),
  ),
  row('no checkpoint', [first, { ...rowProof(0, 5), checkpoint: 'hello\n' }], fault('unreadable')),

  consistency(
    'a log that was rewritten',
    [log.checkpoint(leaves.slice(1, 6)), consistencyProof(5, 13)],
    fault('rewritten'),
  ),
  consistency('a log that is shorter now', [kept(7), consistencyProof(5, 5)], fault('rewritten')),
  consistency(
    'a hash too many in between',
    [
      kept(5),
      { ...consistencyProof(5, 13), hashes: [...consistencyProof(5, 13).hashes, consistencyProof(5, 13).hashes[0]!] },
    ],
    fault('rewritten'),
  ),
  consistency('hashes of nothing', [kept(5), { ...consistencyProof(5, 13), hashes: [] }], fault('rewritten')),
  consistency('a kept checkpoint of another key', [kept(5, other), consistencyProof(5, 13)], fault('unknown_key')),

  pageOf('a removed row', [page([2, 7]), pageProof([2, 7, 11], 13)], fault('missing_row', { hash: hashOf(rows[11]!) })),
  pageOf('an added row', [page([2, 7, 11]), pageProof([2, 7], 13)], fault('missing_row', { hash: hashOf(rows[11]!) })),
  pageOf(
    'an edited row',
    [[rows[2]!, { ...rows[7]!, unit: 'eur' }], pageProof([2, 7], 13)],
    fault('edited_row', { hash: hashOf(rows[7]!), field: 'unit' }),
  ),
  pageOf(
    'rows in another order',
    [page([7, 2]), pageProof([2, 7], 13)],
    fault('other_row', { hash: hashOf(rows[7]!) }),
  ),
  pageOf(
    'the hashes of another page',
    [page([2, 7]), { ...pageProof([2, 7], 13), hashes: pageProof([2, 8], 13).hashes }],
    fault('not_in_log'),
  ),
  pageOf('a row twice', [page([2, 2]), { ...pageProof([2], 13), rows: [proven(2), proven(2)] }], fault('not_in_log')),
]

type FoundFault = { fault?: string | null; field?: string | null; hash?: string | null }
const withoutEmpty = (found: FoundFault) =>
  Object.fromEntries(Object.entries(found).filter(([, value]) => value != null))

function inTypeScript({ call, given }: Case): unknown {
  try {
    if (call === 'verify_consistency') return verifyConsistency(...(given as Parameters<typeof verifyConsistency>)).size
    if (call === 'verify_row') return verifyRow(...(given as Parameters<typeof verifyRow>)).publishedAt
    return Object.fromEntries(verifyPage(...(given as Parameters<typeof verifyPage>)).publishedAt)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return withoutEmpty({ fault: error.fault, field: error.field, hash: error.contentHash })
  }
}

it('the rows of these tests have the contentHash of their facts', () => {
  for (const one of rows) expect(createHash('sha256').update(factsOf(one)).digest('hex')).toBe(one.contentHash)
})

describe('verification in the TypeScript client', () => {
  it.each(CASES)('$name', (one) => {
    const { expected } = one
    if (typeof expected === 'object') expect(inTypeScript(one)).toMatchObject(expected as object)
    else expect(inTypeScript(one)).toEqual(expected)
  })
})

describe.skipIf(lacks("Python's cryptography"))(
  "verification in the Python client (needs Python's cryptography)",
  () => {
    it('agrees with the TypeScript client in every case', async () => {
      const answers = await callPythonEach<unknown>(CASES.map(({ call, given }): PythonTask => ({ call, given })))
      const found = answers.map(({ result, error }, n) => ({
        name: CASES[n]!.name,
        found: error ? withoutEmpty({ fault: error.fault, field: error.field, hash: error.content_hash }) : result,
      }))
      expect(found).toEqual(CASES.map((one) => ({ name: one.name, found: inTypeScript(one) })))
    })
  },
)
