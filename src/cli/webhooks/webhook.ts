import { Command, InvalidArgumentError } from 'commander'
import { findWorkspace } from '../../accounts/workspaces/find-workspace.ts'
import {
  EVENT_TYPES,
  type EventType,
  OPT_IN_EVENT_TYPES,
  SIGNIFICANCES,
  type Significance,
  USUAL_EVENT_TYPES,
} from '../../events/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { deleteWebhook } from '../../webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../webhooks/manage/edit-webhook.ts'
import { pauseWebhook } from '../../webhooks/manage/pause-webhook.ts'
import { resumeWebhook } from '../../webhooks/manage/resume-webhook.ts'
import { rotateSecret } from '../../webhooks/manage/rotate-secret.ts'
import { sendTestEvent } from '../../webhooks/manage/send-test-event.ts'
import { resumeAndResend } from '../../webhooks/resend/resume-and-resend.ts'
import type { WebhookPatch, WebhookView } from '../../webhooks/schema.ts'
import { createWebhook } from '../../webhooks/subscriptions/create-webhook.ts'
import { listWebhooks } from '../../webhooks/subscriptions/list-webhooks.ts'
import { revealSecret } from '../../webhooks/subscriptions/reveal-secret.ts'
import { type OutputOptions, print, table } from '../output.ts'
import { type CommandContext, withInstallation } from '../with-installation.ts'
import { failingCommand } from './failing-webhooks.ts'
import { type EditOptions, onWebhook, toolsOf } from './webhook-tools.ts'

const PAUSED_BY_HAND = 'Paused by an operator.'

const RETIRED_EARLIER =
  'At most two secrets sign. An older one that still signed was retired at once: receivers that use it refuse deliveries until they have the new one.'

const SUBSCRIPTION = {
  providers: "comma-separated, or '*'",
  events: `comma-separated, or '*' for all but ${OPT_IN_EVENT_TYPES.join(', ')}. There are: ${EVENT_TYPES.join(', ')}`,
  aliases: 'alias groups, ids or names, comma-separated',
  minChange: 'per cent: smaller price changes are not sent',
  minSignificance: `of changed documents: ${SIGNIFICANCES.join(', ')}`,
}

type CreateOptions = OutputOptions & {
  name: string
  url: string
  providers: string
  events: string
  aliases?: string
  minSignificance: string
  minChange: number
  workspace?: string
}

export function webhookCommand(): Command {
  const webhook = new Command('webhook').description('webhooks').addCommand(createCommand()).addCommand(listCommand())
  failingCommand(webhook)
  addUpdate(webhook)
  addSending(webhook)
  addSecrets(webhook)
  onWebhook(webhook, 'delete', 'delete it with its log and its pending deliveries', async ({ operator, ref }) => {
    await deleteWebhook(operator, ref)
    return [{ id: ref.id, deleted: true }, 'Deleted.']
  })
  return webhook
}

const createCommand = () =>
  new Command('create')
    .description('create a webhook; prints its id and its signing secret')
    .requiredOption('--name <name>')
    .requiredOption('--url <url>', 'https://… on port 443 of a public host')
    .option('--providers <slugs>', SUBSCRIPTION.providers, '*')
    .option('--events <types>', SUBSCRIPTION.events, '*')
    .option('--aliases <groups>', SUBSCRIPTION.aliases)
    .option('--min-significance <level>', SUBSCRIPTION.minSignificance, 'low')
    .option('--min-change <percent>', SUBSCRIPTION.minChange, percentOption, 0)
    .option('--workspace <workspace>', 'id or name; the first workspace when left out')
    .option('--json', 'print JSON')
    .action((options: CreateOptions) => withInstallation((context) => create(context, options)))

const listCommand = () =>
  new Command('list')
    .description('the webhooks of a workspace')
    .option('--workspace <workspace>', 'id or name; the first workspace when left out')
    .option('--json', 'print JSON')
    .action((options: OutputOptions & { workspace?: string }) =>
      withInstallation(async ({ sql }) => {
        const webhooks = await listWebhooks(sql, await findWorkspace(sql, options.workspace))
        print(options, { webhooks }, table(['ID', 'NAME', 'STATE', 'EVENTS', 'PROVIDERS', 'URL'], webhooks.map(rowOf)))
      }),
    )

function addUpdate(webhook: Command): void {
  onWebhook(
    webhook,
    'update',
    'change what is named and leave the rest; paused stays paused',
    async ({ context, operator, ref, options }) => {
      const { tools, close } = toolsOf(context)
      try {
        const saved = await editWebhook(operator, tools, ref, patchOf(options))
        return [{ webhook: saved }, `Saved. It applies to changes from now on. ${saved.name}: ${saved.state}.`]
      } finally {
        await close()
      }
    },
    ['--name <name>'],
    ['--url <url>', 'https://… on port 443 of a public host; its count of failures in a row starts again'],
    ['--providers <slugs>', SUBSCRIPTION.providers],
    ['--events <types>', SUBSCRIPTION.events],
    ['--aliases <groups>', `${SUBSCRIPTION.aliases}; '' for none`],
    ['--filters <json>', 'by provider slug: {"openai":{"resources":["gpt-5"],"documents":[]}}; {} for none'],
    ['--min-significance <level>', SUBSCRIPTION.minSignificance],
    ['--min-change <percent>', SUBSCRIPTION.minChange],
  )
}

