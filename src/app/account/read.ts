import { readAccount } from '../contracts/account.ts'
import { route } from '../route.ts'
import { readSignedIn } from './signed-in.ts'

/** GET /v1/account: who is signed in, and the workspaces they belong to. */
export const readAccountRoute = route(readAccount, async ({ tools, actor }) => readSignedIn(tools.sql, actor))
