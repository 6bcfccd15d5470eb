import { createIdentityProvider, type IdentityProvider } from '../accounts/identities/provider.ts'
import { createProviderFetch } from '../accounts/identities/provider-fetch.ts'
import { type RelyingParty, relyingPartyOf } from '../accounts/passkeys/relying-party-rules.ts'
import type { AccountMail } from '../accounts/users/mail/account-mail.ts'
import type { Context } from '../context.ts'
import { boundedPlaces } from '../evidence/bounded-places.ts'
import type { FindPlace } from '../evidence/find-place.ts'
import { createExporter, type Exporter } from '../exports/exporter.ts'
import { pagesUrl } from '../lib/config.ts'
import { AppError } from '../lib/errors.ts'
import { appOrigin } from '../lib/http/app-origin.ts'
import { createIsolation, type Isolation } from '../lib/isolation/isolation.ts'
import type { OidcSettings } from '../lib/oidc-settings.ts'
import { createSafeFetch } from '../lib/safe-fetch/safe-fetch.ts'
import type { Sql } from '../lib/sql.ts'
import { createMailer } from '../mail/create-mailer.ts'
import { createOutbox } from '../mail/outbox.ts'
import { createComparer } from '../terms/read/compare-in-turn.ts'
import type { Operator } from '../webhooks/manage/operator.ts'
import { checkWebhookUrl } from '../webhooks/subscriptions/check-webhook-url.ts'
import type { WebhookTools } from '../webhooks/subscriptions/resolve-subscription.ts'

/** What the app's routes need beside a request. */
export type AppTools = {
  sql: Sql
  publicUrl?: string
  /** Everyone may read prices, changes and documents. */
  publicPages: boolean
  signUp: 'open' | 'invitation'
  /** People may turn on the codes of an authenticator app. */
  offersTotp: boolean
  passkeys: Passkeys
  /** The identity provider that people may sign in with; undefined where none is set. */
  provider?: IdentityProvider
  /** Tells operators what they should look at. */
  warn: (line: string) => void
  /** No source is read. */
  offline: boolean
  mail: AccountMail
  operator: Operator
  checkUrl: WebhookTools['checkUrl']
  /** Endpoints of webhooks may be on this machine and its network. */
  allowsPrivateEndpoints: boolean
  /** Compares two versions of a document, in bounded time. */
  compareVersions: ReturnType<typeof createComparer>
  /** Processes in which snapshots and documents are read for operators. */
  isolation: Isolation
  /** Finds places in snapshots for readers, in bounded time. */
  findPlace: FindPlace
  /** Writes the whole history in processes of their own. */
  exporter: Exporter
  /** Where the pages of documents are public. */
  pagesUrl?: string
  /** Starts the workflow that reads a source now. @throws AppError unavailable where Temporal does not answer */
  collect(source: string): Promise<void>
  /** Starts a check before its time. @throws AppError unavailable where Temporal does not answer */
  startCheck(): Promise<void>
  /** The key of webhook secrets. @throws AppError unavailable where this process was started without it */
  readonly secretKey: Uint8Array
  /** The page of a workflow in the Temporal UI; undefined where its address is not set. */
  workflowUrl(workflowId: string): string | undefined
  close(): Promise<void>
}

/** Whether people may use passkeys, or why not. */
type Passkeys = { offered: 'yes'; party: RelyingParty } | { offered: 'turned_off' | 'needs_https' }

/** What is requested of Temporal: to pass changes of webhooks on, to read a source, to start a check. */
export type AppWorkflows = Operator['workflows'] & {
  collect?: (source: string) => Promise<void>
  startCheck?: () => Promise<void>
}

export type AppNeeds = Pick<Context, 'sql' | 'config' | 'log'> & {
  workflows?: AppWorkflows
  createReaders?: typeof createIsolation
}

/** Comparisons made beside each other: readers must not take every core. */
const COMPARISONS = 2

/** Without a Temporal server no one is notified of a change. */
const NO_WORKFLOWS: AppWorkflows = { notifyWebhook: async () => {} }

