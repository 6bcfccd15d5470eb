import { afterAll, beforeAll } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { DAY, type Instant, instantOf } from '../../src/lib/instant.ts'
import { addOperator } from '../support/accounts.ts'
import { appServer } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { openScreen, type Screen, useScreens } from './screen.tsx'

/** The pages of an installation, as an operator opens them. Call at the top of a file. */
export function operatorScreens() {
  const db = testDatabase()
  useScreens()
  const person = { server: undefined as unknown as Api, session: '' }
  beforeAll(async () => {
    person.server = await appServer(db.sql)
    person.session = (await addOperator(db.sql)).sessionToken
  })
  afterAll(() => person.server.close())
  return { db, open: (path: string) => (): Promise<Screen> => openScreen(person, path) }
}

/** Whole days: what pages show of the day does not depend on the time of day. */
export const daysAgo = (days: number): Instant => instantOf(Date.now() - days * DAY)
