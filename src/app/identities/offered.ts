import type { IdentityProvider } from '../../accounts/identities/provider.ts'
import { AppError } from '../../lib/errors.ts'
import type { AppTools } from '../tools.ts'

/** Returns the identity provider. @throws AppError forbidden where none is set */
export function providerOf({ provider }: AppTools): IdentityProvider {
  if (provider) return provider
  throw new AppError('forbidden', 'This service has no identity provider. Sign in with your password.')
}

/** Returns what people know of the identity provider; null where none is set. */
export function shownProvider({ provider }: AppTools): { name: string; only: boolean } | null {
  if (!provider) return null
  const { name, only } = provider.settings
  return { name, only }
}

/** @throws AppError forbidden where people sign in with the identity provider alone */
export function refuseIfProviderOnly({ provider }: AppTools): void {
  if (!provider?.settings.only) return
  throw new AppError('forbidden', `Passwords are not used here. Sign in with ${provider.settings.name}.`)
}
