import { randomUUID } from 'node:crypto'
import type { Context } from '../src/context.ts'
import type { Config } from '../src/lib/config.ts'
import type { Instant } from '../src/lib/instant.ts'
import type { SafeFetch } from '../src/lib/safe-fetch/safe-fetch.ts'
import { mailChannel, type NoticeChannel, notifyOperators } from '../src/review/notify-operators.ts'
import { signedHeaders } from '../src/webhooks/attempts/signing.ts'

/** What a check does about items that wait too long for a person. */
export function operatorActivities(ctx: Context, { post }: { post: SafeFetch['post'] }) {
  const { config } = ctx
  const channels = [
    ...(config.operatorWebhook ? [webhookChannel(config.operatorWebhook, post)] : []),
    ...config.operatorEmails.map(mailChannel),
  ]
  return {
    /**
     * Notifies operators of what has waited for them for a day. Returns how many items.
     * @throws Error saying which notices did not arrive: they are sent again at the next attempt
     */
    async notifyOperators({ now }: { now: Instant }): Promise<number> {
      const { notified, problems } = await notifyOperators({ ...ctx, channels }, now)
      if (problems.length > 0) throw new Error(problems.join(' '))
      return notified
    },
  }
}

/** Signs notices as every delivery is signed. */
export function webhookChannel(
  { url, secret }: NonNullable<Config['operatorWebhook']>,
  post: SafeFetch['post'],
): NoticeChannel {
  return {
    name: 'webhook',
    async send(notice) {
      const body = JSON.stringify(notice)
      const headers = signedHeaders({ id: `ops_${randomUUID()}`, secrets: [secret], at: Date.now(), body })
      const outcome = await post(url, { headers, body })
      if (outcome.kind !== 'answer') throw new Error(outcome.message)
      if (outcome.status >= 300) throw new Error(`it answered ${outcome.status}.`)
    },
  }
}
