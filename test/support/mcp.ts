import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { nodeArguments } from './installation.ts'

const ROOT = join(import.meta.dirname, '../..')

export type ToolAnswer<T> = { text: string; data: T; isError: boolean }

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
    async call<T>(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer<T>> {
      const answer = await client.callTool({ name, arguments: args })
      const [first] = answer.content as { type: string; text: string }[]
      return { text: first?.text ?? '', data: answer.structuredContent as T, isError: answer.isError === true }
    },
  }
}
