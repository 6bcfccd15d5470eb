import { shownContext } from '../money.ts'
import type { GroupRow } from '../table/group-models.ts'
import { isSeveral } from '../table/group-rows.ts'
import type { Column } from '../table/price-table.tsx'
import type { Facts } from './facts.ts'

/** What is stated of a row's own resource; in the row of a model, of the model. */
const factsOf = (row: GroupRow): Facts | undefined => (isSeveral(row) ? row.model.facts : row.facts)

const tokens = (id: string, label: string, of: (facts: Facts) => number | undefined): Column<GroupRow> => ({
  id,
  label,
  unit: 'tokens',
  width: '88px',
  isNumber: true,
  value: (row) => of(factsOf(row) ?? {}),
  cell: (row) => {
    const count = of(factsOf(row) ?? {})
    return count && <span title={count.toLocaleString('en')}>{shownContext(String(count))}</span>
  },
})

/** A day of release is that of the model, whoever sells it. */
const releasedOf = (row: GroupRow): string | undefined => factsOf(row)?.released ?? row.model.facts?.released

export const FACT_COLUMNS: Column<GroupRow>[] = [
  tokens('window', 'Context', ({ context }) => context),
  tokens('limit', 'Answer', ({ output }) => output),
  {
    id: 'released',
    label: 'Released',
    width: '106px',
    value: releasedOf,
    cell: releasedOf,
  },
]
