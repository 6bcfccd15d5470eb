import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Command } from 'commander'
import { Pricetape } from '../../clients/typescript/src/index.ts'
import { createMcpServer } from '../mcp/server.ts'
import { askedInstallation } from './asked-installation.ts'

/** A model waits for an answer: give up sooner than a bulk reader would. */
const RETRIES = 3
const TIMEOUT_MS = 30_000

export const mcpCommand = (): Command =>
  new Command('mcp')
    .description('an MCP server on stdin and stdout: what did this cost in March?')
    .addHelpText(
      'after',
      '\nIt asks the installation at PRICETAPE_URL with PRICETAPE_API_KEY. Without\nPRICETAPE_URL it asks the one that runs on the data folder, with a key that it\ncreates there once.',
    )
    .action(async () => {
      const prices = new Pricetape({ ...(await askedInstallation()), retries: RETRIES, timeoutMs: TIMEOUT_MS })
      const transport = new StdioServerTransport()
      const ended = new Promise<void>((resolve) => {
        // The client ends a server by closing its input.
        for (const event of ['end', 'close']) process.stdin.once(event, () => resolve())
      })
      await createMcpServer(prices).connect(transport)
      await ended
      await transport.close()
    })
