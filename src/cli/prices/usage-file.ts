import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { anthropicItems, openAiItems, type UsageItem } from '../../../clients/typescript/src/cost/index.ts'
import { OperatorError } from '../../lib/errors.ts'

const count = z.number().int().min(0).optional()
const input = z.object({ cached_tokens: count, audio_tokens: count }).optional()
const output = z.object({ reasoning_tokens: count, audio_tokens: count }).optional()
const openAi = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  input_tokens: count,
  output_tokens: count,
  prompt_tokens_details: input,
  input_tokens_details: input,
  completion_tokens_details: output,
  output_tokens_details: output,
})
const anthropic = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: z.object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }).optional(),
  server_tool_use: z.object({ web_search_requests: count }).optional(),
})

/**
 * Returns what a file says was used: the usage object of an answer of OpenAI's or Anthropic's API, or the answer itself.
 * @throws OperatorError
 */
export async function readUsageFile(file: string): Promise<UsageItem[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new OperatorError(`The usage could not be read: ${error.message}`)
  })
  const answer = z.looseObject({ usage: z.looseObject({}) }).safeParse(parsed(text)).data
  const usage = answer?.usage ?? parsed(text)
  // Only Anthropic's API counts what is read from a cache and written to one beside its input.
  const isAnthropic = z.looseObject({ cache_read_input_tokens: z.unknown() }).safeParse(usage).data
  const items =
    isAnthropic?.cache_read_input_tokens === undefined
      ? readAs(openAi, usage, file, openAiItems)
      : readAs(anthropic, usage, file, anthropicItems)
  if (items.length > 0) return items
  throw new OperatorError(
    `${file} counts no tokens: give the usage object of an answer of OpenAI’s or Anthropic’s API.`,
  )
}

function readAs<T>(schema: z.ZodType<T>, usage: unknown, file: string, itemsOf: (usage: T) => UsageItem[]) {
  const read = schema.safeParse(usage)
  if (read.success) return itemsOf(read.data)
  const [issue] = read.error.issues
  throw new OperatorError(`${file} is not a usage: ${[...issue!.path, issue!.message].join(': ')}`)
}

/** Null counts as left out, as in the APIs; undefined for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (value === null ? undefined : value))
  } catch {
    return undefined
  }
}
