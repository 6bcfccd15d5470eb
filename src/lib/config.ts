import { z } from 'zod'
import { OperatorError } from './errors.ts'
import { readSmtpUrl } from './http/smtp-url.ts'
import { MINUTE, SECOND } from './instant.ts'
import { OIDC_READERS, oidcContradictions, oidcEnvironment, oidcOf } from './oidc-settings.ts'
import { noticeProblems, readLocalAddresses, readProxyUrl } from './safe-fetch/egress-settings.ts'
import { MIN_POOL_SIZE, POOL_SIZE } from './sql.ts'
import { isMailAddress, readMailAddress } from './text/mail-address.ts'

/** How often changes are looked for (specification, Timing and retries). */
const CHECK_INTERVAL_MS = 5 * MINUTE

/** Enough for as many worker processes; each costs a little. More than the slices of workspaces would be empty. */
const ROUND_SHARDS = 16
const MAX_ROUND_SHARDS = 256

const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
/** A setting that `read` understands; `what` says how it is written. */
const readBy = <T>(read: (text: string) => T | undefined, what: string) =>
  z.string().transform((text, context) => {
    const value = read(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: what })
    return z.NEVER
  })
function sourceKeysOf(text: string): Record<string, string> | undefined {
  const items = text.split(',').map((item) => /^([a-z0-9][a-z0-9._-]*)=([\x21-\x7e]+)$/.exec(item.trim()))
  if (items.includes(null)) return undefined
  return Object.fromEntries(items.map((item) => [item![1]!, item![2]!]))
}
/** An address that paths are appended to: without a slash at its end. */
const base = (url: z.ZodURL) => url.transform((text) => text.replace(/\/+$/, ''))
const port = z.coerce.number().int().min(0).max(65_535)

/** Every setting the product reads, with its default. docs/configure.md explains them. */
const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8080),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['json', 'text']).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PRICETAPE_DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PRICETAPE_DATABASE_POOL: z.coerce.number().int().min(MIN_POOL_SIZE).max(1_000).default(POOL_SIZE),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().optional(),
  TEMPORAL_PROFILE: z.string().optional(),
  TEMPORAL_CONFIG_FILE: z.string().optional(),
  PRICETAPE_TEMPORAL_BINARY: z.string().optional(),
  PRICETAPE_TEMPORAL_UI_PORT: port.default(8233),
  PRICETAPE_TEMPORAL_UI_URL: base(z.url({ protocol: /^https?$/ })).optional(),
  PRICETAPE_DATA_DIR: z.string().default('.data'),
  PRICETAPE_CACHE_DIR: z.string().optional(),
  PRICETAPE_SOURCES: z.string().optional(),
  PRICETAPE_SOURCE_KEYS: readBy(sourceKeysOf, 'must be SOURCE=KEY, several with commas between').optional(),
  PRICETAPE_PUBLIC_URL: base(z.url()).optional(),
  PRICETAPE_PUBLIC_PAGES: flag.default(false),
  PRICETAPE_LOG_ORIGIN: z
    .string()
    .regex(/^[^\s+\p{C}]{1,200}$/u, 'must be a name without spaces and plus signs, such as prices.example.com/v1/log')
    .optional(),
  PRICETAPE_SIGN_UP: z.enum(['open', 'invitation']).default('invitation'),
  PRICETAPE_TOTP: flag.default(true),
  PRICETAPE_PASSKEYS: flag.default(true),
  ...oidcEnvironment,
  PRICETAPE_URL: z.url({ protocol: /^https?$/ }).optional(),
  PRICETAPE_API_KEY: z.string().optional(),
  PRICETAPE_SECRET_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 random bytes in base64: openssl rand -base64 32')
    .optional(),
  PRICETAPE_OLD_SECRET_KEYS: list.optional(),
  PRICETAPE_CHECK_INTERVAL: z.coerce
    .number()
    .int()
    .min(1)
    .max(CHECK_INTERVAL_MS / SECOND)
    .default(CHECK_INTERVAL_MS / SECOND),
  PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: flag.default(false),
  PRICETAPE_OFFLINE: flag.default(false),
  PRICETAPE_DNS_SERVERS: list.optional(),
  PRICETAPE_OUTBOUND_PROXY: readBy(
    readProxyUrl,
    'must be http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, with nothing after it',
  ).optional(),
  PRICETAPE_EGRESS_ADDRESS: readBy(
    readLocalAddresses,
    'must be an IPv4 address, an IPv6 address, or both, comma-separated',
  ).optional(),
  PRICETAPE_TRUSTED_PROXIES: list.optional(),
  PRICETAPE_MAX_IN_FLIGHT: z.coerce.number().int().min(1).default(64),
  PRICETAPE_MAX_IN_FLIGHT_PER_ENDPOINT: z.coerce.number().int().min(1).default(8),
  PRICETAPE_ROUND_SHARDS: z.coerce.number().int().min(1).max(MAX_ROUND_SHARDS).default(ROUND_SHARDS),
  PRICETAPE_OPERATOR_WEBHOOK: z.string().optional(),
  PRICETAPE_OPERATOR_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and 24 or more random bytes in base64')
    .optional(),
  PRICETAPE_OPERATOR_EMAILS: list
    .refine((addresses) => addresses.every(isMailAddress), 'must be e-mail addresses, comma-separated')
    .optional(),
  SMTP_URL: readBy(
    readSmtpUrl,
    'must be smtp://USER:PASSWORD@HOST:PORT or smtps://…, with nothing after it',
  ).optional(),
  PRICETAPE_MAIL_FROM: readBy(readMailAddress, 'must be ADDRESS or NAME <ADDRESS>').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: base(z.url({ protocol: /^https?$/ })).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  // `npm start` takes the two after it as well.
  PRICETAPE_METRICS_PORT: z.coerce.number().int().min(1).max(65_533).optional(),
  PRICETAPE_METRICS_HOST: z.string().default('127.0.0.1'),
})

