import { readAccount } from '../contracts/account.ts'
import { route } from '../route.ts'
import { readSignedIn } from './signed-in.ts'

/** GET /v1/account: the signed-in user and their workspaces. */
export const readAccountRoute = route(readAccount, async ({ tools, actor }) => readSignedIn(tools.sql, actor))
