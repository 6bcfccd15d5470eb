import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Pricetape } from '../../clients/typescript/src/index.ts'
import { handler, READ_ONLY } from './tool.ts'

const output = {
  providers: z.array(
    z.object({
      provider: z.string().describe('the slug that other tools take'),
      name: z.string(),
      status: z.string(),
      freshness: z.string().describe('stale: its prices have not been checked for a while'),
      lastCheckedAt: z.string().nullable(),
    }),
  ),
}

export function listProvidersTool(server: McpServer, prices: Pricetape): void {
  server.registerTool(
    'list_providers',
    {
      title: 'List providers',
      description: 'Lists the providers whose prices are recorded, with their slugs and how fresh their prices are.',
      inputSchema: {},
      outputSchema: output,
      annotations: READ_ONLY,
    },
    handler(output, async (_given: Record<string, never>, signal) => {
      const providers = await prices.providers({ signal })
      const lines = providers.map(
        ({ provider, name, status, freshness }) => `${provider}: ${name}, ${status}, ${freshness}`,
      )
      return { text: lines.join('\n') || 'No provider is recorded yet.', data: { providers } }
    }),
  )
}
