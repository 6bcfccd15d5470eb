import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { ConnectionError, PricetapeError } from '../../clients/typescript/src/index.ts'

/** What a model did wrong or the service refused, as a sentence that says what to do. */
export class ToolError extends Error {
  override name = 'ToolError'
}

/** Every tool reads, changes nothing, and may be called again. */
export const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export type Answer = { text: string; data: Record<string, unknown> }

/**
 * Returns a tool's handler: its answer as text and as data, or its error as text that the model can act on. Fields that a
 * newer service sends and `output` does not describe are left out: clients refuse them.
 */
export function handler<Input>(output: z.ZodRawShape, work: (input: Input, signal: AbortSignal) => Promise<Answer>) {
  const shape = z.object(output)
  return async (input: Input, { signal }: { signal: AbortSignal }): Promise<CallToolResult> => {
    try {
      const { text, data } = await work(input, signal)
      return { content: [{ type: 'text', text }], structuredContent: shape.parse(data) }
    } catch (error) {
      return { content: [{ type: 'text', text: errorText(error) }], isError: true }
    }
  }
}

function errorText(error: unknown): string {
  if (error instanceof ToolError) return error.message
  if (error instanceof ConnectionError) return `${error.message} Check that Pricetape runs, and PRICETAPE_URL.`
  if (!(error instanceof PricetapeError)) return `This tool failed: ${(error as Error).message}`
  if (error.status === 401) return `${error.message} Set PRICETAPE_API_KEY to a key of this installation.`
  return `${error.message} (${error.code}${error.field ? `, parameter ${error.field}` : ''})`
}
