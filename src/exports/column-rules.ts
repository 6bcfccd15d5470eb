import type { ExportedRow } from './schema.ts'

type ColumnKind = 'text' | 'instant' | 'count'
type Column = { kind: ColumnKind; optional?: true }

/** A field that may be absent needs a column that may be empty, and no other one. */
type Columns = {
  [Name in keyof Required<ExportedRow>]: undefined extends ExportedRow[Name]
    ? { kind: ColumnKind; optional: true }
    : { kind: ColumnKind; optional?: undefined }
}

/** The columns of a file in their order. A new field of a row does not compile until it has one; it is added at the end. */
const COLUMNS: Columns = {
  provider: { kind: 'text' },
  source: { kind: 'text' },
  resource: { kind: 'text' },
  dimension: { kind: 'text' },
  unit: { kind: 'text' },
  currency: { kind: 'text' },
  pricingTier: { kind: 'text' },
  price: { kind: 'text' },
  recordedAt: { kind: 'instant' },
  contentHash: { kind: 'text' },
  continues: { kind: 'text', optional: true },
  renamedTo: { kind: 'text', optional: true },
  effectiveFrom: { kind: 'text', optional: true },
  canonicalResource: { kind: 'text', optional: true },
  category: { kind: 'text', optional: true },
  billingCondition: { kind: 'text', optional: true },
  approvalStatus: { kind: 'text' },
  statusAt: { kind: 'instant' },
  servedUntil: { kind: 'instant', optional: true },
  leafIndex: { kind: 'count' },
}

export const COLUMN_LIST = Object.entries(COLUMNS) as [keyof ExportedRow, Column][]
