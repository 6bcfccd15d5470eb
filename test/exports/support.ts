import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import type { Instant } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { publishRows } from '../../src/prices/publish/publish-rows.ts'
import { storedRows } from '../../src/prices/store/row-store.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { day, model, observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'

export const LOG_SECRET = Buffer.alloc(32, 3)

/** Writes the publication log and signs it, as a check does. */
export const keep = (sql: Sql) => keepLog({ sql, names: { logOrigin: 'log.test/prices' }, secretKey: LOG_SECRET })

/** A folder of a test file's own. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-export-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Ends rows, or serves them again, at an instant of the past. */
async function setStatus(
  sql: Sql,
  hashes: string[],
  status: 'withdrawn' | 'removed' | 'approved',
  at: Instant,
): Promise<void> {
  const stored = await storedRows(sql, hashes)
  const rows = stored.map((row) => ({ row, status }))
  await publishing(sql, (tx, stamp) => publishRows(tx, stamp, { source: stored[0]!.source, rows, lines: [] }), at)
}

/** A history of five days with everything that a row can have, and every way in which it can end. */
export async function seedHistory(sql: Sql): Promise<{ withdrawn: string; restored: string }> {
  const everything = {
    effectiveFrom: '2026-01-01',
    canonicalResource: 'acme/full, "model" é',
    category: 'text',
    billingCondition: '=8 × H100\n"reserved"',
    pricingTier: { context: '>272000', region: 'eu' },
  }
  const full = observed('full, "model" é', 'input_tokens', '0.000003', everything)
  await snapshot(sql, 'list', [...model('m1', 1e-6), ...model('m2', 2e-6), full], { at: day(1) })
  await snapshot(sql, 'second', model('z1', 1e-6, { provider: 'zeta' }), { at: day(2) })
  await snapshot(sql, 'list', [...model('m1', 1.1e-6), ...model('m2', 2e-6), full], { at: day(3) })
  const [first, second] = await sql<{ hash: string }[]>`
    select content_hash as hash from publication where unpublished_at is null order by published_at, content_hash`
  await setStatus(sql, [first!.hash, second!.hash], 'withdrawn', day(4))
  await setStatus(sql, [second!.hash], 'approved', day(5))
  return { withdrawn: first!.hash, restored: second!.hash }
}
