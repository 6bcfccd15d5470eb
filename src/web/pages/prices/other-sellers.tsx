import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { seriesQuery } from '../../api/prices.ts'
import { TextLink } from '../../components/links.tsx'
import { Section } from '../../components/section.tsx'
import { orderText } from './offer-texts.ts'
import { offersOf } from './offers.ts'
import { Sellers } from './sellers.tsx'

type Props = {
  group: { id: string; name: string }
  asOf: string | undefined
  here: { provider: string; resource: string }
}

/** What a model of an alias group costs at each of its sellers. */
export function OtherSellers({ group, asOf, here }: Props) {
  const { data } = useSuspenseQuery(seriesQuery({ asOf, group: group.id }))
  const offers = useMemo(() => offersOf(data), [data])
  const about = (
    <>
      {orderText(offers)}{' '}
      <TextLink to="/compare/$group" params={{ group: group.id }} search={{ asOf }}>
        Compare what a workload costs, and their histories
      </TextLink>
    </>
  )
  return (
    <Section title={`${group.name} at every seller`} about={about}>
      <Sellers series={data} offers={offers} here={here} />
    </Section>
  )
}