export function createAppTools(needs: AppNeeds): AppTools {
  const { sql, config, log, workflows = NO_WORKFLOWS, createReaders = createIsolation } = needs
  const { publicUrl, publicPages, signUp, secretKey, allowPrivateEndpoints: allowPrivate, dnsServers } = config
  const { resolve, close } = createSafeFetch({ allowPrivate, dnsServers })
  const signingIn = config.oidc && createSigningIn(config, config.oidc, appOrigin(config), log)
  const isolation = createReaders({ concurrency: COMPARISONS })
  const exporter = createExporter(sql, config.databaseUrl)
  const key = secretKey === undefined ? undefined : Buffer.from(secretKey, 'base64')
  const outbox = config.mail && createOutbox({ sql, log, secretKey: key, mailer: createMailer(config.mail) })
  return {
    sql,
    publicUrl,
    publicPages,
    signUp: config.oidc?.only ? 'invitation' : signUp,
    provider: signingIn?.provider,
    warn: (line) => log.warn(line),
    offline: config.offline,
    offersTotp: config.totp && key !== undefined && !config.oidc?.only,
    passkeys: passkeysOf(config),
    mail: { origin: appOrigin(config), ...(outbox && { outbox }), show: (line) => log.warn(line) },
    // The change is committed before it is passed on. A message that is lost is found again by the next check.
    operator: { sql, workflows, log },
    compareVersions: createComparer({ sql, isolation }),
    allowsPrivateEndpoints: allowPrivate,
    checkUrl: (url) => checkWebhookUrl(url, { allowPrivate, resolve }),
    isolation,
    findPlace: boundedPlaces({ sql, isolation }),
    exporter,
    pagesUrl: pagesUrl(config),
    collect: (source) => reached(log, workflows.collect?.(source)),
    startCheck: () => reached(log, workflows.startCheck?.()),
    get secretKey() {
      if (key) return key
      throw new AppError('unavailable', 'This server was started without PRICETAPE_SECRET_KEY, which webhooks need.')
    },
    workflowUrl: (workflowId) => {
      const { uiUrl, namespace } = config.temporal
      return uiUrl && `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`
    },
    close: async () => {
      exporter.close()
      // Mails go out after their answer: one under way is sent, or left to the next check.
      await outbox?.[Symbol.asyncDispose]()
      await isolation[Symbol.asyncDispose]()
      await signingIn?.close()
      await close()
    },
  }
}

/** The identity provider, and the connections to it. */
function createSigningIn(
  { dnsServers, egress, allowPrivateEndpoints }: Context['config'],
  settings: OidcSettings,
  origin: string,
  log: AppNeeds['log'],
) {
  const { proxy, localAddresses } = egress
  const checked = createSafeFetch({ dnsServers, proxy, localAddresses, allowPrivate: allowPrivateEndpoints })
  const any = createSafeFetch({ allowPrivate: true })
  const fetch = createProviderFetch(settings.issuer, { checked, any })
  const warn = (problem: object, what: string) => log.warn({ provider: settings.issuer, ...problem }, what)
  const close = async () => void (await Promise.all([checked.close(), any.close()]))
  return { provider: createIdentityProvider(settings, { origin, fetch, warn }), close }
}

function passkeysOf({
  passkeys,
  publicUrl,
  oidc,
}: Pick<Context['config'], 'passkeys' | 'publicUrl' | 'oidc'>): Passkeys {
  if (!passkeys || oidc?.only) return { offered: 'turned_off' }
  const party = relyingPartyOf(publicUrl)
  return party ? { offered: 'yes', party } : { offered: 'needs_https' }
}

/** Waits for Temporal's answer. @throws AppError unavailable where it does not answer, or none is set */
async function reached(log: AppNeeds['log'], answer: Promise<void> | undefined): Promise<void> {
  try {
    if (!answer) throw new Error('no Temporal server is set')
    await answer
  } catch (cause) {
    log.warn({ err: cause }, 'a workflow could not be requested')
    const message = 'Temporal does not answer now, so nothing was started. Try again in a minute.'
    throw new AppError('unavailable', message, { cause })
  }
}
