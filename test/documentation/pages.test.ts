import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { INVITATION_LIFETIME_MS } from '../../src/accounts/invitations/invitation-rules.ts'
import { CHALLENGE_LIFETIME_MS, MAX_PASSKEYS } from '../../src/accounts/passkeys/passkey-rules.ts'
import { RECENT_MS, SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '../../src/accounts/sessions/session-rules.ts'
import { LINK_EVERY_MS, LINK_LIFETIME_MS } from '../../src/accounts/users/links/link-rules.ts'
import { historyQuery } from '../../src/api/history-query.ts'
import { CONNECTION_LIMITS, PROXY_KEEP_ALIVE_MS } from '../../src/api/serving/connection-rules.ts'
import { EVENT_TYPES, USUAL_EVENT_TYPES } from '../../src/events/schema.ts'
import { MAX_FILTER_BYTES, MAX_FILTER_NAMES, MAX_PROVIDERS } from '../../src/prices/history/history-rules.ts'
import {
  REMOVE_AFTER_MS,
  RETIRE_AFTER_MS,
  removableAtOnce,
  STEP_ENDS_AFTER_MS,
} from '../../src/prices/plan/absences/removal-rules.ts'
import { MASS_LEAST, MASS_SHARE } from '../../src/prices/plan/difference/batch-rules.ts'
import { LARGE_FACTOR } from '../../src/prices/plan/holds/change-rules.ts'
import { WAIT_FETCHES, waitMs } from '../../src/prices/plan/holds/end-rules.ts'
import { MAX_NAME_CHARACTERS } from '../../src/prices/schema.ts'
import { MOST_AHEAD_MS } from '../../src/prices/upcoming/upcoming-rules.ts'
import { readSource } from '../support/code/source-files.ts'

const [SECONDS, MINUTES, HOURS, DAYS] = [1_000, 60_000, 3_600_000, 86_400_000]
/** A page, its line breaks as spaces: where they are says nothing. */
const read = (page: string): string => {
  const text = readFileSync(join(import.meta.dirname, `../../docs/${page}.md`), 'utf8')
  return text.replace(/(\S)\n(?= *\S)/g, '$1 ').replace(/ +/g, ' ')
}

/** Numbers of our own: the page and what it says, the number, and what the service uses. */
const NUMBERS: [page: string, text: string, number: unknown, used: unknown][] = [
  ['use/accounts', 'An invitation is valid for 7 days', 7 * DAYS, INVITATION_LIFETIME_MS],
  ['use/accounts', 'a reset for an hour', HOURS, LINK_LIFETIME_MS.reset_password],
  ['use/accounts', 'the others for a day', [DAYS, DAYS], [LINK_LIFETIME_MS.sign_up, LINK_LIFETIME_MS.verify_email]],
  ['use/accounts', 'One address gets one mail of a kind in a minute', MINUTES, LINK_EVERY_MS],
  ['use/accounts', 'after 14 days without use', 14 * DAYS, SESSION_IDLE_MS],
  ['use/accounts', 'after 90 days in any case', 90 * DAYS, SESSION_LIFETIME_MS],
  ['use/accounts', 'a sign-in of the last 10 minutes', 10 * MINUTES, RECENT_MS],
  ['use/accounts', 'An account has 20 at most', 20, MAX_PASSKEYS],
  ['use/accounts', 'A sign-in has five minutes', 5 * MINUTES, CHALLENGE_LIFETIME_MS],
  ['use/reading-prices', 'at most 200 slugs', 200, MAX_PROVIDERS],
  ['use/reading-prices', 'exactly these names, at most 50', 50, MAX_FILTER_NAMES],
  ['use/reading-prices', 'may take 4,000 bytes', 4_000, MAX_FILTER_BYTES],
  ['use/reading-prices', 'idle for 15 seconds', 15 * SECONDS, CONNECTION_LIMITS.keepAliveMs],
  ['use/reading-prices', '(75 behind trusted proxies)', 75 * SECONDS, PROXY_KEEP_ALIVE_MS],
  ['use/reading-prices', 'does not arrive within 20 seconds', 20 * SECONDS, CONNECTION_LIMITS.requestMs],
  ['use/reading-prices', '(its head within 10)', 10 * SECONDS, CONNECTION_LIMITS.headersMs],
  ['use/reading-prices', 'takes nothing of an answer for 15 seconds', 15 * SECONDS, CONNECTION_LIMITS.stalledMs],
  ['use/reading-prices', 'taken within 2 minutes', 2 * MINUTES, CONNECTION_LIMITS.answerMs],
  ['use/reading-prices', 'at most 8 may wait', 8, CONNECTION_LIMITS.pipelined],
  ['use/reading-prices', 'One address has at most 200 connections', 200, CONNECTION_LIMITS.perAddress],
  ['use/reading-prices', 'the server 2,000', 2_000, CONNECTION_LIMITS.connections],
  ['prices', 'more than 3 times', 3, LARGE_FACTOR],
  ['prices', 'more than a fifth, and at least 5', [0.2, 5], [MASS_SHARE, MASS_LEAST]],
  ['prices', 'after 24 hours and three good fetches', [24 * HOURS, 3], [waitMs([]), WAIT_FETCHES]],
  ['prices', 'in time, after 14 days', 14 * DAYS, waitMs(['tenfold_with_others'])],
  ['prices', 'in time, after 3 days', 3 * DAYS, waitMs(['contradicts_missing_line'])],
  ['prices', 'missing from 3 good fetches over at least three days', 3 * DAYS, REMOVE_AFTER_MS],
  ['prices', 'after three good fetches over fourteen days', 14 * DAYS, RETIRE_AFTER_MS],
  ['prices', 'a step of a price (`context`) after a day', DAYS, STEP_ENDS_AFTER_MS],
  ['prices', 'more than a tenth of the provider', [1, 10], [5, 100].map(removableAtOnce)],
  ['prices', 'longer than 300 characters', 300, MAX_NAME_CHARACTERS],
  ['use/subscriptions', 'at least one of the eleven', 11, EVENT_TYPES.length],
  ['use/subscriptions', '`*` in a command means the other ten', 10, USUAL_EVENT_TYPES.length],
  ['prices', 'more than two years ahead', 732 * DAYS, MOST_AHEAD_MS],
]

describe('each number of our own', () => {
  it.each(NUMBERS)('docs/%s.md: "%s" is what the service uses', (page, text, number, used) => {
    expect(used).toEqual(number)
    expect(read(page)).toContain(text)
  })
})

describe('docs/use/reading-prices.md', () => {
  it('names every parameter of the price history, and its table no other', () => {
    const parameters = Object.keys(historyQuery.shape)
    const page = read('use/reading-prices')
    for (const name of parameters) expect(page).toMatch(new RegExp(`\`${name}(=\\w+)?\``))
    const [table] = /\| Parameter \| What is served \|[^#]*/.exec(page)!
    const listed = [...table.matchAll(/\| `(\w+)(?:=\w+)?` \|/g)].map(([, name]) => name)
    expect(listed.length).toBeGreaterThan(0)
    for (const name of listed) expect(parameters).toContain(name)
  })
})

describe('docs/prices.md', () => {
  const page = read('prices')

  it('says of every type of event about prices when it is sent', () => {
    const [table] = /\| change \| event \|[^#]*?Another spelling/.exec(page)!
    const types = EVENT_TYPES.filter((type) => type !== 'tos.changed' && !type.startsWith('alias.'))
    expect([...new Set(table.match(/(?<=`)(?:price|resource|provider)\.\w+(?=`)/g))].sort()).toEqual([...types].sort())
  })

  it('names every reason why a change has no event', () => {
    const reasons = [...readSource('src/prices/events/event-rules.ts').matchAll(/(?:return|[?:]) '(\w+_\w+)'/g)]
    expect(reasons.map(([, reason]) => reason)).toContain('source_changed')
    for (const [, reason] of reasons) expect(page).toContain(`\`${reason}\``)
  })
})
