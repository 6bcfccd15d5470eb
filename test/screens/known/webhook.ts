import type { Webhook } from '../../../src/web/api/webhooks.ts'
import { hoursAgo } from './known.ts'

/** A webhook of the first workspace that works. */
export const webhook = (more: Partial<Webhook> = {}): Webhook => ({
  id: 'h1',
  workspaceId: 'w1',
  name: 'Orders',
  url: 'https://hooks.example.com/',
  state: 'active',
  failuresInRow: 0,
  createdAt: hoursAgo(96),
  updatedAt: hoursAgo(48),
  eventTypes: ['price.changed'],
  providers: ['acme'],
  filters: {},
  aliases: [],
  minSignificance: 'low',
  minChange: 0,
  ...more,
})
