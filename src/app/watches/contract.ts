import { z } from 'zod'
import { FREQUENCIES, watchBody, watchPatch } from '../../watches/schema.ts'
import { contract } from '../contract.ts'
import { instant } from '../parts.ts'

const watch = z.object({
  watchId: z.string(),
  provider: z.string().nullable(),
  providerName: z.string().nullable(),
  resource: z.string().nullable().describe('the name that the model has now'),
  document: z.string().nullable(),
  title: z.string().nullable().describe('of the document'),
  group: z.object({ id: z.string(), name: z.string(), deleted: z.boolean() }).nullable(),
  frequency: z.enum(FREQUENCIES),
  minChange: z.number().describe('per cent: smaller price changes are not mailed'),
  pausedAt: instant.nullable(),
  createdAt: instant,
})

export const listWatches = contract('GET', '/v1/account/watches', {
  access: 'session',
  answer: z.object({
    mails: z.enum(['yes', 'no_mail_server', 'no_public_url']).describe('whether mails can be sent, or why not'),
    watches: z.array(watch),
  }),
  status: 200,
})

export const createWatch = contract('POST', '/v1/account/watches', {
  access: 'session',
  body: watchBody,
  answer: z.object({ watch }),
  status: 201,
})

export const editWatch = contract('PATCH', '/v1/account/watches/:watchId', {
  access: 'session',
  body: watchPatch,
  answer: z.object({ watch }),
  status: 200,
})

export const deleteWatch = contract('DELETE', '/v1/account/watches/:watchId', {
  access: 'session',
  status: 204,
})
