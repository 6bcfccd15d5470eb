import { randomUUID } from 'node:crypto'
import type { Config } from '../src/lib/config.ts'
import type { SafeFetch } from '../src/lib/safe-fetch/safe-fetch.ts'
import type { ReviewNotice } from '../src/prices/review/notify-operators.ts'
import { signedHeaders } from '../src/webhooks/attempts/signing.ts'

/** What sends notices to the operators' own webhook, signed as every delivery is; undefined where none is set. */
export function operatorWebhook({ operatorWebhook: target }: Pick<Config, 'operatorWebhook'>, post: SafeFetch['post']) {
  if (!target) return undefined
  const { url, secret } = target
  return async (notice: ReviewNotice): Promise<string | undefined> => {
    const body = JSON.stringify(notice)
    const headers = signedHeaders({ id: `ops_${randomUUID()}`, secrets: [secret], at: Date.now(), body })
    const outcome = await post(url, { headers, body })
    if (outcome.kind !== 'answer') return outcome.message
    return outcome.status >= 200 && outcome.status < 300 ? undefined : `it answered ${outcome.status}`
  }
}
