import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { it } from 'vitest'
import { type AuditEntry, auditQuery } from '../../../src/web/api/audit.ts'
import { type Source, snapshotQuery, sourceQuery, sourcesQuery } from '../../../src/web/api/operator.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import type { Knowledge } from '../screen.tsx'
import { daysAgo, hoursAgo, knownScreens } from './known.ts'

const { openKnown, shownOf } = knownScreens()

const open = (path: string, known: Knowledge) => () => openKnown(`/operator/${path}`, known)

const source = (name: string, more: Partial<Source> = {}): Source => ({
  ...{
    source: name,
    kind: 'prices',
    format: 'litellm',
    rank: 'community',
    witness: false,
    declared: true,
    intervalSeconds: 3_600,
  },
  ...{ freshness: 'fresh', nextDueAt: hoursAgo(-2), failures: 0, collecting: false, ignored: 0, ...more },
})
const broken = source('broken', {
  problem: 'HTTP 500.',
  failures: 3,
  freshness: 'stale',
  lastDurationMs: 12_345,
  intervalSeconds: 86_400,
  rank: 'verified',
  ignored: 1_234,
})
const SOURCES = [
  source('good', {
    lastCheckedAt: hoursAgo(1),
    lastChangedAt: daysAgo(3),
    rank: 'provider',
    nextDueAt: '0001-01-01T00:00:00Z',
  }),
  broken,
  source('stale', { freshness: 'stale', witness: true, collecting: true }),
  source('off', { declared: false, problem: 'Gone.', endsAt: hoursAgo(-48) }),
  source('ended', { declared: false, endedAt: hoursAgo(48), kind: 'terms', freshness: 'unknown' }),
]
const outcome = (n: number, more: object = {}) => ({
  at: hoursAgo(n),
  outcome: 'unchanged' as const,
  httpStatus: null,
  reason: null,
  snapshotHash: null,
  ...more,
})
const details = (of: Source, more: object = {}) => ({ source: of, outcomes: [], ignored: [], ...more })
const withSources =
  (of: Source, more: object = {}, offline = false) =>
  (queryClient: QueryClient) => {
    queryClient.setQueryData(sourcesQuery.queryKey, { sources: SOURCES, offline })
    queryClient.setQueryData(sourceQuery(of.source).queryKey, details(of, more))
    for (const hash of ['part', 'whole'])
      queryClient.setQueryData(snapshotQuery(hash).queryKey, {
        hash,
        size: 12_345,
        text: '<html>',
        truncated: hash === 'part',
      })
  }
const OUTCOMES = [
  outcome(1, { outcome: 'failed', httpStatus: 500, reason: 'Too slow.' }),
  outcome(2, { outcome: 'changed', httpStatus: 200, snapshotHash: 'abc' }),
  outcome(3, { outcome: 'quarantined', reason: 'Shrunk.' }),
]
const IGNORED = [{ reason: 'no unit', count: 1_200, example: '{"a":1}' }]

it('sources in each state, and one of them', async () => {
  const shown = await shownOf({
    all: open('sources', withSources(broken)),
    'those that need attention, offline': open('sources?only=problems', withSources(broken, {}, true)),
    'none that need attention': open('sources?only=problems', (queryClient) =>
      queryClient.setQueryData(sourcesQuery.queryKey, { sources: SOURCES.slice(0, 1), offline: false }),
    ),
    'none with the word': open('sources?q=nothing', withSources(broken)),
    'those with the words, in capitals or not': open('sources?q=ED%20En', withSources(broken)),
    'one that fails': open('sources?source=broken', withSources(broken, { outcomes: OUTCOMES, ignored: IGNORED })),
    'one never read': open(
      'sources?source=good',
      withSources({ ...SOURCES[0]!, fetchedUrl: 'https://lists.example/', failures: 1, problem: 'Once.' }),
    ),
    'a document every half hour': open(
      'sources?source=ended',
      withSources({ ...SOURCES[4]!, fetchedUrl: 'file', intervalSeconds: 1_800 }),
    ),
    'every two hours': open('sources?source=off', withSources({ ...SOURCES[3]!, intervalSeconds: 7_200 })),
    'one that is being read': open('sources?source=stale', withSources(SOURCES[2]!)),
    'a part of a snapshot': open('sources?snapshot=part', withSources(broken)),
    'a whole snapshot': open('sources?snapshot=whole', withSources(broken)),
  })
  await compareWithGolden('sources', shown)
})

const entry = (n: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{
    entryId: `${n}`,
    at: hoursAgo(n),
    action: 'webhook_changed',
    accountId: 'a1',
    email: 'ann@example.com',
    workspaceId: 'w1',
  },
  ...{ workspace: 'First', address: '192.0.2.1', subject: 'h1', subjectName: 'Orders', detail: {}, ...more },
})
const ID = '12345678-1234'
const ENTRIES = [
  entry(1),
  entry(2, {
    action: 'webhook_deleted',
    subjectName: 'h1',
    detail: { name: 'Orders', until: 'x', kept: true, lost: false, address: '192.0.2.2' },
  }),
  entry(3, { action: 'delivery_resent', subject: 'd1', subjectName: null, detail: { webhookId: 'h1' }, address: null }),
  entry(4, {
    action: 'key_deleted',
    subject: ID,
    subjectName: null,
    detail: { address: '192.0.2.3', same: ID },
    address: null,
    email: null,
  }),
  entry(5, {
    action: 'signed_in',
    subject: ID,
    subjectName: null,
    detail: { question: 'Why?' },
    workspace: null,
    accountId: null,
  }),
  entry(6, { action: 'check_requested', subject: 'now', subjectName: null, address: null }),
]
it('the audit log, whole and of a person', async () => {
  const log = (search: string, filter: object, entries: AuditEntry[], next: string | null = null) =>
    open(`audit${search}`, (queryClient) => {
      const of = (listed: AuditEntry[]) => ({ pages: [{ entries: listed, next }], pageParams: [undefined] })
      queryClient.setQueryData(auditQuery({ accountId: 'a1' }, true).queryKey, of(ENTRIES.slice(0, 2)))
      queryClient.setQueryData(auditQuery(filter, true).queryKey, of(entries))
    })
  const shown = await shownOf({
    all: log('', {}, ENTRIES, '6'),
    'of a person': log(
      '?who=a1&action=webhook_changed',
      { action: 'webhook_changed', accountId: 'a1' },
      ENTRIES.slice(0, 1),
    ),
    'of a person who did nothing': log('?who=a2', { accountId: 'a2' }, []),
  })
  shown.push(...(await walk(await log('', {}, ENTRIES)(), ['ann@example.com'])).slice(1))
  await compareWithGolden('audit', shown)
})
