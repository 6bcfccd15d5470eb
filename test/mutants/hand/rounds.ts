import { type Mutant, mutantsOf, SURVIVED_REVIEW } from '../mutant.ts'

const WEBHOOKS = 'src/webhooks'
const STATES = 'test/webhooks/stored-states.test.ts'
const ATTEMPT = 'test/webhooks/attempts/delivery-attempt.test.ts'
const ROUND = 'test/webhooks/delivery-round.test.ts'
const ACTIONS = 'test/webhooks/round-actions.test.ts'
const LOCKS = 'test/webhooks/lock-order.test.ts'
const MATRIX = 'test/webhooks/action-matrix.test.ts'
const MATCHING = 'test/webhooks/matching/matching.test.ts'

const due = mutantsOf(`${WEBHOOKS}/rounds/round-store.ts`, [STATES, ATTEMPT, ACTIONS, ROUND, MATRIX])
const SHARDS = 'test/webhooks/round-shards.test.ts'
const round = mutantsOf(`${WEBHOOKS}/rounds/shared-round.ts`, [ROUND, SHARDS, ACTIONS, ATTEMPT])
const flights = mutantsOf(`${WEBHOOKS}/rounds/round-flights.ts`, [ROUND, SHARDS, ACTIONS])
const paused = mutantsOf(`${WEBHOOKS}/rounds/paused-store.ts`, [STATES, ATTEMPT, LOCKS, ACTIONS, MATRIX])
const repair = mutantsOf(`${WEBHOOKS}/rounds/reconcile-store.ts`, [STATES, ATTEMPT, ACTIONS, MATRIX])
const matching = mutantsOf(`${WEBHOOKS}/matching/match-store.ts`, [
  'test/webhooks/matching/fan-out-rules.test.ts',
  'test/webhooks/matching/fan-out.test.ts',
  MATCHING,
  'test/webhooks/matching/fan-out-prices.test.ts',
  'test/webhooks/matching/smallest-change.test.ts',
])

