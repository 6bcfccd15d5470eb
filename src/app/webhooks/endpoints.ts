// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listWebhooks = endpoint('GET', '/v1/webhooks')
export const createWebhook = endpoint('POST', '/v1/webhooks')
export const previewWebhook = endpoint('POST', '/v1/webhook-preview')
export const readWebhook = endpoint('GET', '/v1/webhooks/:webhookId')
export const editWebhook = endpoint('PATCH', '/v1/webhooks/:webhookId')
export const deleteWebhook = endpoint('DELETE', '/v1/webhooks/:webhookId')
export const testWebhook = endpoint('POST', '/v1/webhooks/:webhookId/test')
export const pauseWebhook = endpoint('POST', '/v1/webhooks/:webhookId/pause')
export const resumeWebhook = endpoint('POST', '/v1/webhooks/:webhookId/resume')
export const revealSecret = endpoint('POST', '/v1/webhooks/:webhookId/secret/reveal')
export const rotateSecret = endpoint('POST', '/v1/webhooks/:webhookId/secret/rotate')
export const checkWebhookRequest = endpoint('POST', '/v1/webhooks/:webhookId/check-request')
