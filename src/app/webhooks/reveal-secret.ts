import * as webhooks from '../../webhooks/subscriptions/reveal-secret.ts'
import { revealSecret } from '../contracts/webhooks.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

/** POST /v1/webhooks/{webhookId}/secret/reveal: the secret that receivers verify with. */
export const revealSecretRoute = route(
  revealSecret,
  async ({ tools, actor, params }) => webhooks.revealSecret(tools.sql, tools.secretKey, refOf(actor, params)),
  ofWebhook,
)
