import * as off from '../../accounts/second-factor/turn-off.ts'
import * as factor from '../../accounts/second-factor/turn-on.ts'
import { AppError } from '../../lib/errors.ts'
import { beginTotp, confirmTotp, readTotp, turnTotpOff } from '../contracts/second-factor.ts'
import { route } from '../route.ts'

/** GET /v1/account/totp: whether codes of an authenticator app are asked for. */
export const readTotpRoute = route(readTotp, async ({ tools, actor }) => ({
  offered: tools.offersTotp,
  on: (await factor.readTotp(tools.sql, actor.accountId)) ?? null,
}))

/** POST /v1/account/totp: makes a secret for an authenticator app. */
export const beginTotpRoute = route(beginTotp, async ({ tools, actor, body }) => {
  if (!tools.offersTotp) throw new AppError('forbidden', 'Codes of an authenticator app are not offered here.')
  return factor.beginTotp(tools.sql, tools, actor, body.currentPassword)
})

/** POST /v1/account/totp/confirm: asks for codes from now on. */
export const confirmTotpRoute = route(confirmTotp, async ({ tools, actor, body }) => ({
  recoveryCodes: await factor.confirmTotp(tools.sql, tools.mail, tools, { ...actor, ...body }),
}))

/** DELETE /v1/account/totp: asks for codes no more. */
export const turnTotpOffRoute = route(turnTotpOff, ({ tools, actor, body }) =>
  off.turnTotpOff(tools.sql, tools.mail, tools, actor, body),
)
