import type { Instant } from '../lib/instant.ts'

/** The names under which the product's workflows are started, signalled and found in the Temporal UI. */
export const CHECKS_QUEUE = 'checks'
export const DELIVERIES_QUEUE = 'deliveries'
/** Where slow sources are collected for the checks of a queue. */
export const collectingQueue = (checks: string): string => `${checks}-collecting`
/** Where many due sources are divided among workers, for the checks of a queue. */
export const sourcesQueue = (checks: string): string => `${checks}-sources`

/** What the workflow of a delivery is called by. */
export type WorkflowName = {
  deliveryId: string
  eventType: string
  /** The workflow id of a delivery that was started under an older naming: it keeps that one. */
  workflowId?: string
}

/** The event type comes first, so that `WorkflowId STARTS_WITH "delivery/price.changed/"` finds them. */
export const deliveryWorkflowId = ({ deliveryId, eventType, workflowId }: WorkflowName): string =>
  workflowId ?? `delivery/${eventType}/${deliveryId}`
export const webhookWorkflowId = (webhookId: string): string => `webhook/${webhookId}`

/** Signals of a `delivery` workflow: a round lets it make one attempt; its row changed and should be read again. */
export const GRANT = 'grant'
export const CHANGED = 'changed'

/** Signals of a `webhook` workflow: what a person, or a failing streak, did to the webhook. */
export const WEBHOOK_CHANGES = ['pause', 'resume', 'resumeAndResend', 'urlChanged', 'deleted'] as const
export type WebhookChange = (typeof WEBHOOK_CHANGES)[number]

/** A run of a `webhook` workflow goes on where the run before stopped: what that one counted, and shows of it. */
export type WebhookInput = {
  webhookId: string
  before?: { passedOn: number; changes: number; newest: string[] }
}

/** One attempt that a round allows. `run` numbers the runs of one attempt that internal errors spoiled. */
export type Grant = { cycle: number; number: number; run: number }
export type AttemptKey = Grant & { deliveryId: string }

export type DeliveryInput = {
  deliveryId: string
  grant?: Grant
  /** Started without a `DeliveryStatus`, and ends without one where its first attempt succeeds. */
  statusless?: true
}

/** What a delivery is now, as its workflow needs to know it: read from Postgres, never from here. */
export type DeliveryState = {
  status: 'pending' | 'succeeded' | 'failed' | 'gone'
  /** Failed without being sent: its webhook was paused when it was due. */
  notSent?: boolean
  /** Attempts that count, in this cycle of six. */
  attempts: number
  dueAt?: Instant
  /** The webhook is paused. */
  paused?: boolean
  /** What the last attempt got, for a person: `HTTP 500 after 132 ms`. */
  last?: { number: number; at: Instant; text: string }
}

export type DeliveryResult = { status: DeliveryStatus; attempts: number; last?: string }

/** Values of the search attribute `DeliveryStatus`: none before the first attempt ends, nor where that succeeds. */
export type DeliveryStatus = 'pending' | 'retrying' | 'succeeded' | 'failed' | 'not_sent' | 'gone'
