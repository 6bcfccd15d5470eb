import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { type SourceDeclaration, sourceDeclaration } from '../../../src/catalog/schema.ts'
import { recordGoodFetch } from '../../../src/catalog/snapshots/good-fetch-store.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { declareSources } from '../../../src/catalog/sources/source-store.ts'
import { DAY, HOUR, type Instant, instantOf, plus } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { measureServed } from '../../../src/prices/accuracy/measure-served.ts'
import { settleEvidence } from '../../../src/prices/confirmation/settle-confirmations.ts'
import { findContradictions } from '../../../src/prices/contradicted/find-contradictions.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { recordWitnessPrices } from '../../../src/prices/witness/record-witness-prices.ts'
import { model, models, observed } from '../../prices/observed.ts'
import { snapshot } from '../../prices/support.ts'

const PAGE = sourceDeclaration.parse({ source: 'maker-page', format: 'page', rank: 'provider', speaksFor: ['maker'] })
const LIST = sourceDeclaration.parse({ source: 'list', format: 'list-format' })
const WITNESSES = ['first', 'second'].map((name) =>
  sourceDeclaration.parse({ source: `${name}-list`, format: `${name}-format`, witness: true }),
)

/**
 * A maker whose own page is read, and a seller (`acme`) on a list, one of whose prices two other lists contradict. Measured
 * on the last five days: on the newest two it is contradicted. Returns the instant of the last measure.
 */
export async function measuredDays(sql: Sql): Promise<Instant> {
  const last = instantOf(Math.floor(Date.now() / DAY) * DAY - 21 * HOUR)
  const at = (n: number) => plus(last, (n - 5) * DAY)
  const sources = [PAGE, LIST, ...WITNESSES].map((one) => ({ ...one, kind: 'prices' as const }))
  await declareSources(sql, sources)
  const read = async (source: SourceDeclaration, observations: Observation[], n: number) => {
    await snapshot(sql, source.source, observations, { source, at: at(n) })
    await publishing(sql, async (tx, { at }) => void (await recordGoodFetch(tx, source.source, at)), plus(at(n), 1))
  }
  const own = models(5, { provider: 'maker' })
  const listed = [...models(8), ...model('contested', 0.000002)]
  await read(PAGE, own, 0)
  await read(LIST, listed, 0.1)
  const shown = observed('contested', 'input_tokens', '0.000003')
  const snapshotHash = await storeSnapshot(sql, { bytes: Buffer.from('shown'), at: at(0) })
  const parsed = { providers: [], observations: [shown, ...models(2)], ignored: [] }
  for (const source of WITNESSES)
    await recordWitnessPrices(sql, { source, snapshotHash, parserVersion: 1, parsed, at: at(1.5) })
  for (const n of [1, 2, 3, 4, 5]) {
    await read(PAGE, n === 5 ? [{ ...own[0]!, price: '0.0000021' }, ...own.slice(1)] : own, n - 0.5)
    await read(LIST, listed, n - 0.1)
    await findContradictions(sql, at(n))
    await settleEvidence(sql, at(n), at(n))
    await measureServed(sql, at(n))
  }
  return last
}
