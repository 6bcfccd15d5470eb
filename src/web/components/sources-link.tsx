import { useQuery } from '@tanstack/react-query'
import { visitorQuery } from '../api/account.ts'
import { ButtonLink } from './links.tsx'

/** Where operators see why something was not read. */
export function SourcesLink() {
  const { data } = useQuery(visitorQuery)
  if (!data?.session?.account.operator) return null
  return (
    <ButtonLink to="/operator/sources" variant="default">
      See the sources
    </ButtonLink>
  )
}
