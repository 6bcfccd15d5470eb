import type { RelyingParty } from '../../accounts/passkeys/relying-party-rules.ts'
import { AppError } from '../../lib/errors.ts'
import type { AppTools } from '../tools.ts'

/** Returns the host name at which passkeys work; null where they are not offered. */
export const passkeyHost = ({ passkeys }: AppTools): string | null =>
  passkeys.offered === 'yes' ? passkeys.party.id : null

/** Returns the service as passkeys know it. @throws AppError forbidden where they are not offered */
export function partyOf({ passkeys }: AppTools): RelyingParty {
  if (passkeys.offered === 'yes') return passkeys.party
  throw new AppError('forbidden', 'Passkeys are not offered here. Sign in with your password.')
}
