import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../lib/config.ts'
import { OperatorError } from '../lib/errors.ts'
import { SECOND } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import type { FirstStartResult } from './first-start.ts'

/** What a process of an installation does: everything, or one part of it. */
export const ROLES = ['all', 'api', 'worker', 'migrate'] as const
export type Role = (typeof ROLES)[number]

export type RoleContext = { config: Config; log: Log; stop: Promise<unknown> }

/** What a role's process reports to `npm start` once it does its work. */
export type RoleReport = { ready: true; url?: string; bootstrapped?: FirstStartResult }

/**
 * What a role's process reports before it ends. `permanent`: starting it again does not help. `fault`: an operator has to
 * change something. `interrupted`: what it needs was away for a while.
 */
export type RoleRefusal = { refusal: { kind: 'permanent' | 'fault' | 'interrupted'; message: string } }

/** Whether `npm start` runs this process: then it has received its settings, and its report is read. */
export const supervised = (): boolean => process.send !== undefined

export const report = (message: RoleReport): void => void process.send?.(message)

/** Reports why this process ends, and waits until that is sent. */
export const reportRefusal = (refusal: RoleRefusal['refusal']): Promise<void> =>
  new Promise((sent) => process.send!({ refusal } satisfies RoleRefusal, () => sent()))

const RETRY_MS = 200
const QUIET_MS = 10 * SECOND

/**
 * Retries until `work` succeeds or we are asked to stop; says what it waits for when that takes long.
 * @param hopeless whether waiting does not fix a fault, which is then thrown
 */
export async function untilSuccess<T>(
  { log, stop }: RoleContext,
  work: () => Promise<T>,
  hopeless: (error: unknown) => boolean = () => false,
): Promise<T | undefined> {
  const began = Date.now()
  let stopped = false
  let said: string | undefined
  void stop.then(() => {
    stopped = true
  })
  while (!stopped) {
    try {
      return await work()
    } catch (error) {
      if (hopeless(error)) throw error
      const { message } = error as Error
      if (message !== said && Date.now() - began > QUIET_MS) log.warn(`Still waiting: ${message}`)
      if (Date.now() - began > QUIET_MS) said = message
    }
    await Promise.race([sleep(RETRY_MS), stop])
  }
  return undefined
}

/** @throws OperatorError naming what a process that shares its servers with others has to be given. */
export function checkRole({ databaseUrl, temporal, secretKey }: Config, role: Role): void {
  if (role === 'all') return
  const missing = [
    !databaseUrl && 'DATABASE_URL',
    role === 'worker' && !temporal.external && 'TEMPORAL_ADDRESS',
    role !== 'api' && !secretKey && 'PRICETAPE_SECRET_KEY',
  ].filter(Boolean)
  if (missing.length > 0)
    throw new OperatorError(`A process with --role ${role} shares its servers with others: set ${missing.join(', ')}.`)
}
