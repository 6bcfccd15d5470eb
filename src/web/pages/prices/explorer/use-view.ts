import { useMediaQuery } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { PackedPrices } from '../../../api/prices.ts'
import { useChangeSearch } from '../../../components/hooks/use-change-search.ts'
import { useListSearch } from '../../../components/hooks/use-typed.ts'
import { useIsOperator } from '../correct-link.tsx'
import { workloadOf } from '../cost/workload.ts'
import { groupMachines, type MachineGroup, machineKey, machineOf } from '../machines/group-machines.ts'
import { MACHINE_COLUMNS } from '../machines/machine-columns.tsx'
import { correct } from '../table/columns.tsx'
import { type GroupRow, groupModels, modelOf } from '../table/group-models.ts'
import { narrowed, opened } from '../table/group-rows.ts'
import { MODEL_COLUMNS } from '../table/model-columns.tsx'
import { narrowColumns } from '../table/narrow-columns.ts'
import { type Column, useDecimals, useSorted } from '../table/price-table.tsx'
import { unpack } from '../table/unpack.ts'
import { filtered } from './filter.ts'
import type { PricesSearch } from './search.ts'
import { usualColumns } from './toolbar.tsx'

const NARROW = '(max-width: 48em)'
export type Row = GroupRow | MachineGroup
export type View = ReturnType<typeof useView>
const NO_ROWS: Row[] = []

/** How the rows of sellers are put together. Each is given the rows of its own tab. */
type Grouping = { group: (rows: Row[]) => Row[]; of: (sellers: Row[]) => Row; keyOf: (row: Row) => string | number }
const MODELS = { group: groupModels, of: modelOf, keyOf: ({ model }: GroupRow) => model.id } as unknown as Grouping
const MACHINES = { group: groupMachines, of: machineOf, keyOf: machineKey } as unknown as Grouping
const GROUPINGS: Record<string, Grouping | undefined> = { models: MODELS, machines: MACHINES }

/**
 * The rows of the tab in their order, and those of them that are shown. A key that is typed filters, and sorts nothing.
 */
export function useView(packed: PackedPrices | undefined, search: PricesSearch) {
  const { tab, providers, abilities } = search
  const context = Number(search.context ?? 0)
  const put: (change: Partial<PricesSearch>) => void = useChangeSearch()
  const [typed, type] = useListSearch()
  const all: Row[] = useRows(packed, search)
  const { isNarrow = false, columns, sortable, sort } = useColumns(search)
  const decimals = useDecimals(columns, all)
  const grouping = GROUPINGS[tab ?? 'models']
  const sorted = useSorted(sortable, grouping ? NO_ROWS : all, sort)
  const q = useDeferredValue(typed)
  const wanted = useMemo(() => {
    const ofModels = tab === 'machines' ? {} : { abilities, context }
    return filtered<Row>(grouping ? all : sorted, { providers, ...ofModels })
  }, [grouping, all, sorted, providers, abilities, context, tab])
  const groups = useMemo(() => grouping?.group(wanted) ?? NO_ROWS, [grouping, wanted])
  const sortedGroups = useSorted(sortable, groups, sort)
  const shownGroups = useMemo(
    () => (grouping ? (narrowed(sortedGroups as never, q, grouping.of as never) as Row[]) : NO_ROWS),
    [grouping, sortedGroups, q],
  )
  const found = useMemo(
    () => (grouping ? shownGroups.flatMap(({ sellers }) => sellers as Row[]) : filtered(wanted, { q })),
    [grouping, shownGroups, wanted, q],
  )
  const { open, toggle } = useOpen()
  const shown = useMemo(
    () => (grouping ? (opened(shownGroups as never, open) as Row[]) : found),
    [grouping, shownGroups, open, found],
  )
  const counts = useMemo(() => {
    if (!grouping) return { shown: found.length, all: all.length }
    return { shown: shownGroups.length, all: new Set(all.map(grouping.keyOf)).size }
  }, [grouping, shownGroups, all, found])
  return { isNarrow, all, found, shown, counts, columns, decimals, sort, typed, type, put, toggle }
}

/** The calculation comes after the prices: they are shown without it. */
const costsPart = queryOptions({
  queryKey: ['part', 'costs'],
  queryFn: () => import('../cost/row-costs.ts'),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The rows of a tab, those of models with the cost of the workload. */
function useRows(packed: PackedPrices | undefined, { tab, tokens, requests, service }: PricesSearch): Row[] {
  const unpacked = useMemo(() => packed && unpack(packed), [packed])
  const { data: costs } = useQuery(costsPart)
  const isMachines = tab === 'machines'
  return useMemo(() => {
    if (!unpacked) return NO_ROWS
    if (isMachines) return unpacked.machines
    return costs?.withCosts(unpacked.models, workloadOf({ tokens, requests, service })) ?? unpacked.models
  }, [unpacked, isMachines, costs, tokens, requests, service])
}

/** The groups whose sellers are shown below them. */
function useOpen() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    (key: string) =>
      setOpen((before) => {
        const after = new Set(before)
        if (!after.delete(key)) after.add(key)
        return after
      }),
    [],
  )
  return { open, toggle }
}

/** What many sell comes first. */
const FIRST_SORT = { models: '-seller', sellers: 'model', machines: '-seller' }

/** The columns that are shown, and the order of the rows. */
function useColumns({ tab, columns: chosen, sort }: PricesSearch) {
  const isNarrow = useMediaQuery(NARROW)
  const isOperator = useIsOperator()
  const isMachines = tab === 'machines'
  const columns = useMemo(() => {
    if (isNarrow) return narrowColumns(isMachines, chosen)
    const wanted = chosen ?? usualColumns(tab)
    const own = isOperator && tab !== undefined ? [correct<MachineGroup & GroupRow>()] : []
    return isMachines
      ? [...MACHINE_COLUMNS.filter(({ id }) => wanted.includes(id)), ...own]
      : [...MODEL_COLUMNS.filter(({ id }) => wanted.includes(id)), ...own]
  }, [isNarrow, isMachines, isOperator, chosen, tab]) as Column<Row>[]
  // Rows can be in the order of a column that is not shown.
  const sortable = (isMachines ? MACHINE_COLUMNS : MODEL_COLUMNS) as Column<Row>[]
  const first = FIRST_SORT[tab ?? 'models']
  const isKnown = sortable.some(({ id }) => id === sort?.replace(/^-/, ''))
  return { isNarrow, columns, sortable, sort: sort !== undefined && isKnown ? sort : first }
}
