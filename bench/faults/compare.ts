import type { Sql } from '../../src/lib/sql.ts'

const MAX_ATTEMPTS = 6
type Row = {
  eventId: string
  status: string
  outcomes: string[]
  statuses: (number | null)[]
  earlier: number
}

/** Returns where our log and the receiver disagree, delivery by delivery. */
export async function disagreementsOf(sql: Sql, answered: Map<string, number[]>): Promise<string[]> {
  const rows = await sql<Row[]>`
    select d.event_id as "eventId", d.status,
           coalesce(array_agg(a.outcome order by a.number, a.run) filter (where a.outcome is not null), '{}') as outcomes,
           coalesce(array_agg(a.status order by a.number, a.run) filter (where a.outcome is not null), '{}') as statuses,
           coalesce(sum(jsonb_array_length(a.earlier_posts)), 0)::integer as earlier
    from delivery d left join attempt a using (delivery_id) group by d.delivery_id`
  const known = new Set(rows.map((row) => row.eventId))
  const invented = [...answered.keys()].filter((id) => !known.has(id)).map((id) => `${id}: no delivery of ours`)
  return [...invented, ...rows.flatMap((row) => disagreements(row, answered.get(row.eventId) ?? []))]
}

function disagreements({ eventId, status, outcomes, statuses, earlier }: Row, seen: number[]): string[] {
  const unknown = outcomes.filter((outcome) => outcome === 'unknown' || outcome === 'platform').length
  const counted = outcomes.filter((outcome) => outcome !== 'platform').length
  // The receiver alone knows its answer when the worker died, when the route was lost before the answer arrived, or when
  // the POST was repeated on a new connection.
  const unsure = unknown + earlier
  const wrong: string[] = []
  if (counted > MAX_ATTEMPTS) wrong.push('more than six attempts')
  if (status === 'succeeded' && !seen.includes(200)) wrong.push('succeeded, but the receiver never said so')
  if (status === 'failed' && counted !== MAX_ATTEMPTS) wrong.push('failed before its last attempt')
  if (seen.length > outcomes.length + earlier) wrong.push('the receiver saw more than we attempted')
  for (const code of [200, 500]) {
    const logged = statuses.filter((item) => item === code).length
    const received = seen.filter((item) => item === code).length
    if (received < logged || received > logged + unsure) wrong.push(`answers of ${code} differ`)
  }
  return wrong.map((what) => `${eventId} (${outcomes.join(', ')}; receiver ${seen}): ${what}`)
}
