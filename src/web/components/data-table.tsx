import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** The name of a column; or with it, how its head is set. */
type Column = string | { name: string; right?: boolean }

type Props = {
  /** A narrower window scrolls the table sideways. */
  minWidth: number
  columns: Column[]
  /** Adds a last column for what can be done with a row. */
  actions?: boolean
  highlightOnHover?: boolean
  /** The rows. */
  children: ReactNode
}

/** A table with named columns: the same everywhere but where a head says more than a name. */
export const DataTable = ({ minWidth, columns, actions, highlightOnHover, children }: Props) => (
  <Table.ScrollContainer minWidth={minWidth}>
    <Table verticalSpacing="sm" highlightOnHover={highlightOnHover}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, n) => {
            const { name, right } = typeof column === 'string' ? { name: column } : column
            return (
              <Table.Th
                key={name}
                ta={right ? 'right' : undefined}
                // The others do not squeeze what a row is about.
                miw={n === 0 ? 160 : undefined}
                style={{ whiteSpace: 'nowrap' }}
              >
                {name}
              </Table.Th>
            )
          })}
          {actions && <Table.Th aria-label="Actions" />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
