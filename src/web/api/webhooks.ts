import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as choices from '../../app/choices/endpoints.ts'
import type { AnswerOf, BodyOf } from '../../app/contracts.ts'
import * as deliveries from '../../app/deliveries/endpoints.ts'
import * as webhooks from '../../app/webhooks/endpoints.ts'
import { call } from './connection/client.ts'

export type Webhook = AnswerOf<typeof webhooks.readWebhook>['webhook']
export type ExplainedDelivery = AnswerOf<typeof deliveries.readDelivery>
export type Delivery = AnswerOf<typeof deliveries.listDeliveries>['deliveries'][number]
/** What narrows the log of a webhook. */
export type DeliveryFilter = {
  search?: string
  status?: 'pending' | 'succeeded' | 'failed' | 'notSent'
  type?: string
  since?: string
}
export type WebhookStatistics = AnswerOf<typeof deliveries.readStatistics>['webhooks'][number]
export type Attempt = Delivery['attempts'][number]
export type CheckResult = AnswerOf<typeof webhooks.checkWebhookRequest>
export type RetryStep = ExplainedDelivery['schedule'][number]
export type Choices = AnswerOf<typeof choices.listChoices>
export type WebhookBody = BodyOf<typeof webhooks.createWebhook>
type WebhookPatch = BodyOf<typeof webhooks.editWebhook>
export type SubscriptionBody = BodyOf<typeof webhooks.previewWebhook>

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
    queryFn: () => call(webhooks.listWebhooks, { query: { workspace } }),
    refetchInterval: LIVE_MS,
  })
export const webhookQuery = (webhookId: string) =>
  queryOptions({
    queryKey: ['webhook', webhookId],
    queryFn: () => call(webhooks.readWebhook, { params: { webhookId } }),
    refetchInterval: LIVE_MS,
  })
export const deliveriesQuery = (webhookId: string, filter: DeliveryFilter = {}) =>
  queryOptions({
    queryKey: ['webhook', webhookId, 'deliveries', filter],
    queryFn: () =>
      call(deliveries.listDeliveries, {
        params: { webhookId },
        query: filter as never,
      }),
    refetchInterval: filter.search === undefined ? LIVE_MS : SEARCHED_MS,
    // Rows of another webhook would have its links.
    placeholderData: (before, query) => (query?.queryKey[1] === webhookId ? before : undefined),
  })
export const statisticsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['webhook-statistics', workspace],
    queryFn: () => call(deliveries.readStatistics, { query: { workspace } }),
    refetchInterval: STATISTICS_MS,
  })
export const deliveryQuery = (webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhook', webhookId, 'deliveries', deliveryId],
    queryFn: () =>
      call(deliveries.readDelivery, {
        params: { webhookId, deliveryId },
        query: {},
      }),
    refetchInterval: LIVE_MS,
  })

export const olderAttempts = (webhookId: string, deliveryId: string, attemptsBefore: string) =>
  call(deliveries.readDelivery, {
    params: { webhookId, deliveryId },
    query: { attemptsBefore },
  })

export const choicesQuery = queryOptions({
  queryKey: ['choices'],
  queryFn: () => call(choices.listChoices, {}),
  staleTime: CATALOGUE_MS,
})
export const eventExamplesQuery = queryOptions({
  queryKey: ['choices', 'events'],
  queryFn: () => call(choices.listEventExamples, {}),
  staleTime: CATALOGUE_MS,
})
export const resourcesQuery = (search: string, providers?: string[]) =>
  queryOptions({
    queryKey: ['choices', 'resources', search, providers],
    queryFn: () =>
      call(choices.findResources, {
        query: { search, ...(providers && { providers: providers.join(',') }) },
      }),
    staleTime: CATALOGUE_MS,
    placeholderData: keepPreviousData,
  })
export const previewQuery = (body: SubscriptionBody) =>
  queryOptions({
    queryKey: ['webhook-preview', body],
    queryFn: () => call(webhooks.previewWebhook, { body }),
    placeholderData: keepPreviousData,
    enabled: body.eventTypes.length > 0 && body.providers.length > 0,
  })

const of = (webhookId: string) => ({ params: { webhookId } })
export const createWebhook = (workspace: string, body: WebhookBody) =>
  call(webhooks.createWebhook, { query: { workspace }, body })
export const editWebhook = (webhookId: string, body: WebhookPatch) =>
  call(webhooks.editWebhook, { ...of(webhookId), body })
export const deleteWebhook = (webhookId: string) => call(webhooks.deleteWebhook, of(webhookId))
export const testWebhook = (webhookId: string) => call(webhooks.testWebhook, of(webhookId))
export const pauseWebhook = (webhookId: string) => call(webhooks.pauseWebhook, of(webhookId))
export const resumeWebhook = (webhookId: string, resend: boolean) =>
  call(webhooks.resumeWebhook, {
    ...of(webhookId),
    query: resend ? { resend: 'paused' as const } : {},
  })
type RevealedSecret = AnswerOf<typeof webhooks.revealSecret>
/** The secret, read when someone asks for it in one place, and forgotten with that. */
export const secretQuery = (webhookId: string, place: 'card' | 'command') => ({
  queryKey: ['webhook', webhookId, 'secret', place],
  queryFn: (): Promise<RevealedSecret | null> => call(webhooks.revealSecret, of(webhookId)),
  enabled: false,
  gcTime: 0,
})
export const rotateSecret = (webhookId: string) => call(webhooks.rotateSecret, of(webhookId))
export const checkRequest = (webhookId: string, body: { headers: string; body: string; secret?: string }) =>
  call(webhooks.checkWebhookRequest, {
    ...of(webhookId),
    body,
  })
export const resendDelivery = (webhookId: string, deliveryId: string) =>
  call(deliveries.resendDelivery, {
    params: { webhookId, deliveryId },
  })
export const resendFailed = (webhookId: string, filter: DeliveryFilter) =>
  call(deliveries.resendFailed, {
    params: { webhookId },
    body: filter as never,
  })
