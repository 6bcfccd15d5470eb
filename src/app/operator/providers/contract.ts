import { z } from 'zod'
import { contract } from '../../contract.ts'
import { instant } from '../../parts.ts'

export const listProviders = contract('GET', '/v1/operator/providers', {
  access: 'operator',
  answer: z.object({
    providers: z.array(
      z.object({
        provider: z.string(),
        name: z.string(),
        status: z.enum(['active', 'pending', 'retired']),
        since: instant,
        freshness: z.enum(['fresh', 'stale', 'unknown']),
        lastCheckedAt: instant.nullable(),
        sources: z.array(z.string()),
        resources: z.int(),
      }),
    ),
  }),
  status: 200,
})
