import robotsModule from 'robots-parser'
import { DAY, HOUR, MINUTE } from '../../lib/instant.ts'
import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'

// The package exports its function itself; its types say that it is the default of what it exports.
const robotsParser = robotsModule as unknown as typeof robotsModule.default

/** The name that robots.txt files call us by; the first word of the user agent. */
const ROBOT_NAME = 'pricetape'
/** RFC 9309: at most 500 KiB are read, and an answer holds for at most a day. */
const MAX_BYTES = 500 * 1024
const HOLDS_MS = DAY
/** A host whose robots.txt cannot be read is asked for it again this soon. */
const UNREADABLE_MS = HOUR
/** A fault of ours says nothing about the host: asked again in the next check. */
const OUR_FAULT_MS = 2 * MINUTE
const TIMEOUT_MS = 15_000
/** Hosts remembered; the oldest go. */
const MAX_HOSTS = 1_000

type Rules = { until: number; robot?: ReturnType<typeof robotsParser>; unreadable?: boolean }

/**
 * Whether the owner of a page lets robots read it (RFC 9309). No robots.txt allows everything; one that cannot be read
 * forbids everything until it can. Answers undefined when it may be read, else one sentence for the operator.
 */
export type RobotsRule = (url: string, signal?: AbortSignal) => Promise<string | undefined>

const rules = new WeakMap<SafeFetch['get'], RobotsRule>()

/** The rule of one way out, which remembers what it read of every host. */
export function robotsRuleOf(get: SafeFetch['get']): RobotsRule {
  const rule = rules.get(get) ?? createRobotsRule(get)
  rules.set(get, rule)
  return rule
}

export function createRobotsRule(get: SafeFetch['get'], now: () => number = Date.now): RobotsRule {
  const hosts = new Map<string, Promise<Rules>>()
  return async (url, signal) => {
    const { origin } = new URL(url)
    let rules = await hosts.get(origin)
    if (!rules || rules.until <= now()) {
      const asking = ask(get, origin, now, signal)
      hosts.set(origin, asking)
      rules = await asking
      if (hosts.size > MAX_HOSTS) hosts.delete(hosts.keys().next().value!)
    }
    if (rules.unreadable) return `${origin}/robots.txt could not be read, so nothing of ${origin} is`
    if (rules.robot?.isAllowed(url, ROBOT_NAME) === false) return `${origin}/robots.txt asks robots not to read ${url}`
    return undefined
  }
}

async function ask(get: SafeFetch['get'], origin: string, now: () => number, signal?: AbortSignal): Promise<Rules> {
  const url = `${origin}/robots.txt`
  const outcome = await get(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal })
  if (outcome.kind === 'platform') return { until: now() + OUR_FAULT_MS, unreadable: true }
  // A refusal of the file is "unavailable": everything is allowed. A failing server is "unreachable": nothing is.
  if (outcome.kind !== 'answer' || outcome.status >= 500) return { until: now() + UNREADABLE_MS, unreadable: true }
  if (outcome.status !== 200) return { until: now() + HOLDS_MS }
  return { until: now() + HOLDS_MS, robot: robotsParser(url, Buffer.from(outcome.bytes).toString('utf8')) }
}
