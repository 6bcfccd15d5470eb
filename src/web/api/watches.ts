import { queryOptions } from '@tanstack/react-query'
import type { Answer } from '../../app/contract.ts'
import type * as watches from '../../app/contracts/watches.ts'
import { call } from './connection/client.ts'

export type Watches = Answer<typeof watches.listWatches>
export type Watch = Watches['watches'][number]
export type Frequency = Watch['frequency']
type Subject = { provider?: string; resource?: string; document?: string; group?: string }
type Settings = { frequency?: Frequency; minChange?: number; paused?: boolean }

export const watchesQuery = queryOptions({
  queryKey: ['watches'],
  queryFn: () => call<typeof watches.listWatches>('GET', '/v1/account/watches', {}),
})

export const createWatch = (body: Subject & { frequency: Frequency; minChange: number }) =>
  call<typeof watches.createWatch>('POST', '/v1/account/watches', { body })
export const editWatch = (watchId: string, body: Settings) =>
  call<typeof watches.editWatch>('PATCH', '/v1/account/watches/:watchId', { params: { watchId }, body })
export const deleteWatch = (watchId: string) =>
  call<typeof watches.deleteWatch>('DELETE', '/v1/account/watches/:watchId', { params: { watchId } })
