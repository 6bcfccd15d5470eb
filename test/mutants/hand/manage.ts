import { type Mutant, mutantsOf, SURVIVED_REVIEW } from '../mutant.ts'

const WEBHOOKS = 'src/webhooks'
const STATES = 'test/webhooks/stored-states.test.ts'
const ATTEMPT = 'test/webhooks/attempts/delivery-attempt.test.ts'
const ACTIONS = 'test/webhooks/round-actions.test.ts'
const LOCKS = 'test/webhooks/lock-order.test.ts'
const MATRIX = 'test/webhooks/action-matrix.test.ts'
const WEBHOOK = 'test/webhooks/webhook.test.ts'
const PAUSING = 'test/workflows/pausing.test.ts'
const AUTHORIZATION = 'test/app/access/authorization.test.ts'
const APP = 'test/app/webhooks.test.ts'

const operator = mutantsOf(`${WEBHOOKS}/manage/operator-store.ts`, [
  STATES,
  MATRIX,
  ACTIONS,
  LOCKS,
  PAUSING,
  APP,
  AUTHORIZATION,
])
const log = mutantsOf(`${WEBHOOKS}/log/delivery-log-store.ts`, [STATES, ATTEMPT, APP, PAUSING, AUTHORIZATION])
const saved = mutantsOf(`${WEBHOOKS}/subscriptions/webhook-store.ts`, [
  'test/concurrency/matrix.test.ts',
  WEBHOOK,
  APP,
  PAUSING,
])

const SEARCH = 'test/webhooks/delivery-search.test.ts'
const resend = mutantsOf(`${WEBHOOKS}/resend/resend-store.ts`, [STATES, MATRIX, ACTIONS, SEARCH, APP, PAUSING])
const filter = mutantsOf(`${WEBHOOKS}/log/delivery-filter-store.ts`, [SEARCH])
const statistics = mutantsOf(`${WEBHOOKS}/log/statistics-store.ts`, [SEARCH])