type SettingName = keyof z.infer<typeof environment>

/** The processes of an installation that get settings. `npm start` itself reads all of them. */
type Reader = 'api' | 'worker' | 'migrate'

/**
 * Which process gets which setting from `npm start`: no more than it needs. Every setting is listed, so that adding one
 * needs a decision.
 */
export const READERS: Record<SettingName, readonly Reader[]> = {
  NODE_ENV: ['api', 'worker', 'migrate'],
  HOST: ['api'],
  PORT: ['api'],
  LOG_LEVEL: ['api', 'worker', 'migrate'],
  LOG_FORMAT: ['api', 'worker', 'migrate'],
  DATABASE_URL: ['api', 'worker', 'migrate'],
  PRICETAPE_DATABASE_REPLICA_URL: ['api'],
  PRICETAPE_DATABASE_POOL: ['api', 'worker'],
  TEMPORAL_ADDRESS: ['api', 'worker', 'migrate'],
  TEMPORAL_NAMESPACE: ['api', 'worker', 'migrate'],
  TEMPORAL_PROFILE: ['api', 'worker', 'migrate'],
  TEMPORAL_CONFIG_FILE: ['api', 'worker', 'migrate'],
  PRICETAPE_TEMPORAL_BINARY: [],
  PRICETAPE_TEMPORAL_UI_PORT: [],
  PRICETAPE_TEMPORAL_UI_URL: ['api'],
  PRICETAPE_DATA_DIR: ['api', 'worker'],
  PRICETAPE_CACHE_DIR: [],
  PRICETAPE_SOURCES: ['api', 'worker', 'migrate'],
  PRICETAPE_SOURCE_KEYS: ['worker'],
  PRICETAPE_PUBLIC_URL: ['api', 'worker'],
  PRICETAPE_PUBLIC_PAGES: ['api', 'worker'],
  PRICETAPE_LOG_ORIGIN: ['worker'],
  PRICETAPE_SIGN_UP: ['api'],
  PRICETAPE_TOTP: ['api'],
  PRICETAPE_PASSKEYS: ['api'],
  ...OIDC_READERS,
  PRICETAPE_URL: [],
  PRICETAPE_API_KEY: [],
  PRICETAPE_SECRET_KEY: ['api', 'worker', 'migrate'],
  PRICETAPE_OLD_SECRET_KEYS: [],
  PRICETAPE_CHECK_INTERVAL: ['api', 'worker', 'migrate'],
  PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: ['api', 'worker'],
  PRICETAPE_OFFLINE: ['api', 'worker'],
  PRICETAPE_DNS_SERVERS: ['api', 'worker'],
  PRICETAPE_OUTBOUND_PROXY: ['api', 'worker'],
  PRICETAPE_EGRESS_ADDRESS: ['api', 'worker'],
  PRICETAPE_TRUSTED_PROXIES: ['api'],
  PRICETAPE_MAX_IN_FLIGHT: ['worker'],
  PRICETAPE_MAX_IN_FLIGHT_PER_ENDPOINT: ['worker'],
  PRICETAPE_ROUND_SHARDS: ['worker'],
  PRICETAPE_OPERATOR_WEBHOOK: ['worker'],
  PRICETAPE_OPERATOR_SECRET: ['worker'],
  PRICETAPE_OPERATOR_EMAILS: ['worker'],
  SMTP_URL: ['api', 'worker'],
  PRICETAPE_MAIL_FROM: ['api', 'worker'],
  PRICETAPE_METRICS_PORT: ['api', 'worker'],
  PRICETAPE_METRICS_HOST: ['api', 'worker'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['api', 'worker'],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['api', 'worker'],
  OTEL_TRACES_SAMPLER_ARG: ['api', 'worker'],
}

export type Config = ReturnType<typeof readConfig>

/**
 * The settings, from the environment: the only place that reads it.
 * @throws OperatorError naming every setting that is wrong, all at once.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  const problems = parsed.success
    ? contradictions(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (!parsed.success || problems.length > 0) {
    throw new OperatorError(`These settings are wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`)
  }
  const e = parsed.data
  return {
    production: e.NODE_ENV === 'production',
    host: e.HOST,
    port: e.PORT,
    logLevel: e.LOG_LEVEL,
    /** Undefined: short lines of text on a terminal, JSON elsewhere. */
    logFormat: e.LOG_FORMAT,
    databaseUrl: e.DATABASE_URL,
    /** A replica of that database, for pages of history. */
    replicaUrl: e.PRICETAPE_DATABASE_REPLICA_URL,
    /** Connections to the database that this process opens at most. */
    databasePool: e.PRICETAPE_DATABASE_POOL,
    temporal: {
      namespace: e.TEMPORAL_NAMESPACE ?? 'default',
      /** Another server than our own; how it is reached is read by @temporalio/envconfig. */
      external: Boolean(e.TEMPORAL_ADDRESS || e.TEMPORAL_PROFILE || e.TEMPORAL_CONFIG_FILE),
      binary: e.PRICETAPE_TEMPORAL_BINARY,
      uiPort: e.PRICETAPE_TEMPORAL_UI_PORT,
      /** Where operators see workflows. */
      uiUrl: e.PRICETAPE_TEMPORAL_UI_URL,
    },
    dataDir: e.PRICETAPE_DATA_DIR,
    cacheDir: e.PRICETAPE_CACHE_DIR,
    sourcesFile: e.PRICETAPE_SOURCES,
    /** Keys of sellers by source, for lists that ask for one. */
    sourceKeys: e.PRICETAPE_SOURCE_KEYS ?? {},
    /** Where people and clients reach this installation. */
    publicUrl: e.PRICETAPE_PUBLIC_URL,
    /** Everyone who knows the address may read the pages of documents. */
    publicPages: e.PRICETAPE_PUBLIC_PAGES,
    /** The name that checkpoints of the publication log are signed under; undefined: it follows from the address. */
    logOrigin: e.PRICETAPE_LOG_ORIGIN,
    /** Who may create an account: anyone, or those who are invited. */
    signUp: e.PRICETAPE_SIGN_UP,
    /** People may protect their accounts with the codes of an authenticator app. */
    totp: e.PRICETAPE_TOTP,
    /** People may sign in with passkeys, where the public address allows it. */
    passkeys: e.PRICETAPE_PASSKEYS,
    /** The identity provider that people may sign in with; undefined: none. */
    oidc: oidcOf(e),
    /** The installation that `pricetape mcp` asks, and its key. */
    url: e.PRICETAPE_URL,
    apiKey: e.PRICETAPE_API_KEY,
    secretKey: e.PRICETAPE_SECRET_KEY,
    /** Keys from before a change of key: `secrets reseal` alone reads them. */
    oldSecretKeys: e.PRICETAPE_OLD_SECRET_KEYS ?? [],
    checkIntervalMs: e.PRICETAPE_CHECK_INTERVAL * SECOND,
    allowPrivateEndpoints: e.PRICETAPE_ALLOW_PRIVATE_ENDPOINTS,
    /** Never reach for a live source: bundled prices only. */
    offline: e.PRICETAPE_OFFLINE,
    dnsServers: e.PRICETAPE_DNS_SERVERS,
    /** How requests to sources and receivers leave: through a proxy, from addresses of this machine. */
    egress: { proxy: e.PRICETAPE_OUTBOUND_PROXY, localAddresses: e.PRICETAPE_EGRESS_ADDRESS },
    trustedProxies: e.PRICETAPE_TRUSTED_PROXIES,
    maxInFlight: e.PRICETAPE_MAX_IN_FLIGHT,
    maxInFlightPerEndpoint: e.PRICETAPE_MAX_IN_FLIGHT_PER_ENDPOINT,
    /** Parts of a delivery round that workers share. */
    roundShards: e.PRICETAPE_ROUND_SHARDS,
    /** Where operators are notified of what waits for them. */
    operatorWebhook:
      e.PRICETAPE_OPERATOR_WEBHOOK && e.PRICETAPE_OPERATOR_SECRET
        ? { url: e.PRICETAPE_OPERATOR_WEBHOOK, secret: e.PRICETAPE_OPERATOR_SECRET }
        : undefined,
    /** Whom operators' notices are mailed to. */
    operatorEmails: e.PRICETAPE_OPERATOR_EMAILS ?? [],
    /** The server that mail goes through, and whom it is from; undefined: no mail is sent. */
    mail: e.SMTP_URL && e.PRICETAPE_MAIL_FROM ? { server: e.SMTP_URL, from: e.PRICETAPE_MAIL_FROM } : undefined,
    /** Where spans are sent, and the share of traces that is kept; undefined: nothing is traced. */
    tracing: tracingOf(e),
    /** Where this process answers scrapers and probes, on a port that no client reaches; undefined: nowhere. */
    monitoring:
      e.PRICETAPE_METRICS_PORT === undefined
        ? undefined
        : { host: e.PRICETAPE_METRICS_HOST, port: e.PRICETAPE_METRICS_PORT },
  }
}

