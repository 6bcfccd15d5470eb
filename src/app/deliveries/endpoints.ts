// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listDeliveries = endpoint('GET', '/v1/webhooks/:webhookId/deliveries')
export const resendFailed = endpoint('POST', '/v1/webhooks/:webhookId/resend-failed')
export const readStatistics = endpoint('GET', '/v1/webhook-statistics')
export const readDelivery = endpoint('GET', '/v1/webhooks/:webhookId/deliveries/:deliveryId')
export const resendDelivery = endpoint('POST', '/v1/webhooks/:webhookId/deliveries/:deliveryId/resend')
