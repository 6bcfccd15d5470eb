import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Command } from 'commander'
import { Pricetape } from '../../clients/typescript/src/index.ts'
import { dataFolder, readRunning } from '../embedded/data-folder.ts'
import { readConfig } from '../lib/config.ts'
import { OperatorError } from '../lib/errors.ts'
import { createMcpServer } from '../mcp/server.ts'
import { localApiKey } from './mcp-key.ts'

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
      const prices = new Pricetape({ ...(await installation()), retries: RETRIES, timeoutMs: TIMEOUT_MS })
      const transport = new StdioServerTransport()
      const ended = new Promise<void>((resolve) => {
        // The client ends a server by closing its input.
        for (const event of ['end', 'close']) process.stdin.once(event, () => resolve())
      })
      await createMcpServer(prices).connect(transport)
      await ended
      await transport.close()
    })

/** Which installation is asked, and with which key. @throws OperatorError */
async function installation(): Promise<{ url: string; apiKey: string }> {
  const { url, apiKey, dataDir } = readConfig(process.env)
  if (url !== undefined && apiKey !== undefined) return { url, apiKey }
  if (url !== undefined) throw new OperatorError(`Set PRICETAPE_API_KEY to a key of ${url}.`)
  const folder = dataFolder(dataDir)
  const running = await readRunning(folder)
  if (!running?.url)
    throw new OperatorError(
      `Pricetape does not run on ${folder.root}: start it with npm start, or set PRICETAPE_URL and PRICETAPE_API_KEY.`,
    )
  return { url: running.url, apiKey: apiKey ?? (await localApiKey(folder, running)) }
}
