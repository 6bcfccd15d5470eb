import { joinKey } from '../../lib/collections.ts'
import {
  AGES,
  type Age,
  type FactsGroup,
  type Group,
  type Lag,
  type ServedFacts,
  STATES,
  type State,
} from './schema.ts'

/** A source that is read once a day is read a little later each day. */
const DAY_HOURS = 25
const [WEEK_HOURS, MONTH_HOURS] = [7 * 24, 30 * 24]

/** Returns what the sources of the day say of a served price. */
export function stateOf(facts: ServedFacts): State {
  const saysSo = facts.said && facts.fresh
  if (facts.contradicted || facts.providerDiffers) return 'contradicted'
  if (facts.byProvider || (saysSo && facts.rank === 'provider')) return 'byProvider'
  if (facts.independent || (saysSo && facts.independentOfOwn)) return 'independent'
  return saysSo ? 'ownList' : 'unconfirmed'
}

/** Returns in which time its own source last said so. */
export function ageOf(hours: number | null): Age {
  if (hours === null || hours >= MONTH_HOURS) return 'before'
  if (hours >= WEEK_HOURS) return 'month'
  return hours >= DAY_HOURS ? 'week' : 'day'
}

const NO_LAG: Lag = { published: 0, hoursMedian: null, hoursP90: null }
const zeros = <T extends string>(names: readonly T[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<T, number>

/** Counts served prices by provider and rank, with how long changes took. */
export function groupsOf(facts: FactsGroup[], lags: (Pick<Group, 'provider' | 'rank'> & Lag)[]): Group[] {
  const groups = new Map<string, Group>()
  const groupOf = ({ provider, rank }: Pick<Group, 'provider' | 'rank'>): Group => {
    const key = joinKey(provider, rank)
    const group = groups.get(key) ?? { provider, rank, ...zeros(STATES), said: zeros(AGES), ...NO_LAG }
    groups.set(key, group)
    return group
  }
  for (const one of facts) {
    const group = groupOf(one)
    group[stateOf(one)] += one.count
    group.said[ageOf(one.hours)] += one.count
  }
  for (const { provider, rank, ...lag } of lags) Object.assign(groupOf({ provider, rank }), lag)
  return [...groups.values()]
}

/** Returns how many prices of all groups are in each state. */
export function totalsOf(groups: Record<State, number>[]): Record<State, number> {
  const totals = zeros(STATES)
  for (const group of groups) for (const state of STATES) totals[state] += group[state]
  return totals
}

/** Returns how many prices are served. */
export const servedOf = (counts: Record<State, number>): number => STATES.reduce((sum, state) => sum + counts[state], 0)

const shareOf = (counts: Record<State, number>, state: State): number => counts[state] / Math.max(1, servedOf(counts))

/** Returns groups with the largest share of contradicted prices first, then of unconfirmed ones, then the largest. */
export const worstFirst = (groups: Group[]): Group[] =>
  [...groups].sort(
    (a, b) =>
      shareOf(b, 'contradicted') - shareOf(a, 'contradicted') ||
      shareOf(b, 'unconfirmed') - shareOf(a, 'unconfirmed') ||
      servedOf(b) - servedOf(a) ||
      (joinKey(a.provider, a.rank) < joinKey(b.provider, b.rank) ? -1 : 1),
  )
