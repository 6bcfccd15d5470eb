import type { TestProject } from 'vitest/node'
import { PLANNED_ONCE, startTestPostgres } from '../servers/postgres.ts'
import { shareServers } from '../servers/shared-servers.ts'
import { prerequisites } from './prerequisites.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Server URL without a database, e.g. postgres://postgres:…@127.0.0.1:5555 */
    postgres: string
    /** Where test/support/servers/temporal.ts asks for the suite's shared Temporal server and workflow bundle. */
    shared: string
  }
}

export default async function setup(project: TestProject) {
  await prerequisites()
  const postgres = await startTestPostgres([PLANNED_ONCE])
  const shared = await shareServers()
  project.provide('postgres', postgres.url)
  project.provide('shared', shared.url)
  return async () => {
    await shared.stop()
    await postgres.stop()
  }
}
