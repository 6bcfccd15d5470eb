import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Pricetape } from '../../clients/typescript/src/index.ts'
import { createMcpServer } from '../../src/mcp/server.ts'
import { nodeArguments } from './installation.ts'

const ROOT = join(import.meta.dirname, '../..')

export type ToolAnswer<T> = { isError: boolean; text: string; data: T }

const callOf =
  (client: Client) =>
  async <T>(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer<T>> => {
    const answer = await client.callTool({ name, arguments: args })
    const [first] = answer.content as { type: string; text: string }[]
    return { isError: answer.isError === true, text: first?.text ?? '', data: answer.structuredContent as T }
  }

/** The SDK's own client, on the tools in this process, which read an API. */
export async function connectTools({ url, key }: { url: string; key: string }) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1.0.0' })
  await Promise.all([createMcpServer(new Pricetape({ url, apiKey: key })).connect(ours), client.connect(theirs)])
  return { close: () => client.close(), call: callOf(client) }
}

/** The SDK's own client, on `pricetape mcp` as a process of its own. `errors` holds what was not the protocol. */
export async function connectMcp(env: Record<string, string>, entry = 'src/cli/main.js') {
  const { PATH = '', HOME = '' } = process.env
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...(await nodeArguments(entry)), 'mcp'],
    env: { PATH, HOME, ...env },
    cwd: ROOT,
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (chunk) => (said += String(chunk)))
  const client = new Client({ name: 'test', version: '1.0.0' })
  const errors: Error[] = []
  client.onerror = (error) => errors.push(error)
  await client.connect(transport)
  return {
    client,
    errors,
    said: () => said,
    call: callOf(client),
  }
}
