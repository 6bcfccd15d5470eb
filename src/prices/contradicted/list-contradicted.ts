import type { Sql } from '../../lib/sql.ts'
import { servedContradictions } from './contradicted-store.ts'
import type { ServedContradiction } from './schema.ts'

/** Returns the served prices that other sources contradict, those contradicted longest first. */
export const listContradicted = (sql: Sql): Promise<ServedContradiction[]> => servedContradictions(sql)
