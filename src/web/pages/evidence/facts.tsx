import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Evidence } from '../../api/prices.ts'
import { exactInstant } from '../../instants.ts'
import { Address } from './address.tsx'

const RANKS = {
  provider: 'published by the provider',
  verified: 'a list verified against the provider',
  community: 'a community list',
}

type Fact = [string, ReactNode]

/** Where a price was read, and when it was served. */
export function Facts({
  data: { source, rank, read, servedFrom, servedUntil, effectiveFrom, contentHash },
}: {
  data: Evidence
}) {
  const { statedBy } = read
  const facts: Fact[] = [
    ['Read at', <Address key="address" address={read.address} />],
    ['Source', `${source}, ${RANKS[rank]}`],
    ['Read first', exactInstant(read.firstReadAt)],
    ...(statedBy ? [['The list took it from', <Stated key="stated" {...statedBy} />] satisfies Fact] : []),
    ['Served', `from ${exactInstant(servedFrom)}${servedUntil ? ` until ${exactInstant(servedUntil)}` : ''}`],
    ...(effectiveFrom ? [['Holds from', effectiveFrom] satisfies Fact] : []),
    ...(read.locator ? [['Place', read.locator] satisfies Fact] : []),
    ...(read.snapshot ? [['SHA-256 of the bytes', read.snapshot] satisfies Fact] : []),
    ['Row', contentHash],
  ]
  return (
    <Table variant="vertical" layout="auto" verticalSpacing={4} fz="sm">
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={170} fw={500}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const Stated = ({ url, confidence, validatedOn }: NonNullable<Evidence['read']['statedBy']>) => (
  <>
    <Address address={url} />
    {validatedOn && `, compared on ${validatedOn}`}
    {confidence && ` (${confidence})`}
  </>
)
