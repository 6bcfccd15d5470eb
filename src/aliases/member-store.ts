import type { MemberLine } from '../events/payloads/alias-group.ts'
import { memberLine } from '../events/payloads/alias-group.ts'
import type { Tx } from '../lib/sql.ts'
import { type Member, memberKey } from './group-rules.ts'

/** What an alias event tells of a member beside its name. */
export type MemberFacts = { canonicalResources: string[]; creditPriced: boolean; lines: MemberLine[] }

/** The canonical ids, the way of pricing and the published price lines of members, by {@link memberKey}. */
export async function memberFacts(tx: Tx, members: Member[]): Promise<Map<string, MemberFacts>> {
  if (members.length === 0) return new Map()
  const rows = await tx<(Member & { canonical: string[]; credit: boolean; bodies: string[] })[]>`
    select m.provider, m.resource,
           coalesce((select q.in_credits from provider_pricing q
                     where q.provider = m.provider order by q.at desc limit 1), false) as credit,
           array(select distinct r.canonical_resource from resource r
                 where r.provider = m.provider and r.resource = m.resource and r.canonical_resource is not null
                 order by 1) as canonical,
           array(select o.body from resource r
                 join price_line l using (source, provider, resource)
                 join publication o on o.content_hash = l.current_hash and o.unpublished_at is null
                 where r.provider = m.provider and r.resource = m.resource and l.removed_at is null
                 order by l.source, l.dimension, l.unit, l.currency, l.pricing_tier) as bodies
    from jsonb_to_recordset(${tx.json(members)}::jsonb) as m (provider text, resource text)`
  return new Map(
    rows.map(({ canonical, credit, bodies, ...member }) => [
      memberKey(member),
      {
        canonicalResources: canonical,
        creditPriced: credit,
        lines: bodies.map((body) => memberLine.parse(JSON.parse(body))),
      },
    ]),
  )
}
