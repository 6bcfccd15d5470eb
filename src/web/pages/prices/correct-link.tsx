import { IconPencilDollar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { visitorQuery } from '../../api/account.ts'
import { TextLink } from '../../components/links.tsx'

type ResourceReference = { provider: string; resource: string }

/** Whether who reads may correct prices. Visitors of public pages may not. */
export const useIsOperator = (): boolean => useQuery(visitorQuery).data?.session?.account.operator === true

/** What the page of corrections shows for a resource. */
export const correctionSearch = ({ provider, resource }: ResourceReference) => ({ provider, resource }) as never

/** Leads operators to where the prices of a resource are corrected, withdrawn and restored. */
export const CorrectLink = ({ row, isIcon = false }: { row: ResourceReference; isIcon?: boolean }) => (
  <TextLink
    to="/operator/prices"
    search={correctionSearch(row)}
    preload={false}
    underline="hover"
    size="xs"
    aria-label={`Correct the prices of ${row.resource}`}
    title={isIcon ? 'Correct the prices' : undefined}
  >
    {isIcon ? <IconPencilDollar size={16} aria-hidden /> : 'Correct'}
  </TextLink>
)
