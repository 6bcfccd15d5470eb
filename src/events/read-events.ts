import type { Sql } from '../lib/sql.ts'
import { eventBodies } from './store.ts'

/** Returns the body of every recorded event, in commit order, as it was or will be sent. */
export const readEvents = (sql: Sql): AsyncGenerator<string> => eventBodies(sql)
