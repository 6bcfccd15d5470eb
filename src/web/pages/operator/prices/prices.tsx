import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { readablePrice, readableUnit } from '../../../../lib/text/price-text.ts'
import { type ResourceRow, resourceRowsQuery } from '../../../api/operator.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { Empty } from '../../../components/states/empty.tsx'
import { Failure } from '../../../components/states/failure.tsx'
import { AlignedPrice } from '../../../components/values/aligned-price.tsx'
import { columnDecimals } from '../../../components/values/decimals.ts'
import { Moment } from '../../../components/values/moment.tsx'
import { text } from '../../../search.ts'
import { OperatorPage } from '../operator-page.tsx'
import { type Correction, CorrectionDialog } from './correction-dialog.tsx'
import { ResourceForm } from './resource-form.tsx'

/** Corrects, withdraws and restores what is published of one resource. */
export const Prices = () => (
  <OperatorPage
    title="Correct prices"
    about="The newest rows of one resource. Correct, withdraw or restore a price. Subscribers receive price.corrected with your reason."
  >
    {() => <Rows />}
  </OperatorPage>
)

function Rows() {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const chosen = { provider: text(search.provider) ?? '', resource: text(search.resource) ?? '' }
  const isChosen = chosen.provider !== '' && chosen.resource !== ''
  const { data, error, refetch } = useQuery({ ...resourceRowsQuery(chosen), enabled: isChosen })
  const [correction, setCorrection] = useState<Correction>()
  const choose = (given: typeof chosen) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, ...given })) as never })
  return (
    <Stack>
      <ResourceForm key={`${chosen.provider} ${chosen.resource}`} chosen={chosen} onChoose={choose} />
      {!isChosen && (
        <Empty title="Choose a resource">Its rows appear here. Decisions under Review link here too.</Empty>
      )}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data && data.rows.length === 0 && (
        <Empty title="Nothing was ever published under this name">Choose one of the suggested names.</Empty>
      )}
      {isChosen && !error && data?.rows.length !== 0 && <RowTable rows={data?.rows} onCorrect={setCorrection} />}
      {correction && <CorrectionDialog {...correction} of={chosen} onClose={() => setCorrection(undefined)} />}
    </Stack>
  )
}

type OnCorrect = (correction: Correction) => void

function RowTable({ rows, onCorrect }: { rows: ResourceRow[] | undefined; onCorrect: OnCorrect }) {
  const decimals = columnDecimals(rows?.map(({ price, unit }) => readablePrice(price, unit)) ?? [])
  return (
    <DataTable
      minWidth={760}
      columns={['Price of', { name: 'Price', right: true }, 'Unit', 'Status', 'Recorded']}
      actions
      rowHeight={62}
    >
      {rows?.map((row) => (
        <Row key={row.contentHash} row={row} decimals={decimals} onCorrect={onCorrect} />
      ))}
    </DataTable>
  )
}

function Row({ row, decimals, onCorrect }: { row: ResourceRow; decimals: number; onCorrect: OnCorrect }) {
  const { dimension, pricingTier, price, unit, status, recordedAt, published, newest, source } = row
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {dimension.replaceAll('_', ' ')} {pricingTier !== '{}' && pricingTier}
        <Text size="xs" c="dimmed">
          {status === 'approved' ? `decided by a person, for ${source}` : `from ${source}`}
        </Text>
      </Table.Td>
      <Table.Td ta="right" fw={newest ? 600 : undefined}>
        <AlignedPrice price={readablePrice(price, unit)} decimals={decimals} />
      </Table.Td>
      <Table.Td c="dimmed">{readableUnit(unit)}</Table.Td>
      <Table.Td>
        <Badge variant="light" color={newest ? 'teal' : status === 'withdrawn' ? 'red' : 'gray'} tt="none">
          {newest ? 'current' : published ? 'superseded' : status.replaceAll('_', ' ')}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Moment at={recordedAt} />
      </Table.Td>
      <Table.Td ta="right">
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {newest && (
            <Button size="compact-sm" variant="default" onClick={() => onCorrect({ row, action: 'correct' })}>
              Correct
            </Button>
          )}
          {published && (
            <Button size="compact-sm" variant="default" onClick={() => onCorrect({ row, action: 'withdraw' })}>
              Withdraw
            </Button>
          )}
          {status === 'withdrawn' && (
            <Button size="compact-sm" variant="default" onClick={() => onCorrect({ row, action: 'restore' })}>
              Restore
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
