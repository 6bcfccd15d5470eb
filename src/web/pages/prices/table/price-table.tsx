import { Checkbox, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useMemo, useRef } from 'react'
import { Loading } from '../../../components/loading/skeletons.tsx'
import { columnDecimals } from '../../../components/values/decimals.ts'
import classes from './price-table.module.css'

export type Column<Row> = {
  id: string
  label: string
  /** Under the label: every number of the column is in this unit. */
  unit?: string
  width: string
  isNumber?: boolean
  /** It holds what can be done: nothing to sort by. */
  isUnsorted?: boolean
  /** What the column is sorted by; rows without a value come last. */
  value: (row: Row) => string | number | undefined
  /** The price as it is shown, of a column whose prices have their decimal points in one line. */
  amount?: (row: Row) => string | undefined
  cell: (row: Row, decimals?: number) => ReactNode
}

type Props<Row> = {
  label: string
  columns: Column<Row>[]
  /** Of each column, for how many decimals its prices need room. */
  decimals: (number | undefined)[]
  /** In their order; undefined while they are loading. */
  rows: Row[] | undefined
  /** The column that orders them; with a minus before it the largest first. */
  sort: string
  onSort: (sort: string) => void
  chosen: string[]
  onChoose: (key: string) => void
  canChoose: boolean
  /** A bar is below the table: the table leaves it its room. */
  hasBar: boolean
  isNarrow: boolean
}

type KeyedRow = { key: string; resource: string; seller: string; sellers?: unknown[] }

const ROW_HEIGHT = 36
/** Where the seller is below the model, its name has two lines. */
const NARROW_ROW_HEIGHT = 70
const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