function addSending(webhook: Command): void {
  onWebhook(webhook, 'test', 'send a signed test event with the next check', async ({ operator, ref }) => {
    const test = await sendTestEvent(operator, ref)
    return [test, `${test.eventId} goes out with the next check: npx pricetape check`]
  })
  onWebhook(webhook, 'pause', 'send nothing until it is resumed', async ({ operator, ref }) => {
    await pauseWebhook(operator, ref, PAUSED_BY_HAND)
    return [{ id: ref.id, state: 'paused' }, 'Paused.']
  })
  onWebhook(
    webhook,
    'resume',
    'send again',
    async ({ operator, ref, options }) => {
      if (!options.resend) {
        await resumeWebhook(operator, ref)
        return [{ id: ref.id, state: 'active' }, 'Resumed.']
      }
      const { resent } = await resumeAndResend(operator, ref)
      return [{ id: ref.id, state: 'active', resent }, `Resumed. Deliveries that start again: ${resent}.`]
    },
    ['--resend', 'start again what was not sent while it was paused'],
  )
}

function addSecrets(webhook: Command): void {
  onWebhook(
    webhook,
    'rotate',
    'make a new secret; it and the present one sign for 24 hours; an older one that still signs ends at once',
    async ({ context, ref }) => {
      const rotated = await rotateSecret(context.sql, context.secretKey, ref)
      const { secret, previousValidUntil, retiredEarlier } = rotated
      const lines = [secret, `The secret before it signs too until ${previousValidUntil}.`]
      if (retiredEarlier) lines.push(RETIRED_EARLIER)
      return [rotated, lines.join('\n')]
    },
  )
  onWebhook(webhook, 'reveal', 'show the signing secret', async ({ context, ref }) => {
    const revealed = await revealSecret(context.sql, context.secretKey, ref)
    return [revealed, revealed.secret]
  })
}

async function create(context: CommandContext, options: CreateOptions): Promise<void> {
  const workspaceId = await findWorkspace(context.sql, options.workspace)
  const { tools, close } = toolsOf(context)
  try {
    const { webhook, secret } = await createWebhook(context.sql, tools, workspaceId, {
      name: options.name,
      url: options.url,
      providers: words(options.providers),
      eventTypes: eventsOf(options.events),
      aliases: options.aliases === undefined ? [] : words(options.aliases),
      minSignificance: options.minSignificance as Significance,
      minChange: options.minChange,
    })
    const text = `id      ${webhook.id}\nsecret  ${secret}\nIt receives what changes from now on.`
    print(options, { id: webhook.id, secret, webhook }, text)
  } finally {
    await close()
  }
}

/** What an edit names. @throws OperatorError when it names nothing */
function patchOf({
  name,
  url,
  providers,
  events,
  aliases,
  filters,
  minSignificance,
  minChange,
}: EditOptions): WebhookPatch {
  const patch: WebhookPatch = {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(providers !== undefined && { providers: words(providers) }),
    ...(events !== undefined && { eventTypes: eventsOf(events) }),
    ...(aliases !== undefined && { aliases: aliases.trim() === '' ? [] : words(aliases) }),
    ...(filters !== undefined && { filters: filtersOf(filters) }),
    ...(minSignificance !== undefined && { minSignificance: minSignificance as Significance }),
    ...(minChange !== undefined && { minChange: percentOption(minChange) }),
  }
  if (Object.keys(patch).length > 0) return patch
  throw new OperatorError(
    'Name what should change: --name, --url, --providers, --events, --aliases, --filters, --min-significance or --min-change.',
  )
}

/** An option's value as per cent. */
function percentOption(text: string): number {
  if (/^\d{1,4}(\.\d{1,6})?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write per cent as a number, as in 5.')
}

function filtersOf(text: string): NonNullable<WebhookPatch['filters']> {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new OperatorError(`--filters is not JSON: ${(cause as Error).message}.`, { cause })
  }
}

function eventsOf(text: string): EventType[] {
  const named = words(text) as EventType[]
  return [...new Set(named.flatMap((word) => ((word as string) === '*' ? USUAL_EVENT_TYPES : [word])))]
}

/** All event types that `*` names are shown as `*`, with those beside it that have to be named. */
function shownEvents(eventTypes: string[]): string {
  const isUsual = (type: string) => (USUAL_EVENT_TYPES as string[]).includes(type)
  if (eventTypes.filter(isUsual).length < USUAL_EVENT_TYPES.length) return eventTypes.join(',')
  return ['*', ...eventTypes.filter((type) => !isUsual(type))].join(',')
}

function words(text: string): string[] {
  const found = text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  if (found.length === 0) throw new OperatorError(`"${text}" names nothing: give one or more, comma-separated.`)
  return found
}

const rowOf = ({ id, name, state, pausedReason, eventTypes, providers, url }: WebhookView): string[] => [
  id,
  name,
  state === 'paused' && pausedReason ? `paused: ${pausedReason}` : state,
  shownEvents(eventTypes),
  providers.join(','),
  url,
]
