import { RANKS } from '../../catalog/schema.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { DayMeasurement, DayTotal, Group } from './schema.ts'

/** Records what was measured on a day, instead of what was measured earlier on it. */
export async function replaceDay(tx: Tx, { day, measuredAt, total, groups }: DayMeasurement): Promise<void> {
  await tx`
    insert into accuracy_run (day, measured_at, published, hours_median, hours_p90)
    values (${day}, ${measuredAt}, ${total.published}, ${total.hoursMedian}, ${total.hoursP90})
    on conflict (day) do update
    set measured_at = excluded.measured_at, published = excluded.published, hours_median = excluded.hours_median,
        hours_p90 = excluded.hours_p90`
  await tx`delete from accuracy_day where day = ${day}`
  const rows = groups.map(({ rank, said, ...group }) => ({ ...group, rank: RANKS.indexOf(rank), ...said }))
  await tx`
    insert into accuracy_day (day, provider, rank, by_provider, independent, own_list, contradicted, unconfirmed, said_day,
                              said_week, said_month, said_before, published, hours_median, hours_p90)
    select ${day}, provider, rank, "byProvider", independent, "ownList", contradicted, unconfirmed, day, week, month, before,
           published, "hoursMedian", "hoursP90"
    from jsonb_to_recordset(${tx.json(rows)}::jsonb) as g (provider text, rank smallint, "byProvider" integer,
         independent integer, "ownList" integer, contradicted integer, unconfirmed integer, day integer, week integer,
         month integer, before integer, published integer, "hoursMedian" float8, "hoursP90" float8)`
}

type Run = Omit<DayMeasurement, 'groups' | 'total'> & DayMeasurement['total']

/** Returns what was measured last; undefined before the first time. */
export async function newestDay(db: Db): Promise<DayMeasurement | undefined> {
  const [run] = await db<Run[]>`
    select day::text as day, measured_at as "measuredAt", published, hours_median as "hoursMedian", hours_p90 as "hoursP90"
    from accuracy_run order by day desc limit 1`
  if (!run) return undefined
  const { day, measuredAt, ...total } = run
  const groups = await db<Group[]>`
    select provider, (${[...RANKS]}::text[])[rank + 1] as rank, by_provider as "byProvider", independent,
           own_list as "ownList", contradicted, unconfirmed,
           json_build_object('day', said_day, 'week', said_week, 'month', said_month, 'before', said_before) as said,
           published, hours_median as "hoursMedian", hours_p90 as "hoursP90"
    from accuracy_day where day = ${day}`
  return { day, measuredAt, total, groups: [...groups] }
}

/** Returns the sums of the newest days that were measured, the oldest first. */
export async function dayTotals(db: Db, days: number): Promise<DayTotal[]> {
  const rows = await db<DayTotal[]>`
    select r.day::text as day, r.published, r.hours_median as "hoursMedian", r.hours_p90 as "hoursP90",
           coalesce(sum(d.by_provider), 0)::int as "byProvider", coalesce(sum(d.independent), 0)::int as independent,
           coalesce(sum(d.own_list), 0)::int as "ownList", coalesce(sum(d.contradicted), 0)::int as contradicted,
           coalesce(sum(d.unconfirmed), 0)::int as unconfirmed
    from accuracy_run r left join accuracy_day d on d.day = r.day
    group by r.day order by r.day desc limit ${days}`
  return [...rows].reverse()
}
