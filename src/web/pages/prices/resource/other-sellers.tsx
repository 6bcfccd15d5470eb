import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { seriesQuery } from '../../../api/prices.ts'
import { TextLink } from '../../../components/links.tsx'
import { Placeholder } from '../../../components/loading/skeletons.tsx'
import { Section } from '../../../components/section.tsx'
import { Known } from '../../../components/states/known.tsx'
import { hasCosts } from '../cost/cost-section.tsx'
import { costsNow } from '../cost/costs.ts'
import { rankOffers } from '../cost/rank-offers.ts'
import { usageOf, type WorkloadSearch, workloadOf, workloadText } from '../cost/workload.ts'
import type { ResourceSearch } from '../explorer/search.ts'
import { linesOf } from '../table/lines.ts'
import { orderText } from './offer-texts.ts'
import { offersOf } from './offers.ts'
import { Sellers } from './sellers.tsx'

type Props = {
  group: { id: string; name: string }
  search: ResourceSearch
  here: { provider: string; resource: string }
}

/** What a model of an alias group costs at each of its sellers, for the workload of the address. */
export function OtherSellers({ group, search, here }: Props) {
  const { asOf, tokens, requests, service } = search
  const query = useQuery(seriesQuery({ asOf, group: group.id }))
  const { data, isPlaceholderData } = query
  const { provider, resource } = here
  const offers = useMemo(() => {
    if (!data) return undefined
    const found = offersOf(data)
    const lines = linesOf(data.rows)
    if (!hasCosts(lines)) return found
    const costs = costsNow(lines, linesOf(data.credits), usageOf(workloadOf({ tokens, requests, service })))
    return { ...found, offers: rankOffers(found.offers, costs, { provider, resource }) }
  }, [data, tokens, requests, service, provider, resource])
  const isCosted = offers?.offers.some(({ cost }) => cost)
  const about = (
    <>
      {offers && (isCosted ? costText(search) : orderText(offers))}{' '}
      <TextLink to="/compare/$group" params={{ group: group.id }} search={{ asOf, tokens, requests, service }}>
        Compare another workload, and their histories
      </TextLink>
    </>
  )
  return (
    <Section title={`${group.name} at every seller`} about={about} isOld={isPlaceholderData}>
      <Known query={query}>
        {data && offers ? <Sellers series={data} offers={offers} here={here} /> : <Placeholder height={240} />}
      </Known>
    </Section>
  )
}

const costText = (search: WorkloadSearch): string =>
  `Cheapest first, for the workload ${workloadText(workloadOf(search))}.`
