import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/lib/config.ts'
import { snippet } from '../../support/code/snippets.ts'

describe('the settings of an identity provider', () => {
  const BASE = {
    PRICETAPE_OIDC_ISSUER: 'https://id.example/realms/acme',
    PRICETAPE_OIDC_CLIENT_ID: 'pricetape',
    PRICETAPE_OIDC_CLIENT_SECRET: 'secret',
  }
  it('are issuer, client and secret; the rest has defaults', () => {
    expect(readConfig({}).oidc).toBeUndefined()
    expect(readConfig(BASE).oidc).toEqual({
      issuer: 'https://id.example/realms/acme',
      clientId: 'pricetape',
      clientSecret: 'secret',
      name: 'single sign-on',
      scopes: 'openid profile email',
      groupsClaim: 'groups',
      trustsEmail: false,
      operatorGroups: undefined,
      roles: [],
      only: false,
      newAccounts: 'mapped',
      sessionMs: 43_200_000,
    })
  })

  it('name roles as GROUP=WORKSPACE:ROLE, in which groups may hold = and workspaces may hold :', () => {
    const rolesOfText = (text: string) => readConfig({ ...BASE, PRICETAPE_OIDC_ROLES: text }).oidc?.roles
    expect(rolesOfText('/a=Acme:admin , cn=x=R: D:member')).toEqual([
      { group: '/a', workspace: 'Acme', role: 'admin' },
      { group: 'cn=x', workspace: 'R: D', role: 'member' },
    ])
    for (const wrong of ['/a', '/a=Acme', '/a=Acme:owner', '=Acme:admin', '/a=:admin', '/a=Acme:admin,'])
      expect(() => rolesOfText(wrong)).toThrow('PRICETAPE_OIDC_ROLES: must be GROUP=WORKSPACE:admin')
  })

  it('end sessions after 12 hours, or after as many as they say', () => {
    expect(readConfig(BASE).oidc?.sessionMs).toBe(43_200_000)
    expect(readConfig({ ...BASE, PRICETAPE_OIDC_SESSION_HOURS: '0.5' }).oidc?.sessionMs).toBe(1_800_000)
  })

  it('are those of docs/use/accounts.md', async () => {
    const env = parseEnv(await snippet('docs/use/accounts.md', 'PRICETAPE_OIDC_ISSUER')) as Record<string, string>
    expect(readConfig(env).oidc).toMatchObject({
      name: 'Acme',
      roles: [
        { group: '/platform/admins', workspace: 'Acme', role: 'admin' },
        { group: '/platform', workspace: 'Acme', role: 'member' },
      ],
      operatorGroups: ['/pricetape-operators'],
    })
  })

  it('are all named when they are wrong', () => {
    const problemsOf = (env: Record<string, string>) => {
      try {
        readConfig(env)
        return []
      } catch (error) {
        return (error as Error).message.split('\n').slice(1)
      }
    }
    const wrong = {
      PRICETAPE_OIDC_ISSUER: 'http://id.example',
      PRICETAPE_OIDC_SCOPES: 'email',
      PRICETAPE_OIDC_ONLY: 'yes',
      PRICETAPE_OIDC_NEW_ACCOUNTS: 'some',
      PRICETAPE_OIDC_SESSION_HOURS: '2161',
    }
    expect(problemsOf(wrong).map((line) => line.trim().split(':')[0])).toEqual(Object.keys(wrong))
    expect(problemsOf({ PRICETAPE_OIDC_ONLY: 'true' })).toEqual([
      '  PRICETAPE_OIDC_ISSUER: is needed by PRICETAPE_OIDC_ONLY',
      '  PRICETAPE_OIDC_CLIENT_ID: is needed by PRICETAPE_OIDC_ONLY',
      '  PRICETAPE_OIDC_CLIENT_SECRET: is needed by PRICETAPE_OIDC_ONLY',
    ])
    expect(problemsOf({ ...BASE, NODE_ENV: 'production' })).toEqual([
      '  PRICETAPE_OIDC_ISSUER: needs PRICETAPE_PUBLIC_URL, which the provider sends people back to',
    ])
    for (const issuer of [
      'https://u:p@id.example',
      'https://id.example?x=1',
      'https://id.example#x',
      'ftp://id.example',
      'id',
    ])
      expect(problemsOf({ ...BASE, PRICETAPE_OIDC_ISSUER: issuer })).toHaveLength(1)
    for (const issuer of [
      'http://localhost:8081/realms/a',
      'http://127.0.0.1',
      'http://[::1]:9',
      'https://10.0.0.1:8443',
    ])
      expect(readConfig({ ...BASE, PRICETAPE_OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer)
  })
})
