import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../../app/contracts.ts'
import * as watches from '../../app/watches/endpoints.ts'
import { call } from './connection/client.ts'

export type Watches = AnswerOf<typeof watches.listWatches>
export type Watch = Watches['watches'][number]
export type Frequency = Watch['frequency']
type Subject = { provider?: string; resource?: string; document?: string; group?: string }
type Settings = { frequency?: Frequency; minChange?: number; paused?: boolean }

export const watchesQuery = queryOptions({
  queryKey: ['watches'],
  queryFn: () => call(watches.listWatches, {}),
})

export const createWatch = (body: Subject & { frequency: Frequency; minChange: number }) =>
  call(watches.createWatch, { body })
export const editWatch = (watchId: string, body: Settings) => call(watches.editWatch, { params: { watchId }, body })
export const deleteWatch = (watchId: string) => call(watches.deleteWatch, { params: { watchId } })
