import { AsyncLocalStorage } from 'node:async_hooks'
import type { Requester } from './schema.ts'

const current = new AsyncLocalStorage<Requester>()

/** Runs `work` for the sender of a request: what it records names them and their address. */
export const asRequester = <T>(requester: Requester, work: () => T): T => current.run(requester, work)

/** Returns the sender of the request that is being handled; no one in a command or a workflow. */
export const requesterNow = (): Requester => current.getStore() ?? {}
