import type { Sql } from '../../lib/sql.ts'
import type { SignedIn } from './session-schema.ts'
import { findSession } from './session-store.ts'

/** The form of a token of ours: anything else is not a session, and not looked up in the database. */
const TOKEN = /^[\w-]{43}$/

/** Returns the user of this token; undefined when the session has ended or never was. */
export const findSignedIn = async (sql: Sql, token: string): Promise<SignedIn | undefined> =>
  TOKEN.test(token) ? findSession(sql, token) : undefined
