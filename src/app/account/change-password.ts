import * as users from '../../accounts/users/change-account.ts'
import { changePassword } from '../contracts/account.ts'
import { route } from '../route.ts'

/** PUT /v1/account/password: another password; every other session ends. */
export const changePasswordRoute = route(
  changePassword,
  async ({ tools, actor, body, device, setSession, remember }) => {
    setSession(await users.changePassword(tools.sql, tools.mail, actor, body, device))
    await remember(actor.accountId)
  },
)
