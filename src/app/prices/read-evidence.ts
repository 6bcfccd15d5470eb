import * as rows from '../../evidence/read-evidence.ts'
import { shownUnit } from '../../lib/text/price-text.ts'
import { readEvidence } from '../contracts/prices.ts'
import { route } from '../route.ts'

/** GET /v1/app/evidence/{contentHash}: where a price was read, and who else shows it. */
export const readEvidenceRoute = route(readEvidence, async ({ tools, params }) => {
  const found = await rows.readEvidence(tools.sql, tools.findPlace, params.contentHash)
  return { ...found, ...shownUnit(found.unit) }
})
