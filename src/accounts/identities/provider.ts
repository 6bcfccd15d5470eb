import * as client from 'openid-client'
import { AppError } from '../../lib/errors.ts'
import { parseUrl } from '../../lib/http/parse-url.ts'
import { MINUTE, SECOND } from '../../lib/instant.ts'
import type { OidcSettings } from '../../lib/oidc-settings.ts'
import { isComplete, namesGroupsElsewhere, readClaims } from './claims-rules.ts'
import { type Handshake, nonceOf, verifierOf } from './handshake-rules.ts'
import type { Claims } from './identity-schema.ts'
import { type ProviderProblem, problemWith, refusalFor } from './provider-errors.ts'
import { type createProviderFetch, PROVIDER_ANSWERS_WITHIN_MS, ProviderSilent } from './provider-fetch.ts'

/** The provider's metadata and keys are read again after this time. */
const METADATA_KEPT_MS = 10 * MINUTE
/** How far the provider's clock may be from ours. */
const CLOCK_TOLERANCE_S = 30
const CALLBACK_PATH = '/sign-in/callback'

type Tools = {
  /** The address of the app, without a slash at its end. */
  origin: string
  fetch: ReturnType<typeof createProviderFetch>
  /** Tells operators why a sign-in failed. */
  warn: (problem: ProviderProblem, what: string) => void
}

/** An identity provider as sign-ins use it. What it does wrong is an AppError with a sentence for the person who waits. */
export type IdentityProvider = {
  settings: OidcSettings
  /** Returns where a browser signs in. @throws AppError identity_unavailable */
  signInUrl(handshake: Handshake): Promise<string>
  /** Returns who signed in. @throws AppError identity_unavailable, identity_refused */
  claimsOf(answer: string, handshake: Handshake): Promise<Claims>
  /** Returns where a browser signs out; undefined where the provider has no such page, or does not answer. */
  signOutUrl(): Promise<string | undefined>
}

export function createIdentityProvider(settings: OidcSettings, { origin, fetch, warn }: Tools): IdentityProvider {
  const { name } = settings
  const redirectUri = origin + CALLBACK_PATH
  const configuration = keptFor(METADATA_KEPT_MS, () => discover(settings, fetch))

  async function asking<T>(what: string, work: (found: client.Configuration) => Promise<T>): Promise<T> {
    try {
      return await work(await configuration())
    } catch (error) {
      if (!(error instanceof AppError)) warn(problemWith(error), what)
      throw refusalFor(error, name)
    }
  }

  return {
    settings,
    signInUrl: (handshake) =>
      asking('a sign-in could not be begun', async (found) => {
        const url = client.buildAuthorizationUrl(found, {
          redirect_uri: redirectUri,
          scope: settings.scopes,
          state: handshake.state,
          nonce: nonceOf(handshake),
          code_challenge: await client.calculatePKCECodeChallenge(verifierOf(handshake)),
          code_challenge_method: 'S256',
        })
        return url.href
      }),
    claimsOf: (answer, handshake) =>
      asking('a sign-in was refused', async (found) => {
        const url = new URL(redirectUri)
        url.search = answer
        const tokens = await client.authorizationCodeGrant(found, url, {
          expectedState: handshake.state,
          expectedNonce: nonceOf(handshake),
          pkceCodeVerifier: verifierOf(handshake),
          idTokenExpected: true,
        })
        const inToken = tokens.claims()!
        const asks = !isComplete(inToken, settings) && found.serverMetadata().userinfo_endpoint !== undefined
        const more = asks ? await client.fetchUserInfo(found, tokens.access_token, inToken.sub) : {}
        return acceptedClaims({ ...more, ...inToken }, settings)
      }),
    signOutUrl: () =>
      asking('no sign-out at the provider', async (found) => {
        if (!isPage(found.serverMetadata().end_session_endpoint, settings)) return undefined
        // Without the token as a hint: it would stand in the address, and the provider asks instead.
        return client.buildEndSessionUrl(found, { post_logout_redirect_uri: `${origin}/sign-in` }).href
      }).catch(() => undefined),
  }
}

async function discover(settings: OidcSettings, fetch: Tools['fetch']): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret } = settings
  const isPlain = issuer.startsWith('http:')
  const found = await client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_S },
    authenticateWith(clientSecret),
    {
      [client.customFetch]: fetch,
      timeout: PROVIDER_ANSWERS_WITHIN_MS / SECOND,
      // Tokens are checked by their signature too, not only by the connection that they came over.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    },
  )
  if (isPage(found.serverMetadata().authorization_endpoint, settings)) return found
  throw new ProviderSilent('it names no https:// page to sign in at')
}

/** The way to show the secret that the provider takes: in the form, or in a header, which is the standard's default. */
function authenticateWith(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...given) => {
    const takesForms = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    const authenticate = takesForms ? post : basic
    authenticate(server, ...given)
  }
}

/** Browsers are sent to pages alone: an address of another kind would run a script here. */
function isPage(text = '', { issuer }: OidcSettings): boolean {
  const url = parseUrl(text)
  return url !== undefined && (url.protocol === 'https:' || url.origin === new URL(issuer).origin)
}

function acceptedClaims(given: Record<string, unknown>, settings: OidcSettings): Claims {
  if (namesGroupsElsewhere(given, settings)) {
    const message = `${settings.name} leaves your groups out, because they are too many. Ask the operator of this service to limit them to the ones it needs.`
    throw new AppError('identity_refused', message)
  }
  const claims = readClaims(given, settings)
  if (claims) return claims
  throw new AppError('identity_refused', `The answer of ${settings.name} does not say who you are. Ask the operator.`)
}

/** Returns what makes something when it is first needed, and again once it is old. A failure is not kept. */
function keptFor<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let kept: { made: Promise<T>; until: number } | undefined
  return () => {
    const now = performance.now()
    if (kept && now < kept.until) return kept.made
    const made = make()
    const mine = { made, until: now + ms }
    kept = mine
    made.catch(() => {
      if (kept === mine) kept = undefined
    })
    return made
  }
}