/** Bugs in what a round takes, and in what repairs it. */
export const ROUNDS: Mutant[] = [
  due(
    'A round begins with the newest delivery of a webhook',
    'order by due_at, delivery_id\n        limit least',
    'order by due_at desc, delivery_id desc\n        limit least',
    SURVIVED_REVIEW,
  ),
  due(
    'The deliveries of a webhook are numbered from the newest',
    'row_number() over (order by due_at, delivery_id)',
    'row_number() over (order by due_at desc, delivery_id desc)',
    SURVIVED_REVIEW,
  ),
  due(
    'A round loads the deliveries of paused webhooks',
    "where w.state = 'active'\n    ),\n    shared",
    'where true\n    ),\n    shared',
  ),
  due(
    'A workspace with many webhooks takes what a round looks at from one with few',
    'least(count(*) over of_all, max(nth_workspace) over of_all * count(*) over of_workspace)',
    'count(*) over of_all',
  ),
  due('Webhooks that fail take what a round loads from the others', 'where not failing and not slow order', 'order'),
  due(
    'Webhooks that are slow take what a round loads from the others',
    'where not failing and not slow order',
    'where not failing order',
  ),
  due(
    'A workspace with many webhooks takes what a round loads from the others',
    'partition by failing, slow, d.workspace_id order',
    'partition by failing, slow order',
  ),
  due('A round starts a delivery again and again', ' and round_id is distinct from ${round.roundId}', ''),
  due(
    'A claimed delivery is claimed again',
    "where status = 'pending' and claimed_at is null and due_at <= ${round.now}))",
    "where status = 'pending' and due_at <= ${round.now}))",
  ),
  due('A delivery is claimed before it is due', ' and due_at <= ${round.now}))', '))'),
  due('A round forgets what it has started', 'round_id = ${round.roundId}, started_cycle', 'started_cycle'),
  due(
    'A claim is given back although its attempt was opened',
    'and cycle = ${grant.cycle}\n      and not exists (select from attempt a where a.delivery_id = ${deliveryId} and a.cycle = ${grant.cycle}\n                        and a.number = ${grant.number} and a.run = ${grant.run})',
    'and cycle = ${grant.cycle}',
  ),
  due(
    'An internal error is reported as a failure of the receiver',
    'd.attempts > 0 and d.faults = 0 and d.not_sent',
    'd.attempts > 0 and d.not_sent',
  ),
  round(
    'A round starts deliveries at the instant of its end',
    'this.#now() < this.#stopAt',
    'this.#now() <= this.#stopAt',
  ),
  round(
    'A round that goes on after a crash forgets what it started',
    'this.#plan.resume(await startedInRound(sql, { ...round, slices: run.slices }))',
    '',
  ),
  flights(
    'What could not be handed to a workflow stays claimed',
    '      await unclaim(this.#tools.sql, this.#roundId, claimed).catch(() => {})\n',
    '',
  ),
  round(
    'A round leaves what is due on paused webhooks',
    'runs[0]!.report.unsent += await failPausedDue(sql, round.now, slices)',
    '',
  ),
  round(
    'A shard that was taken away is sent on',
    '    this.#plan.drop((workspaceId) => slices.has(this.#sliceOf.get(workspaceId)!))\n',
    '',
  ),
  due('A shard loads what is due in others', '      where first.slice = wanted.slice\n', ''),
  due('A shard goes on with what is due in others', '      where next.slice = waiting.slice\n', ''),
  flights('An attempt of an earlier grant frees the slot of a later one', 'grant.number !== attempt.number ||', ''),
  paused(
    'What is not due yet is failed while paused',
    'claimed_at is null and due_at <= ${now}\n      order by',
    'claimed_at is null\n      order by',
  ),
  paused(
    'A round fails deliveries of a webhook that was resumed meanwhile',
    " and state = 'paused' for no key update",
    ' for no key update',
  ),
  paused(
    'A delivery that is under way is failed as not sent',
    "status = 'pending' and claimed_at is null and due_at <= ${now}\n      order by",
    "status = 'pending' and due_at <= ${now}\n      order by",
  ),
  paused('Waiting workflows are not notified that their delivery ended', 'where f.started_cycle > 0', 'where false'),
  repair(
    'A claim whose attempt is open is given back',
    '\n      and (select true from attempt a\n           where a.delivery_id = d.delivery_id and a.cycle = d.cycle and a.number = d.attempts + 1\n             and a.run = d.faults + 1 and a.outcome is null limit 1) is null',
    '',
  ),
  repair(
    'An attempt that has just begun is recorded as unknown',
    'where d.claimed_at < ${before} and a.started_at < ${before} and',
    'where d.claimed_at is not null and',
  ),
  repair(
    'A delivery that was never tried is given a workflow that waits',
    ' and attempts > 0 and due_at > ${now}',
    ' and due_at > ${now}',
  ),
  repair('A delivery that has a workflow is given another', ' and started_cycle < cycle', ''),
  repair('The first store is taken for a lost one', '    if (!store?.namespaceId) return false\n', ''),
  repair('Workflows of a lost store are not given back', 'set started_cycle = 0', 'set started_cycle = started_cycle'),
  matching(
    'An event at the instant of an edit meets both versions',
    'v.valid_to > k.eligible_at)',
    'v.valid_to >= k.eligible_at)',
  ),
  matching(
    'An event at the instant a webhook was created is not sent',
    'v.valid_from <= k.eligible_at',
    'v.valid_from < k.eligible_at',
  ),
  matching(
    'A credit-priced provider reaches every wildcard',
    'v.every_provider and (not k.credit_priced or k.type = any (${PROVIDER_EVENTS}::text[]))',
    'v.every_provider',
  ),
  matching(
    'A price change of exactly the threshold is not sent',
    '        and coalesce(b.change_percent >= c.min_change, true)\n',
    '        and coalesce(b.change_percent > c.min_change, true)\n',
  ),
  matching(
    'The threshold does not hold where a filter names the resource',
    '      where coalesce(b.change_percent >= c.min_change, true)\n',
    '',
  ),
  matching(
    'The threshold does not hold where a group lists the resource',
    '\n      where coalesce(a.change_percent >= c.min_change, true)',
    '',
  ),
  matching('A former member of a group is still followed', ' and (m.left_at is null or m.left_at > b.eligible_at)', ''),
  matching(
    'The group that a delivery names is not the first of the webhook',
    'order by seq, webhook_id, position)',
    'order by seq, webhook_id, position desc)',
  ),
  mutantsOf('src/events/store.ts', [MATCHING, 'test/webhooks/matching/fan-out.test.ts'])(
    'Two matches at once take the same events',
    'limit ${limit} for no key update skip locked`',
    'limit ${limit}`',
  ),
]
