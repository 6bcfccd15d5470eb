import { type Mutant, mutantsOf, SURVIVED_REVIEW } from '../mutant.ts'

const ACTIVITIES = 'test/activities/deliveries.test.ts'
const CHECK = 'test/workflows/check.test.ts'
const PAUSING = 'test/workflows/pausing.test.ts'
const RETRIES = 'test/workflows/retry-schedule.test.ts'
const WAITING = 'test/workflows/waiting.test.ts'
const ENDLESS = 'test/workflows/endless-changes.test.ts'
const ROUND = 'test/webhooks/delivery-round.test.ts'
const SCRIPTED_CHECK = 'test/workflows/scripted/check.test.ts'
const SCRIPTED_ROUND = 'test/workflows/scripted/round.test.ts'
const WAITS = 'test/workflows/scripted/waits.test.ts'

const check = mutantsOf('workflows/check.ts', [CHECK])
const parts = mutantsOf('workflows/check-parts.ts', [CHECK, PAUSING])
const delivery = mutantsOf('workflows/delivery.ts', [RETRIES, PAUSING])
const activities = mutantsOf('activities/deliveries.ts', [ACTIVITIES])

/** Bugs in workflows, and in what they call. */
export const WORKFLOWS: Mutant[] = [
  mutantsOf('src/webhooks/rounds/round-rules.ts', ['test/documentation/limits.test.ts', CHECK, ROUND])(
    'A check starts deliveries for 290 seconds',
    'STOP_STARTING_AFTER_MS = 200_000',
    'STOP_STARTING_AFTER_MS = 290_000',
    { ...SURVIVED_REVIEW, built: true },
  ),
  check(
    'Deliveries wait until collecting has ended',
    'const collecting = parts.collect()',
    'const collecting = await parts.collect()',
  ),
  check(
    'What collecting found is delivered by the next check',
    'found && (found.deliveries > 0 || found.left) ?',
    'false ?',
  ),
  check('A check is not recorded', '  await parts.record(Date.now() - startedAt, sent)\n', ''),
  check('A check ends before operators are notified', '  await notifying\n', ''),
  parts(
    'A part that fails ends the check',
    "      log.warn('a part of the check failed', { part: name })\n      return undefined",
    '      throw error',
  ),
  parts(
    'A notice to operators is tried once',
    "startToCloseTimeout: '90s',\n  retry: { maximumAttempts: 2,",
    "startToCloseTimeout: '90s',\n  retry: { maximumAttempts: 1,",
  ),
  delivery('A delivery does not look at its row when something is done to its webhook', '    changed = what\n', ''),
  delivery(
    'A retry is made before its time',
    'const wait = state.dueAt ? Date.parse(state.dueAt) - Date.now() : 0\n    if (wait > 0',
    'const wait = 0\n    if (wait > 0',
  ),
  delivery(
    'Operators find a retrying delivery as pending',
    'if (status !== published) upsertSearchAttributes',
    'if (false) upsertSearchAttributes',
  ),
  mutantsOf('workflows/delivery.ts', [WAITING])(
    'A delivery that waits for a round for hours never looks at its row',
    "      changed = 'a long wait'\n",
    '      continue\n',
  ),
  mutantsOf('workflows/webhook.ts', [WAITING])(
    'What is done to a webhook while changes are passed on is lost',
    'while (unread) {',
    'if (unread) {',
  ),
  mutantsOf('workflows/webhook.ts', [ENDLESS])(
    'Changes that the run before had not passed on are lost',
    'let unread = before !== undefined',
    'let unread = false',
  ),
  mutantsOf('workflows/retention.ts', [WAITING])(
    'Retention deletes by a time of the year before',
    'const now = new Date().toISOString()',
    "const now = '2020-01-01T00:00:00.000Z'",
  ),
  mutantsOf('workflows/retention.ts', [WAITING])(
    'What is served is not measured',
    'return { ...deleted, accuracy: await measureAccuracy({ now }) }',
    'return deleted',
  ),
  mutantsOf('workflows/match-beside-rounds.ts', [SCRIPTED_ROUND])(
    'What one call has matched is lost where another was longer',
    'total = added(total, counts(rest))',
    'total = counts(rest)',
  ),
  mutantsOf('workflows/match-beside-rounds.ts', [SCRIPTED_ROUND])(
    'Rounds go on beside matching when the time of the check is up',
    ' && Date.now() < stopAt',
    '',
  ),
  mutantsOf('workflows/deliver-shards.ts', [SCRIPTED_ROUND])(
    'A shard that a crash ended is not gone on with',
    "heartbeatTimeout: '20s',\n  retry: { maximumAttempts: 5,",
    "heartbeatTimeout: '20s',\n  retry: { maximumAttempts: 1,",
  ),
  mutantsOf('workflows/deliver-shards.ts', [SCRIPTED_ROUND])(
    'A shard that runs again counts nothing of what it had started',
    ', ...(again && { again }) }',
    ' }',
  ),
  mutantsOf('workflows/deliver-shards.ts', [SCRIPTED_ROUND])(
    'A shard that failed is run again in the same round',
    '      idle.add(shard)\n      failed(',
    '      failed(',
  ),
  mutantsOf('workflows/collect-shards.ts', [SCRIPTED_CHECK])(
    'Sources that were divided are not compared',
    '  await compareSources({ now })\n',
    '',
  ),
  mutantsOf('workflows/check-parts.ts', [SCRIPTED_CHECK])(
    'Mails that are being sent end with the check',
    'ParentClosePolicy.ABANDON',
    'ParentClosePolicy.TERMINATE',
  ),
  mutantsOf('workflows/delivery.ts', [WAITS])(
    'An attempt that an internal error prevented is made again without a round',
    "startToCloseTimeout: '30s', retry: { maximumAttempts: 1 }",
    "startToCloseTimeout: '30s', retry: { maximumAttempts: 2 }",
  ),
  mutantsOf('workflows/delivery.ts', [ENDLESS])(
    'The history of a delivery grows without bound',
    'if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof delivery>({ deliveryId })',
    '',
  ),
  mutantsOf('activities/collect.ts', ['test/activities/collect.test.ts'])(
    'A part of the sources that waited for a worker has its whole time',
    'budgetMs: budgetMs - waitedMs',
    'budgetMs',
  ),
  mutantsOf('activities/log.ts', ['test/activities/log.test.ts'])(
    'A check writes the whole log',
    'performance.now() > end || activity.cancellationSignal.aborted',
    'activity.cancellationSignal.aborted',
  ),
  mutantsOf('activities/deliveries.ts', ['test/activities/rounds.test.ts'])(
    'A round looks up the attempts of its own process',
    '  if (ended) rounds.attemptEnded({ ...key, ...ended })\n',
    '',
  ),
  activities(
    'The workflow of a webhook that failures paused is not notified',
    '  if (pausedWebhook) await announceAutoPause({ sql, workflows }, pausedWebhook)\n',
    '',
  ),
  activities('A round that is tried again starts from nothing', 'resumed: again || attempt > 1,', 'resumed: again,'),
  activities(
    'A round that is tried again has its whole time again',
    'clockFrom(input.now, late)',
    'clockFrom(input.now)',
  ),
  mutantsOf('activities/fan-out.ts', [ACTIVITIES])(
    'One check matches one batch of events',
    'if (performance.now() >= until) return { ...total, left: true }',
    'return total',
  ),
  mutantsOf('activities/retention.ts', ['test/activities/retention.test.ts'])(
    'Old snapshots are kept forever',
    'await inBatches(SNAPSHOTS_AT_ONCE, (limit) => deleteUnusedSnapshots(sql, now, limit))',
    '0',
  ),
  mutantsOf('src/webhooks/retention/retention-store.ts', ['test/activities/retention.test.ts'])(
    'What a webhook wanted before an edit is deleted although an event from before waits',
    "valid_to <= coalesce((select min(eligible_at) from event where matched_at is null), 'infinity')",
    'valid_to is not null',
  ),
  mutantsOf('activities/retention.ts', ['test/activities/retention.test.ts'])(
    'Retention deletes one batch',
    'if (done < size) return total',
    'return total',
  ),
].map((mutant): Mutant => (mutant.file.startsWith('workflows/') ? { ...mutant, built: true } : mutant))
