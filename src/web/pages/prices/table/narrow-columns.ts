import type { MachineGroup } from '../machines/group-machines.ts'
import { MACHINE_COLUMNS, MACHINE_NARROW } from '../machines/machine-columns.tsx'
import type { GroupRow } from './group-models.ts'
import { MODEL_COLUMNS, MODEL_NARROW } from './model-columns.tsx'
import type { Column } from './price-table.tsx'

/** Where there is little room, the name's column says who sells it. */
const SELLER = 'seller'

/** Returns the columns for a narrow screen: the name, and what was chosen or the two usual prices beside it. */
export const narrowColumns = (isMachines: boolean, chosen?: string[]): Column<GroupRow>[] | Column<MachineGroup>[] =>
  isMachines ? withChosen(MACHINE_NARROW, MACHINE_COLUMNS, chosen) : withChosen(MODEL_NARROW, MODEL_COLUMNS, chosen)

function withChosen<Row>(usual: Column<Row>[], all: Column<Row>[], chosen: string[] | undefined): Column<Row>[] {
  if (!chosen) return usual
  const name = usual[0]!
  return [name, ...all.filter(({ id }) => id !== name.id && id !== SELLER && chosen.includes(id))]
}

/** Returns what can be chosen on a narrow screen, what is shown before anyone chooses, and what always is. */
export function narrowChoice(isMachines: boolean) {
  const usual = (isMachines ? MACHINE_NARROW : MODEL_NARROW).map(({ id }) => id)
  const all = (isMachines ? MACHINE_COLUMNS : MODEL_COLUMNS).filter(({ id }) => id !== SELLER)
  return { all, usual, fixed: usual[0]! }
}
