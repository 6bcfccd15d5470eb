import { Command } from 'commander'
import { EVENT_TYPES } from '../events/schema.ts'
import { OperatorError } from '../lib/errors.ts'
import { createWebhook, listWebhooks, revealSecret, rotateSecret } from '../webhooks/endpoint.ts'
import { deleteWebhook, pauseWebhook, resumeAndResend, resumeWebhook, sendTestEvent } from '../webhooks/operations.ts'
import type { WebhookView } from '../webhooks/schema.ts'
import { type OutputOptions, print, table } from './output.ts'
import { onRunning, type Reached, workspaceOr } from './running.ts'
import { onWebhook, toolsOf } from './webhook-tools.ts'

const PAUSED_BY_HAND = 'Paused by an operator.'

type CreateOptions = OutputOptions & {
  name: string
  url: string
  providers: string
  events: string
  aliases?: string
  workspace?: string
}

export function webhookCommand(): Command {
  const webhook = new Command('webhook').description('webhooks')
  webhook
    .command('create')
    .description('create a webhook; prints its id and its signing secret')
    .requiredOption('--name <name>')
    .requiredOption('--url <url>', 'https://… on port 443 of a public host')
    .option('--providers <slugs>', "comma-separated, or '*'", '*')
    .option('--events <types>', `comma-separated, or '*'. There are: ${EVENT_TYPES.join(', ')}`, '*')
    .option('--aliases <groups>', 'alias groups, ids or names, comma-separated')
    .option('--workspace <workspace>', 'id or name; the first workspace when left out')
    .option('--json', 'print JSON')
    .action((options: CreateOptions) => onRunning((reached) => create(reached, options)))
  webhook
    .command('list')
    .description('the webhooks of a workspace')
    .option('--workspace <workspace>', 'id or name; the first workspace when left out')
    .option('--json', 'print JSON')
    .action((options: OutputOptions & { workspace?: string }) =>
      onRunning(async ({ sql }) => {
        const webhooks = await listWebhooks(sql, await workspaceOr(sql, options.workspace))
        print(options, { webhooks }, table(['ID', 'NAME', 'STATE', 'EVENTS', 'PROVIDERS', 'URL'], webhooks.map(rowOf)))
      }),
    )
  onWebhook(webhook, 'test', 'send a signed test event with the next check', async ({ operator, ref }) => {
    const test = await sendTestEvent(operator, ref)
    return [test, `${test.eventId} goes out with the next check: npm run pricetape -- check`]
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
      return [{ id: ref.id, state: 'active', resent }, `Resumed; ${resent} unsent deliveries start again.`]
    },
    ['--resend', 'start again what was not sent while it was paused'],
  )
  onWebhook(webhook, 'rotate', 'make a new secret; both sign for 24 hours', async ({ reached, ref }) => {
    const rotated = await rotateSecret(reached.sql, reached.secretKey, ref)
    return [rotated, `${rotated.secret}\nThe secret before it signs too until ${rotated.previousValidUntil}.`]
  })
  onWebhook(webhook, 'reveal', 'show the signing secret', async ({ reached, ref }) => {
    const revealed = await revealSecret(reached.sql, reached.secretKey, ref)
    return [revealed, revealed.secret]
  })
  onWebhook(webhook, 'delete', 'delete it with its log and its pending deliveries', async ({ operator, ref }) => {
    await deleteWebhook(operator, ref)
    return [{ id: ref.id, deleted: true }, 'Deleted.']
  })
  return webhook
}

async function create(reached: Reached, options: CreateOptions): Promise<void> {
  const workspaceId = await workspaceOr(reached.sql, options.workspace)
  const { tools, close } = toolsOf(reached)
  try {
    const { webhook, secret } = await createWebhook(reached.sql, tools, workspaceId, {
      name: options.name,
      url: options.url,
      providers: words(options.providers),
      eventTypes: options.events === '*' ? [...EVENT_TYPES] : (words(options.events) as (typeof EVENT_TYPES)[number][]),
      aliases: options.aliases === undefined ? [] : words(options.aliases),
    })
    const text = `id      ${webhook.id}\nsecret  ${secret}\nIt receives what changes from now on.`
    print(options, { id: webhook.id, secret, webhook }, text)
  } finally {
    await close()
  }
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
  eventTypes.length === EVENT_TYPES.length ? '*' : eventTypes.join(','),
  providers.join(','),
  url,
]
