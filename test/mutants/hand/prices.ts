import { type Mutant, mutantsOf, SURVIVED_REVIEW } from '../mutant.ts'

const HISTORY = 'test/api/history/history.test.ts'
const AS_OF = 'test/prices/history/as-of.test.ts'
const CURSORS = 'test/api/history/cursors.test.ts'
const REVIEW = 'test/prices/review/review.test.ts'
const OVERTAKEN = 'test/prices/review/overtaken-decisions.test.ts'
const ABSENCES = 'test/prices/ingest/absences.test.ts'
const GROUPS = 'test/aliases/groups.test.ts'
const LISTINGS = 'test/api/listings.test.ts'
const CLOCK = [
  'test/catalog/clock.test.ts',
  'test/catalog/clock-jump.test.ts',
  'test/api/history/immutability.test.ts',
  'test/api/history/open-instant.test.ts',
]

const recorded = mutantsOf('src/prices/explore/recorded-changes-store.ts', [
  'test/prices/events/recorded-changes.test.ts',
])
const page = mutantsOf('src/database/functions/history_rows.sql', [
  HISTORY,
  AS_OF,
  CURSORS,
  'test/api/history/history-filters.test.ts',
])
const scope = mutantsOf('src/prices/history/history-store.ts', [
  AS_OF,
  HISTORY,
  CURSORS,
  'test/api/alias-names.test.ts',
])
const clock = mutantsOf('src/catalog/clock/clock-store.ts', CLOCK)
const correction = mutantsOf('src/prices/review/correct-price.ts', [REVIEW, AS_OF, 'test/prices/ingest/ingest.test.ts'])
const rows = mutantsOf('src/prices/review/decide-rows.ts', [
  OVERTAKEN,
  REVIEW,
  'test/prices/holds/sets.test.ts',
  'test/prices/holds/held-prices.test.ts',
])
const decision = mutantsOf('src/prices/review/decide-review.ts', [
  REVIEW,
  OVERTAKEN,
  'test/prices/holds/sets.test.ts',
  'test/app/operator.test.ts',
  'test/cli/review-queue.test.ts',
  'test/concurrency/matrix.test.ts',
])
const queue = mutantsOf('src/prices/store/review-store.ts', ['test/prices/review/review-revisions.test.ts'])
const held = mutantsOf('src/terms/store/document-store.ts', ['test/review/decide-item.test.ts'])
const publications = mutantsOf('src/prices/store/publication-store.ts', [
  'test/prices/stores/row-store.test.ts',
  ABSENCES,
  AS_OF,
  REVIEW,
])
const groups = mutantsOf('src/aliases/group-store.ts', [GROUPS, 'test/aliases/proposals.test.ts'])
const listing = mutantsOf('src/aliases/listing-store.ts', [LISTINGS])
const sources = mutantsOf('src/catalog/sources/source-store.ts', [
  'test/catalog/due-sources.test.ts',
  'test/collecting/claims.test.ts',
  'test/collecting/interrupted.test.ts',
  'test/collecting/one-source/collect-due.test.ts',
  'test/collecting/one-source/collect-source.test.ts',
  'test/collecting/one-source/failing-source.test.ts',
  'test/collecting/one-source/places-of-prices.test.ts',
  'test/collecting/collect-workflow.test.ts',
])
const BUILT = { built: true } as const

