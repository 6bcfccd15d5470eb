import { exportFileName } from '../../exports/file-name-rules.ts'
import { exportPrices } from '../contracts/prices.ts'
import { route } from '../route.ts'

const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
  proof: 'application/json; charset=utf-8',
} as const

/** GET /v1/app/export: the whole history as one file, or what a CSV file of it is verified with. */
export const exportPricesRoute = route(exportPrices, async ({ tools, query: { what, asOf } }) => {
  const started = await tools.exporter.start({ what, ...(asOf && { asOf }) })
  return { name: exportFileName(started.asOf, what), type: TYPES[what], bytes: started.bytes }
})