/** Thousands of rows, of which the browser holds those that are seen. */
export function PriceTable<Row extends KeyedRow>(props: Props<Row>) {
  const { label, columns, decimals, rows, chosen, canChoose, hasBar, isNarrow, onChoose } = props
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 2,
  })
  const template = `${isNarrow ? NARROW_CHOICE_WIDTH : CHOICE_WIDTH}px ${columns.map(({ width }) => width).join(' ')}`
  const room = hasBar ? `scrolls ${classes.scroller} ${classes.withBar}` : `scrolls ${classes.scroller}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={scroller} className={room} tabIndex={0} aria-label={label}>
      <table
        className={classes.table}
        style={{ minWidth: leastWidth(columns, isNarrow) }}
        aria-label={label}
        aria-rowcount={rows && rows.length + 1}
      >
        <thead className={classes.head}>
          <Heading {...props} template={template} />
        </thead>
        <tbody
          className={rows ? classes.body : `${classes.body} ${classes.loading}`}
          style={{ height: rows ? virtualizer.getTotalSize() : LOADING_ROWS * rowHeight }}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows![index]!
            return (
              <tr
                key={row.key}
                aria-rowindex={index + 2}
                className={classes.row}
                data-chosen={chosen.includes(row.key) || undefined}
                style={{ gridTemplateColumns: template, transform: `translateY(${start}px)`, height: rowHeight }}
              >
                <Cells
                  columns={columns}
                  decimals={decimals}
                  row={row}
                  isChosen={chosen.includes(row.key)}
                  canChoose={canChoose}
                  onChoose={onChoose}
                />
              </tr>
            )
          })}
        </tbody>
      </table>
      {rows === undefined && <Loading />}
    </section>
  )
}

const LOADING_ROWS = 12

/** The column with the checkboxes, and the room at both sides of a row. */
const [CHOICE_WIDTH, PADDING] = [36, 24]
const [NARROW_CHOICE_WIDTH, NARROW_PADDING] = [20, 8]
/** The table scrolls sideways rather than cut a column. */
const leastWidth = (columns: { width: string }[], isNarrow: boolean): number =>
  columns.reduce(
    (sum, { width }) => sum + Number(/\d+/.exec(width)![0]),
    isNarrow ? NARROW_CHOICE_WIDTH + NARROW_PADDING : CHOICE_WIDTH + PADDING,
  )

/** Returns for how many decimals each column needs room: of all rows, so that a search moves no number sideways. */
export const useDecimals = <Row,>(columns: Column<Row>[], rows: Row[]): (number | undefined)[] =>
  useMemo(() => columns.map(({ amount }) => amount && columnDecimals(amounts(rows, amount))), [columns, rows])

/** Writes one price after the other: no one asks for all of them. */
function* amounts<Row>(rows: Row[], amount: (row: Row) => string | undefined): Iterable<string | undefined> {
  for (const row of rows) yield amount(row)
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the rows in the order of a column; with a minus before it the largest first. */
export function useSorted<Row extends KeyedRow>(columns: Column<Row>[], rows: Row[], sort: string): Row[] {
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return helper.columns(
      columns.map(({ id, value }) =>
        helper.accessor(value, {
          id,
          sortUndefined: 'last',
          sortFn: (a, b, column) => compare(a.getValue<string | number>(column), b.getValue<string | number>(column)),
        }),
      ),
    )
  }, [columns])
  const sorting = useMemo(() => {
    const id = sort.replace(/^-/, '')
    // A column that is not shown orders nothing: the rows stay in theirs.
    return columns.some((column) => column.id === id) ? [{ id, desc: sort.startsWith('-') }] : []
  }, [columns, sort])
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: (row) => row.key,
    state: { sorting },
  })
  const model = table.getRowModel()
  return useMemo(() => model.rows.map(({ original }) => original), [model])
}

function Heading<Row>({ columns, sort, onSort, template }: Props<Row> & { template: string }) {
  return (
    <tr className={classes.row} style={{ gridTemplateColumns: template }} aria-rowindex={1}>
      <th className={classes.cell}>
        <span className={classes.hidden}>Choose</span>
      </th>
      {columns.map(({ id, label, unit, isNumber, isUnsorted }) => {
        if (isUnsorted)
          return (
            <th key={id} className={classes.cell}>
              <span className={classes.hidden}>{label}</span>
            </th>
          )
        const [isUp, isDown] = [sort === id, sort === `-${id}`]
        const Icon = isDown ? IconArrowDown : IconArrowUp
        return (
          <th
            key={id}
            className={classes.cell}
            data-number={isNumber}
            aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}
          >
            <UnstyledButton onClick={() => onSort(isUp ? `-${id}` : id)} className={classes.sort}>
              <span className={classes.label}>
                {label}
                {(isUp || isDown) && <Icon size={13} aria-hidden />}
              </span>
              {unit && <span className={classes.unit}>{unit}</span>}
            </UnstyledButton>
          </th>
        )
      })}
    </tr>
  )
}

type CellsProps<Row> = Pick<Props<Row>, 'columns' | 'decimals' | 'canChoose' | 'onChoose'> & {
  row: Row
  isChosen: boolean
}

/** What a row holds: drawn once, wherever it moves while someone types or scrolls. */
function RowCells<Row extends KeyedRow>(props: CellsProps<Row>) {
  const { columns, decimals, row, isChosen, canChoose, onChoose } = props
  return (
    <>
      <td className={classes.cell}>
        {(row.sellers?.length ?? 1) === 1 && (
          <Checkbox
            size="xs"
            checked={isChosen}
            disabled={!isChosen && !canChoose}
            onChange={() => onChoose(row.key)}
            aria-label={`Compare ${row.resource} at ${row.seller}`}
          />
        )}
      </td>
      {columns.map(({ id, cell, isNumber }, n) => (
        <td key={id} className={classes.cell} data-number={isNumber}>
          {cell(row, decimals[n]) ?? <Nothing />}
        </td>
      ))}
    </>
  )
}
const Cells = memo(RowCells) as typeof RowCells

const Nothing = () => (
  <Text span c="dimmed" size="sm" aria-label="none">
    –
  </Text>
)
