import { useMediaQuery } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { PackedPrices } from '../../api/prices.ts'
import { useChangeSearch } from '../../components/use-change-search.ts'
import { useTyped } from '../../components/use-typed.ts'
import { correct, MACHINE_COLUMNS } from './columns.tsx'
import { useIsOperator } from './correct-link.tsx'
import { workloadOf } from './cost/workload.ts'
import { filtered } from './filter.ts'
import { type GroupRow, groupModels, narrowed, opened } from './group-models.ts'
import { MODEL_COLUMNS } from './model-columns.tsx'
import { narrowColumns } from './narrow-columns.ts'
import { type Column, useDecimals, useSorted } from './price-table.tsx'
import type { PricesSearch } from './search.ts'
import { usualColumns } from './toolbar.tsx'
import { type MachineRow, unpack } from './unpack.ts'

const NARROW = '(max-width: 48em)'
export type Row = GroupRow | MachineRow
export type View = ReturnType<typeof useView>
const NO_ROWS: Row[] = []
const NO_GROUPS: GroupRow[] = []

/**
 * The rows of the tab in their order, and those of them that are shown. A key that is typed filters, and sorts nothing.
 */
export function useView(packed: PackedPrices | undefined, search: PricesSearch) {
  const { tab, providers, abilities } = search
  const put: (change: Partial<PricesSearch>) => void = useChangeSearch()
  const [typed, type] = useTyped(search.q, put)
  const all: Row[] = useRows(packed, search)
  const { isNarrow = false, columns, sort } = useColumns(search)
  const decimals = useDecimals(columns, all)
  const isGrouped = tab === undefined
  const sorted = useSorted(columns, isGrouped ? NO_ROWS : all, sort)
  const q = useDeferredValue(typed)
  const wanted = useMemo(
    () => filtered(isGrouped ? all : sorted, { providers, abilities: tab === 'machines' ? [] : abilities }),
    [isGrouped, all, sorted, providers, abilities, tab],
  )
  const groups = useMemo(() => (isGrouped ? groupModels(wanted as GroupRow[], costOf) : NO_GROUPS), [isGrouped, wanted])
  const sortedGroups = useSorted(columns, groups as Row[], sort) as GroupRow[]
  const shownGroups = useMemo(() => narrowed(sortedGroups, q, costOf), [sortedGroups, q])
  const found: Row[] = useMemo(
    () => (isGrouped ? shownGroups.flatMap(({ sellers }) => sellers!) : filtered(wanted, { q })),
    [isGrouped, shownGroups, wanted, q],
  )
  const { open, toggle } = useOpen()
  const shown = useMemo(() => (isGrouped ? opened(shownGroups, open) : found), [isGrouped, shownGroups, open, found])
  const counts = useMemo(
    () => (isGrouped ? { shown: shownGroups.length, all: modelsOf(all) } : { shown: found.length, all: all.length }),
    [isGrouped, shownGroups, all, found],
  )
  return { isNarrow, all, found, shown, counts, columns, decimals, sort, typed, type, put, toggle }
}

const costOf = ({ cost }: GroupRow): number | undefined => cost?.value
const modelsOf = (rows: Row[]): number => new Set((rows as GroupRow[]).map(({ model }) => model.id)).size

/** The calculation comes after the prices: they are shown without it. */
const costsPart = queryOptions({
  queryKey: ['part', 'costs'],
  queryFn: () => import('./cost/row-costs.ts'),
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

/** The models whose sellers are shown below them. */
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

/** Models that many sell come first. */
const FIRST_SORT = { models: '-seller', sellers: 'model', machines: 'machine' }

/** The columns that are shown, and the order of the rows. */
function useColumns({ tab, columns: chosen, sort }: PricesSearch) {
  const isNarrow = useMediaQuery(NARROW)
  const isOperator = useIsOperator()
  const isMachines = tab === 'machines'
  const columns = useMemo(() => {
    if (isNarrow) return narrowColumns(isMachines, chosen)
    const wanted = chosen ?? usualColumns(tab)
    const own = isOperator && tab !== undefined ? [correct<MachineRow & GroupRow>()] : []
    return isMachines
      ? [...MACHINE_COLUMNS.filter(({ id }) => wanted.includes(id)), ...own]
      : [...MODEL_COLUMNS.filter(({ id }) => wanted.includes(id)), ...own]
  }, [isNarrow, isMachines, isOperator, chosen, tab]) as Column<Row>[]
  const by = sort ?? FIRST_SORT[tab ?? 'models']
  // On a narrow screen the order is that of columns which are not shown there.
  const isKnown = columns.some(({ id }) => id === by.replace(/^-/, ''))
  return { isNarrow, columns, sort: isKnown || sort === undefined ? by : columns[0]!.id }
}
