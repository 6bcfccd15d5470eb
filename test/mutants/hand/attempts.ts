import { type Mutant, mutantsOf, SURVIVED_REVIEW } from '../mutant.ts'

const WEBHOOKS = 'src/webhooks'
const STATES = 'test/webhooks/stored-states.test.ts'
const ATTEMPT = 'test/webhooks/attempts/delivery-attempt.test.ts'
const LOCKS = 'test/webhooks/lock-order.test.ts'
const MATRIX = 'test/webhooks/action-matrix.test.ts'
const RULES = 'test/webhooks/attempts/delivery-rules.test.ts'
const PAUSING = 'test/workflows/pausing.test.ts'
const RETRIES = 'test/workflows/retry-schedule.test.ts'

const pausing = mutantsOf(`${WEBHOOKS}/attempts/auto-pause-rules.ts`, [STATES, RULES, RETRIES])
const opening = mutantsOf(`${WEBHOOKS}/attempts/attempt-store.ts`, [STATES, ATTEMPT, MATRIX, LOCKS])
const outcomes = mutantsOf(`${WEBHOOKS}/attempts/outcome-store.ts`, [STATES, ATTEMPT, LOCKS, MATRIX, PAUSING])
const failures = mutantsOf(`${WEBHOOKS}/attempts/record-failure.ts`, [
  STATES,
  ATTEMPT,
  MATRIX,
  'test/webhooks/attempts/pause-mail.test.ts',
  PAUSING,
  RETRIES,
])
const notices = mutantsOf(`${WEBHOOKS}/attempts/notice-store.ts`, [
  STATES,
  ATTEMPT,
  'test/webhooks/round-actions.test.ts',
])
const mails = mutantsOf(`${WEBHOOKS}/attempts/pause-mail-store.ts`, ['test/webhooks/attempts/pause-mail.test.ts'])

/** Bugs in what an attempt reads and records. */
export const ATTEMPTS: Mutant[] = [
  pausing(
    'Four failures in a row pause a webhook',
    'PAUSE_AFTER_FAILURES = 5',
    'PAUSE_AFTER_FAILURES = 4',
    SURVIVED_REVIEW,
  ),
  pausing('Failures over exactly 24 hours do not pause', 'lasted >= PAUSE_AFTER_MS', 'lasted > PAUSE_AFTER_MS'),
  opening(
    'An attempt is made while the webhook is paused',
    'from target where turn and not paused',
    'from target where turn',
  ),
  opening('An attempt takes no lock on its delivery', '\n      for no key update of d\n', '\n'),
  opening('An attempt is made when it is not its turn', 'and d.attempts + 1 = ${number} ', ''),
  opening(
    'The key before a rotation signs at exactly 24 hours too',
    's.signs_until > ${now}',
    's.signs_until >= ${now}',
  ),
  outcomes(
    'A success keeps the first failure of the streak before it',
    'update webhook w set failures_in_row = 0, first_failure_at = null\n      from streak',
    'update webhook w set failures_in_row = 0\n      from streak',
    SURVIVED_REVIEW,
  ),
  outcomes('A success leaves the streak of failures', 'and exists (select from recorded)\n    )', 'and false\n    )'),
  outcomes(
    'A success after its attempt was given up as unknown is ignored',
    "and (a.outcome is null or a.outcome = 'unknown')",
    'and a.outcome is null',
  ),
  outcomes(
    'A success of the last attempt after it was given up as unknown leaves the delivery failed',
    "or status = 'failed' and not_sent is null and attempts = ${number}",
    'or false',
  ),
  outcomes(
    'A late success ends what was not sent while paused',
    ' and not_sent is null and attempts = ${number}',
    ' and attempts = ${number}',
  ),
  outcomes(
    'A success ends the cycle that a resend began meanwhile',
    "and cycle = ${cycle}\n      and (status = 'pending' and attempts <= ${number}",
    "\n      and (status = 'pending' and attempts <= ${number}",
  ),
  outcomes(
    'A closed attempt is closed again, and counts twice',
    'and a.run = ${key.run}\n      and a.outcome is null',
    'and a.run = ${key.run}',
  ),
  outcomes(
    'A failure ends the cycle that a resend began meanwhile',
    "where delivery_id = ${key.deliveryId} and cycle = ${key.cycle} and status = 'pending'",
    "where delivery_id = ${key.deliveryId} and status = 'pending'",
  ),
  outcomes(
    'Failures of one webhook at once are counted without its lock',
    'where d.delivery_id = ${deliveryId}\n    for no key update of w`',
    'where d.delivery_id = ${deliveryId}`',
  ),
  outcomes('An internal error uses up an attempt', 'set faults = faults + 1,', 'set attempts = attempts + 1,'),
  outcomes('The last attempt leaves the delivery pending', "${dueAt ? 'pending' : 'failed'}", "${'pending'}"),
  outcomes(
    'A delivery found on a paused webhook is failed although the webhook was resumed',
    "set claimed_at = null,\n        status = case when hook.paused then 'failed' else d.status end,",
    "set claimed_at = null,\n        status = 'failed',",
  ),
  failures('A failed test counts toward pausing', ' && !webhook.test', ''),
  failures(
    'A failure at the URL before an edit counts for the new one',
    ' && (outcome.url === undefined || outcome.url === webhook.url)',
    '',
  ),
  failures('An attempt of unknown outcome counts toward pausing', "outcome.kind === 'failed' && ", ''),
  failures('A paused webhook is paused again', " && webhook.state === 'active'", ''),
  failures(
    'Waiting deliveries are not notified of an automatic pause',
    "    await noticePending(tx, webhook.webhookId, 'the webhook was paused', at)\n",
    '',
  ),
  failures('No one is mailed about an automatic pause', '    await mailPause(tx, webhook.webhookId, at)\n', ''),
  failures(
    'A retry is counted from the start of the failed attempt',
    'nextTry(key.number, at)',
    'nextTry(key.number, startedAt)',
  ),
  failures(
    'An unknown attempt failed when it started, not when it would have timed out',
    'outcome, plus(startedAt, timeoutMs))',
    'outcome, startedAt)',
  ),
  notices(
    'A newer notice is dropped with the one that was passed on',
    ' and n.what = p.what and n.created_at = p."createdAt"',
    '',
  ),
  mails(
    'Members are mailed about a pause',
    "m.workspace_id = w.workspace_id and m.role = 'admin'",
    'm.workspace_id = w.workspace_id',
  ),
  mails(
    'Members who were admins are mailed about a pause',
    " and m.account_id = ${accountId} and m.role = 'admin'",
    ' and m.account_id = ${accountId}',
  ),
  mails(
    'A mail about a webhook that was resumed is sent',
    " and w.state = 'paused' and w.paused_at = ${pause.pausedAt}",
    '',
  ),
]
