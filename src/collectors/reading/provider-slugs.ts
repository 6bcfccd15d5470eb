import { lookUp } from '../../lib/collections.ts'

/** What other lists call a provider, and the slug it has here: one provider, one slug, whichever source speaks of it. */
const SLUGS: Record<string, string> = {
  'amazon-bedrock': 'aws', amazon_nova: 'aws', azure_ai: 'azure-ai', azure_text: 'azure', bedrock: 'aws',
  bedrock_converse: 'aws', bedrock_mantle: 'aws', 'azure-cognitive-services': 'azure', codestral: 'mistral',
  cohere_chat: 'cohere', dashscope: 'alibaba', 'fireworks-ai': 'fireworks', fireworks_ai: 'fireworks',
  'fireworks_ai-embedding-models': 'fireworks', friendliai: 'friendli', gemini: 'google', github_copilot: 'github-copilot',
  'google-vertex-anthropic': 'google-vertex', moonshot: 'moonshotai', 'novita-ai': 'novita', 'cloudflare-workers-ai': 'cloudflare',
  'text-completion-codestral': 'mistral', 'text-completion-openai': 'openai', together_ai: 'together',
  togetherai: 'together', vercel_ai_gateway: 'vercel', vertex_ai: 'google-vertex', voyage: 'voyageai', xai: 'x-ai',
} // biome-ignore format: a vocabulary reads best in lines

/** The slug of a provider another list names; lower case, with what a slug cannot hold made a dash. */
export function providerSlug(name: string): string {
  const plain = name.toLowerCase().trim()
  if (plain.startsWith('vertex_ai-')) return 'google-vertex'
  return lookUp(SLUGS, plain) ?? plain.replace(/[^a-z0-9._-]+/g, '-').replace(/^[^a-z0-9]+/, '')
}
