import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { LoadingRows } from './loading/loading-rows.tsx'
import { Loading } from './loading/skeletons.tsx'

/** The name of a column; or with it, how its head is set. */
type Column = string | { name: string; right?: boolean; isNarrow?: boolean }

type Props = {
  /** A narrower window scrolls the table sideways. */
  minWidth: number
  columns: Column[]
  /** Adds a last column for what can be done with a row. */
  actions?: boolean
  highlightOnHover?: boolean
  /** How far rows are apart. */
  spacing?: 'sm' | 4
  /** How high a row is, for those that stand in the place of the rows while they are loading. */
  rowHeight?: number
  /** The rows; undefined while they are loading. */
  children: ReactNode
}

/** A table with named columns: the same everywhere but where a head says more than a name. */
export const DataTable = ({
  minWidth,
  columns,
  actions,
  highlightOnHover,
  spacing = 'sm',
  rowHeight,
  children,
}: Props) => (
  <Table.ScrollContainer minWidth={minWidth}>
    <Table verticalSpacing={spacing} highlightOnHover={highlightOnHover}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, n) => {
            const { name, right, isNarrow } = typeof column === 'string' ? { name: column } : column
            return (
              <Table.Th
                key={name}
                ta={right ? 'right' : undefined}
                // The others do not squeeze what a row is about.
                miw={n === 0 && !isNarrow ? 160 : undefined}
                style={{ whiteSpace: 'nowrap' }}
              >
                {name}
              </Table.Th>
            )
          })}
          {actions && <Table.Th aria-label="Actions" />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {children ?? <LoadingRows columns={columns.length + (actions ? 1 : 0)} height={rowHeight} />}
      </Table.Tbody>
    </Table>
    {children === undefined && <Loading />}
  </Table.ScrollContainer>
)
