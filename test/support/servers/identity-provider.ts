import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const SECRET = 'the-secret-of-the-client'
const CLIENT = 'pricetape'

export type Person = {
  sub: string
  email?: string
  email_verified?: boolean | string
  name?: string
  groups?: string[] | string
  [claim: string]: unknown
}

/** What the provider does wrong, once it is told to. Each is a thing that real ones, or who sits between, have done. */
export type Lies = {
  /** Claims of the token. */
  claims?: Record<string, unknown>
  metadata?: Record<string, unknown>
  /** How the token is signed. */
  signature?: 'none' | 'another key' | 'damaged' | 'hmac'
  /** No token at all. */
  noToken?: boolean
  /** Answers of these pages. */
  status?: { [page: string]: number }
  /** Pages that never answer. */
  silent?: string[]
  /** Pages that answer with something that is not JSON. */
  nonsense?: string[]
  userinfo?: Record<string, unknown>
  /** Does not sign in whom it knows. */
  refuses?: string
}

type Grant = { challenge: string; nonce: string; redirectUri: string; person: Person }

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
/** Of all providers of this process: making them takes a tenth of a second. */
let keyPairs: [KeyPair, KeyPair] | undefined
type KeyPair = ReturnType<typeof newKeys>

/**
 * A real identity provider on a port of this machine: authorization code with PKCE, RS256, metadata, keys, userinfo, sign-out.
 * It is the attacker too, because it can be told to lie.
 */
export async function identityProvider() {
  keyPairs ??= [newKeys(), newKeys()]
  const [keys, others] = keyPairs
  const grants = new Map<string, Grant>()
  const provider = {
    issuer: '',
    lies: {} as Lies,
    /** The user signed in there; undefined: a page asks. */
    person: { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada', groups: [] } as Person,
    /** Everything that was secret, to be looked for where it must not be. */
    secrets: [SECRET] as string[],
    requests: [] as string[],
    /** The settings of a service that uses it. */
    settings: (more: Record<string, string> = {}): Record<string, string> => ({
      PRICETAPE_OIDC_ISSUER: provider.issuer,
      PRICETAPE_OIDC_CLIENT_ID: CLIENT,
      PRICETAPE_OIDC_CLIENT_SECRET: SECRET,
      PRICETAPE_OIDC_NAME: 'Acme login',
      ...more,
    }),
    close: () => new Promise<unknown>((done) => server.closeAllConnections() ?? server.close(done)),
  }

  function idToken({ nonce, person }: Grant): string {
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: provider.issuer,
      aud: CLIENT,
      iat: now,
      exp: now + 300,
      nonce,
      ...person,
      ...provider.lies.claims,
    }
    const { signature } = provider.lies
    const alg = signature === 'none' ? 'none' : signature === 'hmac' ? 'HS256' : 'RS256'
    const text = `${encoded({ alg, kid: 'k1', typ: 'JWT' })}.${encoded(claims)}`
    if (signature === 'none') return `${text}.`
    const key: KeyObject = signature === 'another key' ? others.privateKey : keys.privateKey
    const bytes = sign('sha256', Buffer.from(text), key)
    if (signature === 'damaged') bytes[7]! ^= 1
    return `${text}.${bytes.toString('base64url')}`
  }

  const pages: Record<
    string,
    (request: { url: URL; message: IncomingMessage; body: URLSearchParams }, reply: ServerResponse) => void
  > = {
    '/.well-known/openid-configuration': (_, reply) =>
      json(reply, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/jwks`,
        userinfo_endpoint: `${provider.issuer}/userinfo`,
        end_session_endpoint: `${provider.issuer}/logout`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...provider.lies.metadata,
      }),
    '/jwks': (_, reply) =>
      json(reply, { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' }] }),
    '/authorize': ({ url }, reply) => {
      const asked = Object.fromEntries(url.searchParams)
      const isRight =
        asked.client_id === CLIENT &&
        asked.response_type === 'code' &&
        asked.code_challenge_method === 'S256' &&
        asked.scope?.split(' ').includes('openid')
      if (!isRight || !asked.redirect_uri || !asked.nonce || !asked.state) return void reply.writeHead(400).end()
      const to = new URL(asked.redirect_uri)
      to.searchParams.set('state', asked.state)
      if (provider.lies.refuses) to.searchParams.set('error', provider.lies.refuses)
      else {
        const code = randomBytes(24).toString('base64url')
        const { person } = provider
        grants.set(code, {
          challenge: asked.code_challenge!,
          nonce: asked.nonce,
          redirectUri: asked.redirect_uri,
          person,
        })
        provider.secrets.push(code)
        to.searchParams.set('code', code)
      }
      reply.writeHead(302, { location: to.href }).end()
    },
    '/token': ({ message, body }, reply) => {
      const given = Buffer.from(message.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
      // Both are written as in a form (RFC 6749, 2.3.1).
      const inHeader = given.split(':').map(decodeURIComponent).join(':') === `${CLIENT}:${SECRET}`
      const inForm = body.get('client_id') === CLIENT && body.get('client_secret') === SECRET
      const methods = (provider.lies.metadata?.token_endpoint_auth_methods_supported ?? []) as string[]
      const isShown = methods.includes('client_secret_post') ? inForm : inHeader
      if (!isShown) return json(reply, { error: 'invalid_client' }, 401)
      const type = message.headers['content-type'] ?? ''
      if (!type.startsWith('application/x-www-form-urlencoded')) return json(reply, { error: 'invalid_request' }, 400)
      const code = body.get('code') ?? ''
      const grant = grants.get(code)
      grants.delete(code)
      const verifier = body.get('code_verifier') ?? ''
      const isRight =
        grant?.challenge === createHash('sha256').update(verifier).digest('base64url') &&
        grant.redirectUri === body.get('redirect_uri')
      if (!grant || !isRight) return json(reply, { error: 'invalid_grant' }, 400)
      const token = randomBytes(24).toString('base64url')
      tokens.set(token, grant.person)
      const id = idToken(grant)
      provider.secrets.push(verifier, token, id)
      json(reply, {
        access_token: token,
        token_type: 'Bearer',
        expires_in: 300,
        ...(!provider.lies.noToken && { id_token: id }),
      })
    },
    '/userinfo': ({ message }, reply) => {
      const person = tokens.get(message.headers.authorization?.replace('Bearer ', '') ?? '')
      if (!person) return void reply.writeHead(401).end()
      json(reply, { ...person, ...provider.lies.userinfo })
    },
    '/logout': ({ url }, reply) => {
      const to = url.searchParams.get('post_logout_redirect_uri')
      reply.writeHead(to ? 302 : 200, to ? { location: to } : {}).end('Signed out')
    },
  }
  const tokens = new Map<string, Person>()

  const server = createServer((message, reply) => {
    const url = new URL(message.url ?? '/', provider.issuer)
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const page = url.pathname
      provider.requests.push(`${message.method} ${page}`)
      if (provider.lies.silent?.includes(page)) return
      const status = provider.lies.status?.[page]
      if (status !== undefined) return void reply.writeHead(status, { location: '/elsewhere' }).end()
      if (provider.lies.nonsense?.includes(page)) return void reply.writeHead(200).end('<html>maintenance</html>')
      const body = new URLSearchParams(Buffer.concat(chunks).toString())
      const answer = pages[page]
      if (answer) answer({ url, message, body }, reply)
      else reply.writeHead(404).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return provider
}

export type TestProvider = Awaited<ReturnType<typeof identityProvider>>

const json = (reply: ServerResponse, body: unknown, status = 200): void =>
  void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
