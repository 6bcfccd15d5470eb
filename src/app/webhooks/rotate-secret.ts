import * as webhooks from '../../webhooks/manage/rotate-secret.ts'
import { rotateSecret } from '../contracts/webhooks.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

/** POST /v1/webhooks/{webhookId}/secret/rotate: a new secret; the one before it signs for 24 hours too. */
export const rotateSecretRoute = route(
  rotateSecret,
  async ({ tools, actor, params }) => webhooks.rotateSecret(tools.sql, tools.secretKey, refOf(actor, params)),
  ofWebhook,
)
