import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Pricetape } from '../../clients/typescript/src/index.ts'
import { findResources, type Match } from './name-rules.ts'
import { providerInput } from './schema.ts'
import { type Answer, handler, READ_ONLY } from './tool.ts'

const DEFAULT_MATCHES = 25
const MOST_MATCHES = 200

const input = {
  query: z.string().min(1).max(200).describe('part of a name, such as "gpt 5 mini" or "claude sonnet"'),
  provider: providerInput,
  limit: z.number().int().min(1).max(MOST_MATCHES).default(DEFAULT_MATCHES),
}
const output = {
  matches: z.array(
    z.object({
      provider: z.string(),
      resource: z.string().describe('the provider’s own name: what price_at takes'),
      canonicalResource: z.string().nullable(),
      group: z.string().nullable().describe('the alias group it is in: what compare_group takes'),
    }),
  ),
  total: z.number().int(),
}
type Input = z.infer<z.ZodObject<typeof input>>

export function findResourceTool(server: McpServer, prices: Pricetape): void {
  server.registerTool(
    'find_resource',
    {
      title: 'Find a model or service',
      description: 'Finds what providers sell by its name, its canonical id or its alias group; the best match first.',
      inputSchema: input,
      outputSchema: output,
      annotations: READ_ONLY,
    },
    handler(output, (given: Input, signal) => findResource(prices, given, signal)),
  )
}

async function findResource(
  prices: Pricetape,
  { query, provider, limit }: Input,
  signal: AbortSignal,
): Promise<Answer> {
  const listing = await prices.aliases({ signal })
  const resources = listing.resources.filter((listed) => provider === undefined || listed.provider === provider)
  const found = findResources({ groups: listing.groups, resources }, query)
  const matches = found.slice(0, limit)
  const lines = matches.map(matchText)
  if (matches.length === 0) lines.push(`Nothing is called ${query}. Try fewer words, or list_providers.`)
  if (found.length > limit) lines.push(`${found.length - limit} more: add a word or a provider.`)
  return { text: lines.join('\n'), data: { matches, total: found.length } }
}

const matchText = ({ provider, resource, canonicalResource, group }: Match): string =>
  [`${provider}: ${resource}`, canonicalResource && `canonical id ${canonicalResource}`, group && `group ${group}`]
    .filter(Boolean)
    .join(', ')
