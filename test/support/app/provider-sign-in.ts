import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Sql } from '../../../src/lib/sql.ts'
import { identityProvider, type Person, type TestProvider } from '../servers/identity-provider.ts'
import { type AppAnswer, type AppSend, testApp } from './app.ts'

/** A browser that goes to the provider: its cookie, and what the provider sent it back with. */
export type Visit = { cookie: string; answer: string }

/** What goes to a provider and comes back, as a browser of its people does. */
export function providerBrowser(provider: () => TestProvider, send: AppSend) {
  const signedIn = (session: string | undefined) => (session ? { session } : {})
  async function visit(person: Partial<Person> = {}, { session, cookie }: { session?: string; cookie?: string } = {}) {
    Object.assign(provider().person, person)
    const begin = session ? 'POST /v1/account/identities/begin' : 'POST /v1/sessions/identity/begin'
    const headers: Record<string, string> = cookie ? { cookie } : {}
    const begun = await send(begin, { ...signedIn(session), headers, ...(session && { body: {} }) })
    if (begun.status !== 201) return { begun, cookie: '', answer: '' }
    const kept = /pricetape-identity=[\w-]+/.exec([begun.headers['set-cookie']].flat().join())![0]
    const sent = await fetch(begun.json.url as string, { redirect: 'manual' })
    return { begun, cookie: kept, answer: new URL(sent.headers.get('location')!).search }
  }
  const finish = ({ cookie, answer }: Visit): Promise<AppAnswer> =>
    send('POST /v1/sessions/identity', { headers: { cookie }, body: { answer } })
  return {
    visit,
    finish,
    /** Signs in at the provider as this person, and comes back. */
    signIn: async (person: Partial<Person> = {}): Promise<AppAnswer> => {
      const { begun, ...visited } = await visit(person)
      return begun.status === 201 ? finish(visited) : begun
    },
    /** Links the account of a session to this person of the provider. */
    link: async (session: string, person: Partial<Person> = {}): Promise<AppAnswer> => {
      const { begun, cookie, answer } = await visit(person, { session })
      if (begun.status !== 201) return begun
      const headers = { cookie: `pricetape=${session}; ${cookie}` }
      return send('POST /v1/account/identities', { headers, body: { answer } })
    },
  }
}

/** A server whose people sign in with a provider that is told to be honest before each test. */
export function providerApp(db: { sql: Sql; url: string }, more: Record<string, string> = {}) {
  const env: Record<string, string> = {}
  let provider: TestProvider
  beforeAll(async () => {
    provider = await identityProvider()
    Object.assign(env, provider.settings(more))
  })
  beforeEach(() => {
    provider.lies = {}
    provider.person = { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada', groups: [] }
  })
  const app = testApp(db, env)
  afterAll(() => provider.close())
  return {
    get provider() {
      return provider
    },
    get server() {
      return app.server
    },
    env,
    send: app.send,
    ...providerBrowser(() => provider, app.send),
  }
}
