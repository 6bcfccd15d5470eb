import { z } from 'zod'
import { contract } from '../../contract.ts'
import { instant } from '../../parts.ts'
import * as at from './endpoints.ts'

export const listProviders = contract(at.listProviders, {
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
