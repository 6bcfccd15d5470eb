import { LRUCache } from 'lru-cache'
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/instant.ts'
import { LimitExceededError } from '../../lib/isolation/errors.ts'
import { defineTask } from '../../lib/isolation/task.ts'
import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'
import { isUnreachable } from './http-details.ts'
import type { FetchTools } from './schema.ts'

/** The name that robots.txt files call us by; the first word of the user agent. */
const ROBOT_NAME = 'pricetape'
/** RFC 9309: of a longer file, however long it is, the first 500 KiB are read, and an answer holds for at most a day. */
const MAX_READ_BYTES = 500 * 1024
const HOLDS_MS = DAY
/** A host whose robots.txt cannot be read is asked for it again this soon. */
const UNREADABLE_MS = HOUR
/** An error of our own says nothing about the host: the next check tries again. */
const OUR_FAULT_MS = 2 * MINUTE
const TIMEOUT_MS = 15 * SECOND
const READ_LIMITS = { cpuMs: 2 * SECOND, timeoutMs: 20 * SECOND, maxMemoryMb: 400, maxResultMb: 1 }
/** Hosts remembered; the ones longest unused go. */
const MAX_HOSTS = 1_000
const MAX_CACHE_BYTES = 16 * 1024 * 1024
/** What an entry without a file counts. */
const ENTRY_BYTES = 100

type Rules = { until: number; bytes?: Uint8Array; unreadable?: { unreachable: boolean } }
type Tools = Pick<FetchTools, 'get' | 'isolation'>

/**
 * Whether the owner of a page lets robots read it (RFC 9309). No robots.txt allows everything; one that cannot be read
 * forbids everything until it can. Returns undefined when it may be read.
 */
export type RobotsRule = (url: string, signal?: AbortSignal) => Promise<Refusal | undefined>
/** One sentence for the operator, and whether no connection to the host came about. */
type Refusal = { problem: string; unreachable?: boolean }

const isAllowed = defineTask<typeof import('./robots.task.ts').isAllowed>(import.meta.url, './robots.task', 'isAllowed')
const ruleByClient = new WeakMap<SafeFetch['get'], RobotsRule>()

/** The rule of one HTTP client, which remembers what it read of every host. */
export function robotsRuleOf(tools: Tools): RobotsRule {
  const rule = ruleByClient.get(tools.get) ?? createRobotsRule(tools)
  ruleByClient.set(tools.get, rule)
  return rule
}

export function createRobotsRule({ get, isolation }: Tools, now: () => number = Date.now): RobotsRule {
  const hosts = new LRUCache<string, Rules>({
    max: MAX_HOSTS,
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ bytes }) => ENTRY_BYTES + (bytes?.length ?? 0),
  })
  const inFlight = new Map<string, Promise<Rules>>()

  async function rulesOf(origin: string, signal?: AbortSignal): Promise<Rules> {
    const known = hosts.get(origin)
    if (known && known.until > now()) return known
    const running = inFlight.get(origin)
    if (running) return running
    const request = fetchRules(get, origin, now, signal).finally(() => inFlight.delete(origin))
    inFlight.set(origin, request)
    const rules = await request
    hosts.set(origin, rules)
    return rules
  }

  return async (url, signal) => {
    const { origin } = new URL(url)
    const robotsUrl = `${origin}/robots.txt`
    const { bytes, unreadable } = await rulesOf(origin, signal)
    if (unreadable) return { problem: `${robotsUrl} could not be read, so nothing of ${origin} is.`, ...unreadable }
    if (!bytes) return undefined
    try {
      const allowed = await isolation.run(
        isAllowed,
        { robotsUrl, bytes, url, robot: ROBOT_NAME },
        { ...READ_LIMITS, signal },
      )
      return allowed ? undefined : { problem: `${robotsUrl} asks robots not to read ${url}.` }
    } catch (error) {
      if (!(error instanceof LimitExceededError)) throw error
      return { problem: `${robotsUrl} was not read (${error.message}), so nothing of ${origin} is.` }
    }
  }
}

async function fetchRules(
  get: SafeFetch['get'],
  origin: string,
  now: () => number,
  signal?: AbortSignal,
): Promise<Rules> {
  const outcome = await get(`${origin}/robots.txt`, {
    firstBytes: MAX_READ_BYTES + 1,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  const unreadable = { unreachable: isUnreachable(outcome) }
  if (outcome.kind === 'platform') return { until: now() + OUR_FAULT_MS, unreadable }
  // A refusal of the file is "unavailable": everything is allowed. A failing server is "unreachable": nothing is.
  if (outcome.kind !== 'answer' || outcome.status >= 500) return { until: now() + UNREADABLE_MS, unreadable }
  if (outcome.status !== 200) return { until: now() + HOLDS_MS }
  return { until: now() + HOLDS_MS, bytes: firstPart(outcome.bytes) }
}

/** The whole lines that a robot has to read: half a rule could forbid everything. */
function firstPart(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_READ_BYTES) return bytes
  const end = Math.max(bytes.lastIndexOf(10, MAX_READ_BYTES - 1), bytes.lastIndexOf(13, MAX_READ_BYTES - 1))
  return bytes.slice(0, end < 0 ? MAX_READ_BYTES : end + 1)
}
