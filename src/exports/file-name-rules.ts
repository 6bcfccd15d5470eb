import type { Instant } from '../lib/instant.ts'
import type { ExportTask } from './schema.ts'

/** What follows the name of a CSV file in the name of the one that it is verified with. */
export const PROOF_SUFFIX = '.proof.json'

/** Returns how a file is called where no one says how: `prices-20261120T030000Z.csv`. */
export const exportFileName = (asOf: Instant, what: ExportTask['what']): string =>
  `prices-${asOf.replace(/[-:]|\.\d+/g, '')}.${what === 'proof' ? `csv${PROOF_SUFFIX}` : what}`
