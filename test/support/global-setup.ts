import type { TestProject } from 'vitest/node'
import { startTestPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Server URL without a database, e.g. postgres://postgres:…@127.0.0.1:5555 */
    postgres: string
  }
}

export default async function setup(project: TestProject) {
  const postgres = await startTestPostgres()
  project.provide('postgres', postgres.url)
  return postgres.stop
}
