import { turnTotpOff } from '../../accounts/second-factor/turn-off.ts'
import { beginTotp, confirmTotp, readTotp } from '../../accounts/second-factor/turn-on.ts'
import { AppError } from '../../lib/errors.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

export const secondFactorRoutes: AppRoute[] = [
  /** GET /v1/account/totp: whether codes of an authenticator app are asked for. */
  route(contracts.readTotp, async ({ tools, actor }) => ({
    offered: tools.offersTotp,
    on: (await readTotp(tools.sql, actor.accountId)) ?? null,
  })),

  /** POST /v1/account/totp: makes a secret for an authenticator app. */
  route(contracts.beginTotp, async ({ tools, actor, body }) => {
    if (!tools.offersTotp) throw new AppError('forbidden', 'Codes of an authenticator app are not offered here.')
    return beginTotp(tools.sql, tools, actor, body.currentPassword)
  }),

  /** POST /v1/account/totp/confirm: asks for codes from now on. */
  route(contracts.confirmTotp, async ({ tools, actor, body }) => ({
    recoveryCodes: await confirmTotp(tools.sql, tools.mail, tools, { ...actor, ...body }),
  })),

  /** DELETE /v1/account/totp: asks for codes no more. */
  route(contracts.turnTotpOff, ({ tools, actor, body }) => turnTotpOff(tools.sql, tools.mail, tools, actor, body)),
]
