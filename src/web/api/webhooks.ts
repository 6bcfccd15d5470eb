import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Answer } from '../../app/contract.ts'
import type * as choices from '../../app/contracts/choices.ts'
import type * as deliveries from '../../app/contracts/deliveries.ts'
import type * as webhooks from '../../app/contracts/webhooks.ts'
import { call } from './connection/client.ts'

export type Webhook = Answer<typeof webhooks.readWebhook>['webhook']
export type ExplainedDelivery = Answer<typeof deliveries.readDelivery>
export type Delivery = Answer<typeof deliveries.listDeliveries>['deliveries'][number]
/** What narrows the log of a webhook. */
export type DeliveryFilter = {
  search?: string
  status?: 'pending' | 'succeeded' | 'failed' | 'notSent'
  type?: string
  since?: string
}
export type WebhookStatistics = Answer<typeof deliveries.readStatistics>['webhooks'][number]
export type Attempt = Delivery['attempts'][number]
export type CheckResult = Answer<typeof webhooks.checkWebhookRequest>
export type RetryStep = ExplainedDelivery['schedule'][number]
export type Choices = Answer<typeof choices.listChoices>
export type WebhookBody = z.input<typeof webhooks.createWebhook.body>
type WebhookPatch = z.input<typeof webhooks.editWebhook.body>
export type SubscriptionBody = z.input<typeof webhooks.previewWebhook.body>

/** How often a log that is open is read again. */
const LIVE_MS = 5_000
/** A search reads the texts of a month. */
const SEARCHED_MS = 30_000
/** Statistics count the deliveries of a month. */
const STATISTICS_MS = 60_000
const CATALOGUE_MS = 5 * 60_000

export const webhooksQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['webhooks', workspace],
    queryFn: () => call<typeof webhooks.listWebhooks>('GET', '/v1/webhooks', { query: { workspace } }),
    refetchInterval: LIVE_MS,
  })
export const webhookQuery = (webhookId: string) =>
  queryOptions({
    queryKey: ['webhook', webhookId],
    queryFn: () => call<typeof webhooks.readWebhook>('GET', '/v1/webhooks/:webhookId', { params: { webhookId } }),
    refetchInterval: LIVE_MS,
  })
export const deliveriesQuery = (webhookId: string, filter: DeliveryFilter = {}) =>
  queryOptions({
    queryKey: ['webhook', webhookId, 'deliveries', filter],
    queryFn: () =>
      call<typeof deliveries.listDeliveries>('GET', '/v1/webhooks/:webhookId/deliveries', {
        params: { webhookId },
        query: filter as never,
      }),
    refetchInterval: filter.search === undefined ? LIVE_MS : SEARCHED_MS,
    placeholderData: keepPreviousData,
  })
export const statisticsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['webhook-statistics', workspace],
    queryFn: () => call<typeof deliveries.readStatistics>('GET', '/v1/webhook-statistics', { query: { workspace } }),
    refetchInterval: STATISTICS_MS,
  })
export const deliveryQuery = (webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhook', webhookId, 'deliveries', deliveryId],
    queryFn: () =>
      call<typeof deliveries.readDelivery>('GET', '/v1/webhooks/:webhookId/deliveries/:deliveryId', {
        params: { webhookId, deliveryId },
        query: {},
      }),
    refetchInterval: LIVE_MS,
  })

export const olderAttempts = (webhookId: string, deliveryId: string, attemptsBefore: string) =>
  call<typeof deliveries.readDelivery>('GET', '/v1/webhooks/:webhookId/deliveries/:deliveryId', {
    params: { webhookId, deliveryId },
    query: { attemptsBefore },
  })

export const choicesQuery = queryOptions({
  queryKey: ['choices'],
  queryFn: () => call<typeof choices.listChoices>('GET', '/v1/choices', {}),
  staleTime: CATALOGUE_MS,
})
export const eventExamplesQuery = queryOptions({
  queryKey: ['choices', 'events'],
  queryFn: () => call<typeof choices.listEventExamples>('GET', '/v1/choices/events', {}),
  staleTime: CATALOGUE_MS,
})
export const resourcesQuery = (search: string, providers?: string[]) =>
  queryOptions({
    queryKey: ['choices', 'resources', search, providers],
    queryFn: () =>
      call<typeof choices.findResources>('GET', '/v1/choices/resources', {
        query: { search, ...(providers && { providers: providers.join(',') }) },
      }),
    staleTime: CATALOGUE_MS,
    placeholderData: keepPreviousData,
  })
export const previewQuery = (body: SubscriptionBody) =>
  queryOptions({
    queryKey: ['webhook-preview', body],
    queryFn: () => call<typeof webhooks.previewWebhook>('POST', '/v1/webhook-preview', { body }),
    placeholderData: keepPreviousData,
    enabled: body.eventTypes.length > 0 && body.providers.length > 0,
  })

const of = (webhookId: string) => ({ params: { webhookId } })
export const createWebhook = (workspace: string, body: WebhookBody) =>
  call<typeof webhooks.createWebhook>('POST', '/v1/webhooks', { query: { workspace }, body })
export const editWebhook = (webhookId: string, body: WebhookPatch) =>
  call<typeof webhooks.editWebhook>('PATCH', '/v1/webhooks/:webhookId', { ...of(webhookId), body })
export const deleteWebhook = (webhookId: string) =>
  call<typeof webhooks.deleteWebhook>('DELETE', '/v1/webhooks/:webhookId', of(webhookId))
export const testWebhook = (webhookId: string) =>
  call<typeof webhooks.testWebhook>('POST', '/v1/webhooks/:webhookId/test', of(webhookId))
export const pauseWebhook = (webhookId: string) =>
  call<typeof webhooks.pauseWebhook>('POST', '/v1/webhooks/:webhookId/pause', of(webhookId))
export const resumeWebhook = (webhookId: string, resend: boolean) =>
  call<typeof webhooks.resumeWebhook>('POST', '/v1/webhooks/:webhookId/resume', {
    ...of(webhookId),
    query: resend ? { resend: 'paused' as const } : {},
  })
type Revealed = Answer<typeof webhooks.revealSecret>
/** The secret, read when someone asks for it in one place, and forgotten with that. */
export const secretQuery = (webhookId: string, place: 'card' | 'command') => ({
  queryKey: ['webhook', webhookId, 'secret', place],
  queryFn: (): Promise<Revealed | null> =>
    call<typeof webhooks.revealSecret>('POST', '/v1/webhooks/:webhookId/secret/reveal', of(webhookId)),
  enabled: false,
  gcTime: 0,
})
export const rotateSecret = (webhookId: string) =>
  call<typeof webhooks.rotateSecret>('POST', '/v1/webhooks/:webhookId/secret/rotate', of(webhookId))
export const checkRequest = (webhookId: string, body: { headers: string; body: string; secret?: string }) =>
  call<typeof webhooks.checkWebhookRequest>('POST', '/v1/webhooks/:webhookId/check-request', {
    ...of(webhookId),
    body,
  })
export const resendDelivery = (webhookId: string, deliveryId: string) =>
  call<typeof deliveries.resendDelivery>('POST', '/v1/webhooks/:webhookId/deliveries/:deliveryId/resend', {
    params: { webhookId, deliveryId },
  })
export const resendFailed = (webhookId: string, filter: DeliveryFilter) =>
  call<typeof deliveries.resendFailed>('POST', '/v1/webhooks/:webhookId/resend-failed', {
    params: { webhookId },
    body: filter as never,
  })
