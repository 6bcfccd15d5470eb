import { z } from 'zod'
import { parseUrl } from './http/parse-url.ts'
import { HOUR } from './instant.ts'

/** What a group of the identity provider is in a workspace, which is named by its id or name. */
export type GroupRole = { group: string; workspace: string; role: 'admin' | 'member' }

/** An identity provider that people sign in with (OpenID Connect). */
export type OidcSettings = {
  /** As the provider writes itself: tokens are compared with it. */
  issuer: string
  clientId: string
  clientSecret: string
  /** What people call it. */
  name: string
  scopes: string
  groupsClaim: string
  /** Its addresses count as confirmed where it says nothing of that. */
  trustsEmail: boolean
  /** Undefined: groups decide nothing about operators. */
  operatorGroups: string[] | undefined
  roles: GroupRole[]
  /** No one signs in another way. */
  only: boolean
  /** Who gets an account at the first sign-in: people with a role or an invitation, anyone, or no one. */
  newAccounts: 'mapped' | 'anyone' | 'none'
  /** A session that began with it ends after so long, so that it is asked again who may come in. */
  sessionMs: number
}

const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

function isIssuer(text: string): boolean {
  const url = parseUrl(text)
  if (!url || url.search || url.hash || url.username || url.password) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}

/** Reads `GROUP=WORKSPACE:ROLE`, several with commas between. Groups may hold `=`, workspaces `:`. */
function readGroupRoles(text: string): GroupRole[] | undefined {
  const items = text.split(',').map((item) => /^(.+)=([^=]+):(admin|member)$/.exec(item.trim()))
  if (items.includes(null)) return undefined
  return items.map((item) => ({
    group: item![1]!.trim(),
    workspace: item![2]!.trim(),
    role: item![3] as GroupRole['role'],
  }))
}

const SESSION_HOURS = 12
/** As long as a session of ours lasts. */
const MAX_SESSION_HOURS = 90 * 24

export const oidcEnvironment = {
  PRICETAPE_OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be the https:// address that the provider names as its issuer')
    .optional(),
  PRICETAPE_OIDC_CLIENT_ID: z.string().optional(),
  PRICETAPE_OIDC_CLIENT_SECRET: z.string().optional(),
  PRICETAPE_OIDC_NAME: z.string().trim().min(1).max(40).optional(),
  PRICETAPE_OIDC_SCOPES: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine((scopes) => scopes.includes('openid'), 'must contain openid')
    .optional(),
  PRICETAPE_OIDC_GROUPS_CLAIM: z.string().optional(),
  PRICETAPE_OIDC_TRUST_EMAIL: flag.optional(),
  PRICETAPE_OIDC_OPERATOR_GROUPS: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((group) => group.trim())
        .filter(Boolean),
    )
    .optional(),
  PRICETAPE_OIDC_ROLES: z
    .string()
    .transform((text, context) => {
      const roles = readGroupRoles(text)
      if (roles) return roles
      context.addIssue('must be GROUP=WORKSPACE:admin or GROUP=WORKSPACE:member, several with commas between')
      return z.NEVER
    })
    .optional(),
  PRICETAPE_OIDC_ONLY: flag.optional(),
  PRICETAPE_OIDC_NEW_ACCOUNTS: z.enum(['mapped', 'anyone', 'none']).optional(),
  PRICETAPE_OIDC_SESSION_HOURS: z.coerce.number().min(0.25).max(MAX_SESSION_HOURS).optional(),
}

export type OidcSettingName = keyof typeof oidcEnvironment
type OidcEnvironment = z.infer<z.ZodObject<typeof oidcEnvironment>>

/** Which processes read these settings. */
export const OIDC_READERS = Object.fromEntries(
  Object.keys(oidcEnvironment).map((name) => [name, ['api']]),
) as unknown as Record<OidcSettingName, readonly ['api']>

const DEFAULT_NAME = 'single sign-on'
const DEFAULT_SCOPES = ['openid', 'profile', 'email']

/** Returns the identity provider; undefined where none is set. */
export function oidcOf(e: OidcEnvironment): OidcSettings | undefined {
  const { PRICETAPE_OIDC_ISSUER: issuer, PRICETAPE_OIDC_CLIENT_ID: clientId } = e
  const clientSecret = e.PRICETAPE_OIDC_CLIENT_SECRET
  if (!issuer || !clientId || !clientSecret) return undefined
  return {
    issuer,
    clientId,
    clientSecret,
    name: e.PRICETAPE_OIDC_NAME ?? DEFAULT_NAME,
    scopes: (e.PRICETAPE_OIDC_SCOPES ?? DEFAULT_SCOPES).join(' '),
    groupsClaim: e.PRICETAPE_OIDC_GROUPS_CLAIM ?? 'groups',
    trustsEmail: e.PRICETAPE_OIDC_TRUST_EMAIL ?? false,
    operatorGroups: e.PRICETAPE_OIDC_OPERATOR_GROUPS,
    roles: e.PRICETAPE_OIDC_ROLES ?? [],
    only: e.PRICETAPE_OIDC_ONLY ?? false,
    newAccounts: e.PRICETAPE_OIDC_NEW_ACCOUNTS ?? 'mapped',
    sessionMs: (e.PRICETAPE_OIDC_SESSION_HOURS ?? SESSION_HOURS) * HOUR,
  }
}

/** Returns what is wrong with these settings together. */
export function oidcContradictions(e: OidcEnvironment & { NODE_ENV: string; PRICETAPE_PUBLIC_URL?: string }): string[] {
  const given = NEEDING.find((name) => e[name] !== undefined && e[name] !== false)
  if (given === undefined) return []
  const problems = REQUIRED.filter((name) => e[name] === undefined).map((name) => `${name}: is needed by ${given}`)
  if (e.NODE_ENV === 'production' && e.PRICETAPE_PUBLIC_URL === undefined)
    problems.push('PRICETAPE_OIDC_ISSUER: needs PRICETAPE_PUBLIC_URL, which the provider sends people back to')
  return problems
}
const REQUIRED = ['PRICETAPE_OIDC_ISSUER', 'PRICETAPE_OIDC_CLIENT_ID', 'PRICETAPE_OIDC_CLIENT_SECRET'] as const
/** What says that an identity provider is wanted. */
const NEEDING = [...REQUIRED, 'PRICETAPE_OIDC_ROLES', 'PRICETAPE_OIDC_OPERATOR_GROUPS', 'PRICETAPE_OIDC_ONLY'] as const
