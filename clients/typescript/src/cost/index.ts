export { costOf, costs } from './cost.ts'
export type * from './types.ts'
export { type AnthropicUsage, anthropicItems, type OpenAiUsage, openAiItems } from './usage.ts'