/** Returns where people find the pages of this installation; undefined where there are none that everyone may read. */
export const pagesUrl = ({ publicUrl, publicPages }: Pick<Config, 'publicUrl' | 'publicPages'>): string | undefined =>
  publicPages ? publicUrl : undefined

function tracingOf(e: z.infer<typeof environment>): { url: string; ratio: number } | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = e
  const url = e.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (endpoint && `${endpoint}/v1/traces`)
  return url === undefined ? undefined : { url, ratio: e.OTEL_TRACES_SAMPLER_ARG }
}

function contradictions(e: z.infer<typeof environment>): string[] {
  const problems = [...oidcContradictions(e), ...noticeProblems(e)]
  if (Boolean(e.PRICETAPE_OPERATOR_WEBHOOK) !== Boolean(e.PRICETAPE_OPERATOR_SECRET))
    problems.push('PRICETAPE_OPERATOR_WEBHOOK and PRICETAPE_OPERATOR_SECRET: set both or neither')
  if (Boolean(e.SMTP_URL) !== Boolean(e.PRICETAPE_MAIL_FROM))
    problems.push('SMTP_URL and PRICETAPE_MAIL_FROM: set both or neither')
  if (e.PRICETAPE_DATABASE_REPLICA_URL && !e.DATABASE_URL)
    problems.push('PRICETAPE_DATABASE_REPLICA_URL: needs DATABASE_URL')
  if (e.PRICETAPE_OPERATOR_EMAILS && !e.SMTP_URL) problems.push('PRICETAPE_OPERATOR_EMAILS: needs SMTP_URL')
  if (e.NODE_ENV !== 'production') return problems
  if (e.PRICETAPE_ALLOW_PRIVATE_ENDPOINTS) problems.push('PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: is for development only')
  if (e.PRICETAPE_CHECK_INTERVAL * SECOND !== CHECK_INTERVAL_MS)
    problems.push('PRICETAPE_CHECK_INTERVAL: must be 300 in production')
  return problems
}