/** Bugs in what is published and in what readers are shown. */
export const PRICES: Mutant[] = [
  decision(
    'An item is decided that changed since it was shown',
    'requireShown(request.revision, reviewRevision(review))',
    'requireShown(undefined, reviewRevision(review))',
  ),
  decision(
    'An item is compared with what was shown before it is locked',
    'requireShown(request.revision, reviewRevision(review))',
    'requireShown(request.revision, reviewRevision((await openReview(sql, reviewId))!))',
  ),
  queue(
    'The revision leaves out what is held beside the rows of the item',
    'where s.source = v.source and s.held_hash is not null and (s.provider, s.resource) in (\n          select l.provider, l.resource from',
    'where s.source = v.source and s.held_hash is not null and s.held_hash in (\n          select l.held_hash from',
  ),
  queue(
    'The revision of a removal leaves out the lines that are missing',
    'and l.missing_since is not null and l.removed_at is null and l.current_hash is not null\n',
    'and false\n',
  ),
  queue(
    'Other missing lines of a resource change the revision',
    "and (v.kind = 'removal' or v.detail->'texts' ? (l.dimension || ' ' || l.pricing_tier))",
    '',
  ),
  held(
    'The revision of a held document is that of any text of it',
    'v.reasons, v.text_hash as "textHash"',
    'v.reasons, repeat(\'0\', 64) as "textHash"',
  ),
  page(
    'A row is served at the instant at which it was withdrawn',
    "' where published_at <= $1 and (unpublished_at is null or unpublished_at > $1) and p.content_hash > $2'",
    "' where published_at <= $1 and (unpublished_at is null or unpublished_at >= $1) and p.content_hash > $2'",
    BUILT,
  ),
  page(
    'A row is not served at the instant at which it was published',
    "' where published_at <= $1 and (unpublished_at is null or unpublished_at > $1) and p.content_hash > $2'",
    "' where published_at < $1 and (unpublished_at is null or unpublished_at > $1) and p.content_hash > $2'",
    BUILT,
  ),
  page(
    'The next page begins with the last row of the page before',
    "unpublished_at > $1) and p.content_hash > $2';",
    "unpublished_at > $1) and p.content_hash >= $2';",
    BUILT,
  ),
  scope(
    'Active providers are read as of now',
    ' and s.at <= ${at} order by s.at desc limit 1',
    ' order by s.at desc limit 1',
    SURVIVED_REVIEW,
  ),
  scope(
    'How a provider prices is read as of now',
    'from provider_pricing where at <= ${at} order by',
    'from provider_pricing order by',
    SURVIVED_REVIEW,
  ),
  scope('A deleted group is read', 'where g.deleted_at is null and (g.group_id', 'where (g.group_id'),
  scope(
    'A former member is part of its group',
    'where m.group_id = g.group_id and m.left_at is null)',
    'where m.group_id = g.group_id)',
  ),
  clock('Two publications at once get one stamp', 'from publication_clock for update`', 'from publication_clock`'),
  clock('A reader moves the clock back', '\n      where last_stamp < ${at}`', '`'),
  correction(
    'A restored price is called automatically approved',
    "rows: [{ row, status: 'approved', reason, actor }],",
    "rows: [{ row, status: 'auto_approved', reason, actor }],",
    SURVIVED_REVIEW,
  ),
  correction(
    'The price that was withdrawn is the price after it',
    'servedRow(tx, row.lineId, { except: contentHash })',
    'servedRow(tx, row.lineId)',
  ),
  correction(
    'A row that is not withdrawn is restored',
    "if (row.status !== 'withdrawn') throw",
    "if (row.status === 'removed') throw",
  ),
  correction('A restored price outlives its removal', '    await requireListed(tx, row, line)\n', ''),
  correction(
    'A withdrawn price is published again at the next fetch',
    'previous?.contentHash === contentHash ? row.price : line.decidedPrice',
    'undefined',
  ),
  correction(
    'A withdrawn price is published again once an earlier one is withdrawn',
    '? row.price : line.decidedPrice',
    '? row.price : undefined',
  ),
  correction(
    'A withdrawn price is published again once an earlier one is restored',
    ': decidedPrice\n',
    ': undefined\n',
  ),
  correction(
    'A correction affects the time since the row was recorded',
    'affected = { from: row.publishedAt, to: stamp.at }\n    return',
    'affected = { from: row.recordedAt, to: stamp.at }\n    return',
  ),
  rows(
    'What comes back with a decision is not read again',
    'if (isBack || published.some(({ lineId }) => !lines.get(lineId)?.current)) ',
    'if (isBack) ',
    { tests: ['test/prices/footprints.test.ts'] },
  ),
  decision('A rejected item is recorded as approved', "decision === 'reject' ? 'rejected' : 'approved'", "'approved'"),
  decision('A preview is carried out', '    if (request.dryRun) throw new Preview(outcome)\n', ''),
  decision(
    'An item that a snapshot closes meanwhile is decided',
    'const review = found && (await openReview(tx, reviewId))',
    'const review = found',
  ),
  publications(
    'A price that is listed again has its oldest status',
    "s.status in ('approved', 'auto_approved')\n              order by s.seq desc",
    "s.status in ('approved', 'auto_approved')\n              order by s.seq",
  ),
  publications('A price that was withdrawn comes back when it is listed again', " and last.status = 'removed'\n", '\n'),
  mutantsOf('src/prices/publish/end-lines.ts', [ABSENCES, AS_OF, 'test/prices/plan/rules.test.ts'])(
    'The rows of an old name outlive the removal of the new one',
    '    ...(await linesOfFormerNames(tx, source, await formerNames(tx, source, removed))),\n',
    '',
    SURVIVED_REVIEW,
  ),
  mutantsOf('src/catalog/resource-store.ts', ['test/catalog/renames.test.ts', AS_OF, ABSENCES, HISTORY])(
    'A renaming that ended ends again',
    ' and r.ended_at is null`',
    '`',
  ),
  groups(
    'A deletion does not raise the revision',
    'greatest(revision, revision_floor()) + 1, updated_at',
    'greatest(revision, revision_floor()) + ${change.deleted ? 0 : 1}, updated_at',
  ),
  groups(
    'A change does not raise the version of the catalogue',
    'greatest(version, revision_floor()) + 1 returning',
    'greatest(version, revision_floor()) returning',
  ),
  groups(
    'A member that left long ago leaves again',
    'where m.group_id = ${groupId} and m.left_at is null and',
    'where m.group_id = ${groupId} and',
  ),
  groups(
    'A renamed member joins a group that lists it already',
    '    where not exists (select from alias_member m where m.group_id = o.group_id and m.provider = n.provider\n                        and m.resource = n."to" and m.left_at is null)\n',
    '',
  ),
  listing('A member is unpriced after eight days', 'UNPRICED_AFTER_MS = 7 * DAY', 'UNPRICED_AFTER_MS = 8 * DAY'),
  listing('A group is retired when one member is', 'bool_and(not m.listed)', 'bool_or(not m.listed)'),
  listing('Resources that are not listed any more are known', 'where r.removed_at is null\n      group by', 'group by'),
  mutantsOf('src/catalog/catalog-answer-store.ts', [LISTINGS])(
    'The catalog names dimensions that were removed',
    ' and l.removed_at is null\n',
    '\n',
  ),
  mutantsOf('src/catalog/search/directory-store.ts', [LISTINGS])(
    'The directory lists retired providers',
    "where now.status <> 'retired'\n",
    '',
  ),
  sources(
    'Two workers read one source',
    ' and (collecting_until is null or collecting_until <= ${now})\n    returning',
    '\n    returning',
  ),
  sources(
    'A worker that lost its claim records what it found',
    'where source = ${source} and claim = ${record.claimId}\n    returning',
    'where source = ${source}\n    returning',
  ),
  sources('A source that is not declared any more is read', 'where declared and next_due_at', 'where next_due_at'),
  sources(
    'Failures are never forgotten',
    '${good && problem === null} then 0 else failures + 1 end',
    '${false} then 0 else failures + 1 end',
  ),
  mutantsOf('src/catalog/snapshots/snapshot-retention-store.ts', ['test/activities/retention.test.ts'])(
    'The evidence of a price is deleted',
    '        and not exists (select from price_row where snapshot_hash = s.hash)\n',
    '',
  ),
  recorded(
    'What history begins with is a change',
    'where published_at > (select min(published_at) from publication) and',
    'where',
  ),
  recorded(
    'A price that was superseded before ends again',
    'where q.line_id = e.line_id and q.recorded_at > e.recorded_at and q.published_at <= e.unpublished_at)\n             or exists (',
    'where false)\n             or exists (',
  ),
  recorded('Changes at the instant that is asked for are shown', '${at} < ${before}', '${at} <= ${before}'),
  recorded('A page repeats the change that the one before ended with', 'content_hash) > (', 'content_hash) >= ('),
]
