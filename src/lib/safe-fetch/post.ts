import { SECOND } from '../instant.ts'
import { Deadline } from './deadline.ts'
import type { createConnections } from './dial/connections.ts'
import type { FindTarget, Target } from './dial/target.ts'
import { brokenAnswer, type Exchange, exchange } from './exchange.ts'
import type { JudgeFault } from './judge-fault.ts'
import { type EarlierPost, elapsed, type Fault, type PostOutcome, platform, timed } from './outcome.ts'

/** Over lookup, connection, TLS, headers and body together (specification, Limits). */
export const DELIVERY_TIMEOUT_MS = 5 * SECOND

export type PostRequest = {
  headers: Record<string, string>
  body: string
  /** Whose connections to use; by default the URL's own. */
  endpoint?: string
  /** Stops the request: the outcome is then our fault. */
  signal?: AbortSignal
}
export type PostTools = {
  connections: ReturnType<typeof createConnections>
  findTarget: FindTarget
  judgeFault: JudgeFault
}

/** Sends one signed delivery. Never throws for what the other side did, and never follows a redirect. */
export async function post(tools: PostTools, url: string, request: PostRequest): Promise<PostOutcome> {
  const deadline = new Deadline(DELIVERY_TIMEOUT_MS, request.signal)
  try {
    const target = await Promise.race([tools.findTarget(url, ['https:']), deadline.expired])
    if (target.kind !== 'target') return timed(target, deadline.startedAt)
    return await send(tools, target, { owner: url, ...request }, deadline)
  } catch (error) {
    return platform(`the request could not be made: ${(error as Error).message}`)
  } finally {
    deadline.clear()
  }
}

async function send(
  { connections, judgeFault }: PostTools,
  target: Target,
  request: PostRequest & { owner: string },
  deadline: Deadline,
): Promise<PostOutcome> {
  const owner = request.endpoint ?? request.owner
  let endpoint = connections.find(owner, target)
  let sentAt = performance.now()
  let sent = await exchange(endpoint, target, request, deadline)
  let fault = await judgeFault(sent, target, endpoint)
  const earlierPosts: EarlierPost[] = []
  // A server may close an idle connection at the moment it is used again. Nothing tells that from a refusal, so the
  // request, which its id makes safe to repeat, is sent once more on a new connection, and the log shows both
  // (docs/decisions/deliveries/outbound-connections.md).
  if (fault && isDeadConnection(sent, fault)) {
    const startedAfterMs = Math.round(sentAt - deadline.startedAt)
    earlierPosts.push({ startedAfterMs, durationMs: elapsed(sentAt), message: fault.message })
    endpoint = connections.renew(owner, target)
    sentAt = performance.now()
    sent = await exchange(endpoint, target, request, deadline)
    fault = await judgeFault(sent, target, endpoint)
  }
  return { ...outcomeOf(sent, fault, deadline), ...(earlierPosts.length > 0 && { earlierPosts }) }
}

const isDeadConnection = (sent: Exchange, fault: Fault): boolean =>
  sent.reused && sent.status === undefined && fault.kind === 'failed' && fault.reason === 'connection_closed'

function outcomeOf(sent: Exchange, fault: Fault | undefined, { startedAt }: Deadline): PostOutcome {
  const { status, response = '' } = sent
  if (!fault) return { kind: 'answer', status: status ?? 0, response, durationMs: elapsed(startedAt) }
  if (fault.kind === 'platform' || status === undefined) return timed(fault, startedAt)
  return timed({ ...fault, message: brokenAnswer(sent, fault), status, response }, startedAt)
}
