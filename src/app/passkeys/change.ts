import * as passkeys from '../../accounts/passkeys/change-passkeys.ts'
import { removePasskey, renamePasskey } from '../contracts/passkeys.ts'
import { route } from '../route.ts'

/** PATCH /v1/account/passkeys/{passkeyId}: another name. */
export const renamePasskeyRoute = route(renamePasskey, async ({ tools, actor: { accountId }, params, body }) => ({
  name: await passkeys.renamePasskey(tools.sql, { accountId, passkeyId: params.passkeyId }, body),
}))

/** DELETE /v1/account/passkeys/{passkeyId}: it signs no one in from then on. */
export const removePasskeyRoute = route(removePasskey, ({ tools, actor, params: { passkeyId }, body }) =>
  passkeys.removePasskey(tools.sql, tools.mail, actor, { passkeyId, currentPassword: body.currentPassword }),
)
