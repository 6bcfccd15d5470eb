import { type Mutant, mutantsOf, SURVIVED_REVIEW } from '../mutant.ts'

const ACTIVITIES = 'test/activities/deliveries.test.ts'
const CHECK = 'test/workflows/check.test.ts'
const PAUSING = 'test/workflows/pausing.test.ts'
const RETRIES = 'test/workflows/retry-schedule.test.ts'
const WAITING = 'test/workflows/waiting.test.ts'
const ENDLESS = 'test/workflows/endless-changes.test.ts'
const ROUND = 'test/webhooks/delivery-round.test.ts'

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
  parts(
    'A round that a crash ended is not gone on with',
    "retry: { maximumAttempts: 5, initialInterval: '1s' },\n})\n/** What the log",
    'retry: { maximumAttempts: 1 },\n})\n/** What the log',
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
