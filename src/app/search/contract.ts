import { z } from 'zod'
import { contract } from '../contract.ts'

/** Finds what can be opened by its name: of the catalogue, and webhooks of one's own workspaces. */
export const search = contract('GET', '/v1/search', {
  access: 'reader',
  query: z.strictObject({
    q: z.string().trim().min(1, 'type something').max(200, 'at most 200 characters'),
    after: z.string().max(2_000).optional().describe('`next` of the answer before: more resources'),
  }),
  answer: z.object({
    providers: z.array(z.object({ provider: z.string(), name: z.string() })),
    resources: z.array(z.object({ provider: z.string(), resource: z.string() })),
    documents: z.array(z.object({ provider: z.string(), document: z.string(), title: z.string() })),
    webhooks: z.array(
      z.object({ webhookId: z.string(), name: z.string(), workspaceId: z.string(), workspace: z.string() }),
    ),
    next: z.string().nullable(),
  }),
  status: 200,
})
