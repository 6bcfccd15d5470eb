import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Pricetape } from '../../clients/typescript/src/index.ts'
import { VERSION } from '../lib/process/version.ts'
import { compareGroupTool } from './compare-group.ts'
import { costOfUsageTool } from './cost-of-usage.ts'
import { findResourceTool } from './find-resource.ts'
import { listProvidersTool } from './list-providers.ts'
import { priceAtTool } from './price-at.ts'
import { priceEvidenceTool } from './price-evidence.ts'
import { priceHistoryTool } from './price-history.ts'

const INSTRUCTIONS = `Pricetape knows the published prices of AI and cloud providers as they stood at any instant.
Every answer names the instant it was read at as asOf: cite it, because reading it again gives the same rows.
Prices are exact decimals. Never convert currencies, and never add or rank prices of different units, currencies or tiers.
A source is a price list; sources may disagree, so name the source too. "Recorded" is when a price was seen, which can be
later than when it began to hold.`

const TOOLS = [
  findResourceTool,
  priceAtTool,
  priceHistoryTool,
  priceEvidenceTool,
  compareGroupTool,
  costOfUsageTool,
  listProvidersTool,
]

/** Returns the MCP server: questions about prices, answered by one installation through its API. */
export function createMcpServer(prices: Pricetape): McpServer {
  const server = new McpServer({ name: 'pricetape', version: VERSION }, { instructions: INSTRUCTIONS })
  for (const register of TOOLS) register(server, prices)
  return server
}
