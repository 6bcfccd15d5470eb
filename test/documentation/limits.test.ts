import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_INVITATIONS_PER_DAY } from '../../src/accounts/invitations/invitation-rules.ts'
import { MAX_API_KEYS } from '../../src/accounts/keys/api-key-rules.ts'
import { RATE_LIMITS } from '../../src/accounts/limits/rate-limit-rules.ts'
import { MAX_WORKSPACES } from '../../src/accounts/members/workspace-rules.ts'
import { MAX_WEBHOOKS_PER_WORKSPACE } from '../../src/accounts/workspaces/quota-rules.ts'
import { AS_OF_DELAY_MS } from '../../src/catalog/clock/clock-rules.ts'
import { readConfig } from '../../src/lib/config.ts'
import { DELIVERY_TIMEOUT_MS } from '../../src/lib/safe-fetch/post.ts'
import { DEFAULT_PAGE_ROWS, MAX_PAGE_ROWS } from '../../src/prices/history/history-rules.ts'
import { pauseForecast } from '../../src/webhooks/attempts/auto-pause-rules.ts'
import { LOG_KEPT_MS, LOG_LENGTH, MAX_RESENT_AT_ONCE } from '../../src/webhooks/attempts/delivery-rules.ts'
import { MAX_ATTEMPTS, RETRY_WAITS_MS } from '../../src/webhooks/attempts/retry-schedule-rules.ts'
import { STOP_STARTING_AFTER_MS } from '../../src/webhooks/rounds/round-rules.ts'
import {
  MAX_FILTER_ENTRIES,
  MAX_FILTER_ENTRY_CHARACTERS,
  MAX_GROUPS_PER_WEBHOOK,
  MAX_SIGNING_KEYS,
  ROTATION_OVERLAP_MS,
} from '../../src/webhooks/rules.ts'

const [SECONDS, MINUTES, HOURS, DAYS] = [1_000, 60_000, 3_600_000, 86_400_000]
const FIRST_FAILURE = { failuresInRow: 1, firstFailureAt: '2026-01-01T00:00:00.000Z' as never }

