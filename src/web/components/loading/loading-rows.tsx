import { Table } from '@mantine/core'
import { Words } from './skeletons.tsx'

const ROWS = 8
const ROW_HEIGHT = 41
const WIDTHS = [150, 90, 120, 70]

type RowsProps = {
  columns: number
  height?: number | undefined
  /** Columns that a narrow window does not show. */
  wideOnly?: number[]
}

/** The rows of a table that is loading, as high as they will be. */
export const LoadingRows = ({ columns, height = ROW_HEIGHT, wideOnly = [] }: RowsProps) =>
  Array.from({ length: ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <Table.Tr key={row} h={height} aria-hidden>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Table.Td key={column} visibleFrom={wideOnly.includes(column) ? 'xs' : undefined}>
          <Words width={WIDTHS[(row + column) % WIDTHS.length]} />
        </Table.Td>
      ))}
    </Table.Tr>
  ))
