import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { raisePriceVersion, readAgain } from '../../catalog/sources/source-ingest-store.ts'
import { groupBy } from '../../lib/collections.ts'
import type { Tx } from '../../lib/sql.ts'
import { removeLines } from '../publish/end-lines.ts'
import { lineKey } from '../row-rules.ts'
import type { LineIdentity } from '../schema.ts'
import { knownLines } from '../store/line-state-store.ts'
import type { ReplacedLines } from './authority-rules.ts'
import { sameLinesElsewhere } from './authority-store.ts'

/** Returns the lines of other sources that these rows replace when they are published. */
export async function linesReplacedBy(tx: Tx, source: string, rows: LineIdentity[]): Promise<ReplacedLines> {
  const found = await sameLinesElsewhere(tx, source, rows)
  const replaced: ReplacedLines = new Map()
  for (const [other, lines] of groupBy(found, (line) => line.source)) {
    const ids = lines.map(({ lineId }) => lineId)
    for (const line of await knownLines(tx, other, ids)) replaced.set(lineKey(line), { source: other, line })
  }
  return replaced
}

/** Stops serving replaced lines. The next checks hand over what else their resources have. */
export async function endReplaced(tx: Tx, stamp: Stamp, source: string, replaced: ReplacedLines): Promise<void> {
  if (replaced.size === 0) return
  await readAgain(tx, source)
  for (const [other, ended] of groupBy(replaced.values(), (one) => one.source)) {
    await raisePriceVersion(tx, other)
    await removeLines(tx, stamp, other, {
      retired: ended.map(({ line }) => line),
      reason: `${source} decides about it now`,
    })
    await readAgain(tx, other)
  }
}
