import { type Mutant, mutantsOf, SURVIVED_REVIEW } from '../mutant.ts'

const GOLDENS = 'test/events/goldens.test.ts'
const PRICES = [
  'test/prices/ingest/ingest.test.ts',
  'test/prices/review/review.test.ts',
  'test/prices/ingest/absences.test.ts',
  'test/prices/plan/rules.test.ts',
  'test/prices/history/as-of.test.ts',
  'test/prices/history/index-agreement.test.ts',
]

const payload = mutantsOf('src/prices/events/payload-rules.ts', [
  GOLDENS,
  'test/prices/events/event-rules.test.ts',
  ...PRICES,
])
const upcoming = mutantsOf('src/prices/upcoming/upcoming-store.ts', ['test/prices/upcoming.test.ts'])
const change = mutantsOf('src/prices/events/change-rules.ts', [
  'test/prices/plan/change-rules.test.ts',
  GOLDENS,
  ...PRICES,
])
const terms = mutantsOf('src/terms/ingest/record-change.ts', [
  GOLDENS,

  'test/terms/ingest/ingest.test.ts',
])
const added = mutantsOf('src/events/payloads/alias-member-added.ts', [GOLDENS, 'test/aliases/groups.test.ts'])
const removed = mutantsOf('src/events/payloads/alias-member-removed.ts', [GOLDENS, 'test/aliases/groups.test.ts'])

/** Bugs in what events say: each field that a body may have, left out or wrong. */
export const EVENTS: Mutant[] = [
  payload(
    'Events name no canonical resource',
    '  ...(row.canonicalResource && { canonicalResource: row.canonicalResource }),\n',
    '',
    SURVIVED_REVIEW,
  ),
  payload(
    'A removal does not say since when the resource is missing',
    '    ...(missingSince && { missingSince }),\n',
    '',
    SURVIVED_REVIEW,
  ),
  payload(
    'A rename names no previous canonical resource',
    '    ...(previousCanonicalResource && { previousCanonicalResource }),\n',
    '',
    SURVIVED_REVIEW,
  ),
  payload(
    'A change does not say from when it holds',
    '    ...(effectiveFrom && { effectiveFrom }),\n',
    '',
    SURVIVED_REVIEW,
  ),
  payload('The end of a price in credits is sent to *', ' || rows.some(isCredit)', ''),
  payload('A new tier is not called introduced', ", tier: 'introduced' }", ' }', SURVIVED_REVIEW),
  payload(
    'A tier that was removed is called introduced',
    "tier: 'withdrawn' }",
    "tier: 'introduced' }",
    SURVIVED_REVIEW,
  ),
  payload(
    'A correction does not say what the price was before',
    '    ...(previous && { previous: pointOf(previous) }),\n',
    '',
    SURVIVED_REVIEW,
  ),
  payload(
    'A correction does not say what the price is now',
    '    ...(current && { current: pointOf(current) }),\n    affected,\n',
    '    affected,\n',
    SURVIVED_REVIEW,
  ),
  payload('An announcement does not say what it replaces', '    ...(replaces && { replaces }),\n', ''),
  upcoming(
    'An announced price is kept although others decide about it',
    '      and not exists (',
    '      and exists (',
  ),
  upcoming('What was announced later is shown before', 'u.first_seen_at <= ${asOf} and ', ''),
  payload('A correction gives no reason', '    affected,\n    reason,', '    affected,', SURVIVED_REVIEW),
  payload(
    'A revision shows the new fields as the previous ones',
    'previous: { ...moneyOf(before), ...pointOf(before) }',
    'previous: { ...moneyOf(row), ...pointOf(before) }',
    SURVIVED_REVIEW,
  ),
  payload(
    'A revision affects no time',
    'affected: { from: before.recordedAt, to: row.recordedAt }',
    'affected: { from: row.recordedAt, to: row.recordedAt }',
  ),
  change('A removal says the last instant at which a line went missing', '.sort()[0],', '.sort().at(-1),'),
  terms('A document event does not say from when the text holds', '      effectiveDate: current.effectiveDate,\n', ''),
  terms('A document event does not say that an earlier text is back', '      returnsTo,\n      doubt', '      doubt'),
  terms(
    'A document event does not say what is unusual about it',
    '      doubt: doubt?.length ? doubt : undefined,\n',
    '',
  ),
  terms(
    'A document event links to the comparison the wrong way round',
    'previous.versionId, current.versionId),',
    'current.versionId, previous.versionId),',
  ),
  terms(
    'A document event gives no dates of its versions',
    '=> ({ versionId, effectiveDate, updatedDate })',
    '=> ({ versionId })',
  ),
  added(
    'A member that joins has no canonical resource',
    'payload: { group, resource, canonicalResource, lines }',
    'payload: { group, resource, lines }',
  ),
  removed(
    'A deleted group is not called deleted',
    'canonicalResource, groupDeleted },',
    'canonicalResource, groupDeleted: false },',
  ),
  removed(
    'A member that left has no canonical resource',
    'payload: { group, resource, canonicalResource, groupDeleted }',
    'payload: { group, resource, groupDeleted }',
  ),
  mutantsOf('src/webhooks/attempts/delivery-rules.ts', [GOLDENS, 'test/webhooks/attempts/delivery-rules.test.ts'])(
    'Tests of two minutes share an event',
    '/ 60_000)',
    '/ 120_000)',
  ),
]