/** Bugs in what people do to webhooks, and in what they are shown. */
export const MANAGE: Mutant[] = [
  resend(
    'A resend keeps the attempts of the cycle before',
    'cycle = cycle + 1, attempts = 0,',
    'cycle = cycle + 1,',
    SURVIVED_REVIEW,
  ),
  resend(
    'Resending all that failed takes the oldest deliveries',
    'order by d.created_at desc, d.delivery_id desc limit',
    'order by d.created_at, d.delivery_id limit',
  ),
  resend(
    'Resending all that failed restarts those of another webhook',
    "where d.webhook_id = ${webhookId} and d.status = 'failed' and",
    "where d.status = 'failed' and",
  ),
  resend('Resending all that failed restarts everything', "d.status = 'failed' and ${isKept", '${isKept'),
  resend('Resending all that failed takes no filter', ' and ${meets(tx, filter)}', ''),
  resend(
    'Resending all that failed restarts what is no longer kept',
    "'failed' and ${isKept(tx, now)} and",
    "'failed' and",
  ),
  filter(
    'The search of deliveries takes % as a pattern',
    "replace(/[\\\\%_]/g, '\\\\$&')",
    "replace(/[_]/g, '\\\\$&')",
  ),
  filter('The log is filtered to after the time', 'd.created_at >= ${filter.since}', 'd.created_at > ${filter.since}'),
  filter('The log includes the end of its time', 'd.created_at < ${filter.until}', 'd.created_at <= ${filter.until}'),
  filter('Failed deliveries include those not sent', ' and d.not_sent is null)', ')'),
  filter('The search leaves answers out', ' or a.response ilike ${pattern}', ''),
  filter(
    'Matching deliveries of another workspace are counted',
    'where d.webhook_id = ${id} and d.workspace_id = ${workspaceId} and',
    'where d.webhook_id = ${id} and',
  ),
  statistics('Failed deliveries count those not sent', "status = 'failed' and not_sent is null", "status = 'failed'"),
  statistics(
    'What was never attempted counts as retrying',
    "status = 'pending' and attempts > 0",
    "status = 'pending'",
  ),
  statistics(
    'The last attempt is that of the newest delivery',
    'order by last_attempt_at desc limit 1) as d',
    'limit 1) as d',
  ),
  statistics(
    "Our own faults count in the answers' times",
    "outcome in ('succeeded', 'failed') and duration_ms",
    'duration_ms',
  ),
  operator(
    'A person acts on a webhook of another workspace',
    '${id} and workspace_id = ${workspaceId}\n    for no key update',
    '${id}\n    for no key update',
  ),
  operator(
    'A person deletes a webhook of another workspace',
    '${id} and workspace_id = ${workspaceId}\n    for update',
    '${id}\n    for update',
  ),
  operator('An action takes no lock on the webhook', '${workspaceId}\n    for no key update`', '${workspaceId}`'),
  operator('A deletion locks deliveries before the webhook', '${workspaceId}\n    for update`', '${workspaceId}`', {
    tests: [LOCKS],
  }),
  operator(
    'Resuming forgets the failures that paused',
    "set state = 'active', paused_at = null,",
    "set state = 'active', failures_in_row = 0, paused_at = null,",
  ),
  resend(
    'A resend restarts the delivery of another webhook',
    'where delivery_id = ${deliveryId} and webhook_id = ${webhookId} and ${isKept',
    'where delivery_id = ${deliveryId} and ${isKept',
  ),
  log(
    'The log shows the deliveries of another workspace',
    'where d.webhook_id = ${id} and d.workspace_id = ${workspaceId}\n      and',
    'where d.webhook_id = ${id}\n      and',
  ),
  log(
    'The payload of another workspace can be read',
    'where d.delivery_id = ${deliveryId} and d.webhook_id = ${id} and d.workspace_id = ${workspaceId} and',
    'where d.delivery_id = ${deliveryId} and d.webhook_id = ${id} and',
  ),
  log(
    'The log shows the oldest deliveries',
    'order by d.created_at desc, d.delivery_id desc',
    'order by d.created_at, d.delivery_id',
  ),
  saved(
    'The limit of webhooks counts those of every workspace',
    'as webhooks from webhook where workspace_id = ${workspaceId}`',
    'as webhooks from webhook`',
  ),
  saved(
    'Another URL keeps the count of failures',
    'failures_in_row = case when url = ${webhook.url} then failures_in_row else 0 end,',
    'failures_in_row = failures_in_row,',
  ),
  saved('Webhooks of another workspace are listed', 'where w.workspace_id = ${workspaceId} and (', 'where ('),
  mutantsOf(`${WEBHOOKS}/subscriptions/create-webhook.ts`, [WEBHOOK, APP])(
    'A workspace may have 21 webhooks',
    '>= most)',
    '> most)',
  ),
  mutantsOf(`${WEBHOOKS}/subscriptions/secret-store.ts`, ['test/webhooks/secrets.test.ts', ATTEMPT])(
    'A second rotation leaves the oldest key signing',
    'delete from webhook_secret where webhook_id = ${webhookId} and signs_until is not null\n    returning',
    'delete from webhook_secret where webhook_id = ${webhookId} and false\n    returning',
  ),
  mutantsOf(`${WEBHOOKS}/retention/retention-store.ts`, [ATTEMPT, 'test/activities/retention.test.ts'])(
    'A pending delivery is deleted after 30 days',
    "  status <> 'pending' and greatest(",
    '  greatest(',
  ),
  mutantsOf(`${WEBHOOKS}/retention/retention-store.ts`, [ATTEMPT, 'test/activities/retention.test.ts'])(
    'A resend does not restart the 30 days of the log',
    'finished_at), resent_at)',
    'finished_at))',
  ),
  mutantsOf(`${WEBHOOKS}/manage/send-test-event.ts`, [PAUSING, APP])(
    'A test is accepted on a paused webhook',
    '    if (state.paused) throw webhookPaused()\n',
    '',
  ),
  mutantsOf(`${WEBHOOKS}/manage/send-test-event.ts`, [PAUSING])(
    'A test that was not sent is not sent when it is repeated',
    '    if (known?.notSent) await restartDelivery(tx, webhook.id, known.deliveryId, at)\n',
    '',
  ),
  mutantsOf(`${WEBHOOKS}/resend/resend-delivery.ts`, [PAUSING, MATRIX])(
    'A resend is accepted on a paused webhook',
    '    if (paused) throw webhookPaused()\n',
    '',
  ),
]
