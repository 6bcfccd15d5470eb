import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

const MAX_RETRIES = 2

/** A refusal says the same thing when it is asked again; anything else may pass. */
const mayPass = (error: Error): boolean => !(error instanceof ApiError) || error.status >= 500

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: (count, error) => count < MAX_RETRIES && mayPass(error), staleTime: 15_000 },
      mutations: { retry: false },
    },
  })