/** Each number of the specification: the sentence that it comes from, the number, what the service uses, and where our pages say it. */
const NUMBERS: [sentence: string, number: unknown, used: unknown, pages: [page: string, text: string][]][] = [
  ['API keys per workspace: 20', 20, MAX_API_KEYS, [['use/accounts', '20 API keys']]],
  [
    'Webhooks per workspace: 20',
    20,
    MAX_WEBHOOKS_PER_WORKSPACE,
    [
      ['use/subscriptions', 'A workspace holds 20 webhooks'],
      ['use/accounts', '20 webhooks'],
    ],
  ],
  [
    'A workspace can be created while the user belongs to fewer than 3',
    3,
    MAX_WORKSPACES,
    [['use/accounts', 'one belongs to fewer than 3']],
  ],
  [
    'Invitations per workspace: 20 in any 24 hours',
    20,
    MAX_INVITATIONS_PER_DAY,
    [['use/accounts', '20 invitations in any 24']],
  ],
  ['Alias groups per webhook: 50', 50, MAX_GROUPS_PER_WEBHOOK, [['use/subscriptions', 'up to 50 alias groups']]],
  [
    'Entries per resource or document filter, per provider: 200',
    200,
    MAX_FILTER_ENTRIES,
    [['use/subscriptions', 'each up to 200 entries']],
  ],
  [
    '… each up to 200 characters',
    200,
    MAX_FILTER_ENTRY_CHARACTERS,
    [['use/subscriptions', '200 entries of up to 200 characters']],
  ],
  ['Price history page: 1 to 10,000 rows', 10_000, MAX_PAGE_ROWS, [['use/reading-prices', 'up to 10,000 rows']]],
  ['… default 5,000', 5_000, DEFAULT_PAGE_ROWS, []],
  [
    'asOf: at least 15 minutes in the past',
    15 * MINUTES,
    AS_OF_DELAY_MS,
    [['use/reading-prices', 'at least 15 minutes in the past']],
  ],
  [
    'Webhook response time: 5 seconds',
    5 * SECONDS,
    DELIVERY_TIMEOUT_MS,
    [['use/receiving-webhooks', 'Answer 2xx within 5 seconds']],
  ],
  [
    'Webhook paused after: 5 failed attempts in a row …',
    4,
    pauseForecast(FIRST_FAILURE)?.failuresLeft,
    [
      ['use/receiving-webhooks', 'After 5 failed attempts in a row'],
      ['alerts', 'after 5 failures over 24 hours'],
    ],
  ],
  [
    '… the first at least 24 hours before the last',
    '2026-01-02T00:00:00.000Z',
    pauseForecast(FIRST_FAILURE)?.notBefore,
    [['use/receiving-webhooks', 'the first of them at least 24 hours before the last']],
  ],
  [
    'Delivery attempts: 6',
    6,
    MAX_ATTEMPTS,
    [
      ['use/receiving-webhooks', 'six attempts in 34 hours 35 minutes'],
      ['deliveries', '(six attempts)'],
    ],
  ],
  [
    '(retries after 5 min, 30 min, 2 h, 8 h, 24 h)',
    [5 * MINUTES, 30 * MINUTES, 2 * HOURS, 8 * HOURS, 24 * HOURS],
    RETRY_WAITS_MS,
    [
      ['use/receiving-webhooks', '5 minutes, 30 minutes, 2 hours, 8 hours and 24 hours'],
      ['deliveries', '5 min, 30 min, 2 h, 8 h, 24 h'],
    ],
  ],
  ['Delivery log: newest 50 deliveries per webhook', 50, LOG_LENGTH, [['alerts', 'its newest 50 deliveries']]],
  [
    '… each kept 30 days after its last attempt',
    30 * DAYS,
    LOG_KEPT_MS,
    [
      ['use/receiving-webhooks', 'act within 30 days'],
      ['data', '30 days after the last attempt'],
    ],
  ],
  [
    'Resume and resend: newest 1,000 unsent deliveries',
    1_000,
    MAX_RESENT_AT_ONCE,
    [['use/receiving-webhooks', 'the newest 1,000']],
  ],
  [
    'Secret rotation overlap: 24 hours',
    24 * HOURS,
    ROTATION_OVERLAP_MS,
    [
      ['use/receiving-webhooks', 'For 24 hours every delivery carries two'],
      ['use/subscriptions', 'sign for exactly 24 hours'],
    ],
  ],
  [
    'Rotate secret …: two keys valid for 24 hours',
    2,
    MAX_SIGNING_KEYS,
    [['use/subscriptions', 'At most two keys sign']],
  ],
  [
    'Changes are checked every 5 minutes',
    5 * MINUTES,
    readConfig({}).checkIntervalMs,
    [['use/receiving-webhooks', 'up to 5 minutes late']],
  ],
  [
    'a check stops starting deliveries 200 seconds after it begins',
    200 * SECONDS,
    STOP_STARTING_AFTER_MS,
    [
      ['deliveries', '200 seconds after the check began'],
      ['metrics', 'rounds whose 200 seconds ended'],
    ],
  ],
  [
    'per API key, and per signed-in user: 5 requests per second, 20',
    { rate: 5, burst: 20 },
    RATE_LIMITS.caller,
    [['use/reading-prices', '5 requests a second per key (burst 20)']],
  ],
  [
    'per workspace: 10 requests per second, 40',
    { rate: 10, burst: 40 },
    RATE_LIMITS.workspace,
    [['use/reading-prices', '10 per workspace (burst 40)']],
  ],
  [
    'GET /v1/prices/history, per key or user: 2 requests per second, 5',
    { rate: 2, burst: 5 },
    RATE_LIMITS.history,
    [['use/reading-prices', 'on price history also 2 per key (burst 5)']],
  ],
  [
    'per client address: requests failing authentication: 5 requests per second, 20',
    { rate: 5, burst: 20 },
    RATE_LIMITS.address,
    [['use/reading-prices', '(5 a second, burst 20;']],
  ],
]

/** A page, its line breaks as spaces: where they are says nothing. */
const read = (page: string): string =>
  readFileSync(join(import.meta.dirname, `../../docs/${page}.md`), 'utf8').replace(/\s+/g, ' ')

describe('each number of the specification', () => {
  it.each(NUMBERS)('"%s" is what the service uses, and what our pages say', (_sentence, number, used, pages) => {
    expect(used).toEqual(number)
    for (const [page, text] of pages) expect(read(page), page).toContain(text)
  })
})
