import type { Dimension } from '../../../catalog/schema.ts'
import type { Kind } from './declaration.ts'
import type { Unit } from './per.ts'
import type { Modality } from './price-cell.ts'

type Of = { [modality in Modality]?: Dimension }

const TOKENS: { [kind in Kind]?: Of } = {
  input: {
    text: 'input_tokens', audio: 'input_audio_tokens', image: 'input_image_tokens', video: 'input_video_tokens',
  },
  output: {
    text: 'output_tokens', audio: 'output_audio_tokens', image: 'output_image_tokens', video: 'output_video_tokens',
  },
  cache_read: {
    text: 'cache_read_tokens', audio: 'cache_read_audio_tokens', image: 'cache_read_image_tokens',
    video: 'cache_read_video_tokens',
  },
  cache_write: { text: 'cache_write_tokens', audio: 'cache_write_audio_tokens' },
  citation: { text: 'citation_tokens' },
  reasoning: { text: 'reasoning_tokens' },
} // biome-ignore format: a table
const OTHER: { [unit in Unit]?: { [kind in Kind]?: Dimension } } = {
  token_hour: { cache_read: 'cache_storage_token_hours' },
  character: { input: 'input_characters', output: 'output_characters', speech: 'input_characters' },
  hour: { speech: 'input_audio_hours' },
  page: { input: 'pages' },
  image: { input: 'input_images', output: 'output_images' },
  second: { video_output: 'output_video_seconds' },
  // What a reranker reads are searches, each with its documents.
  search: { search: 'web_searches', input: 'rerank_queries' },
}

/** What a kind of price in a unit is for; undefined where we have no dimension for it. */
export function dimensionOf(kind: Kind, modality: Modality, unit: Unit): Dimension | undefined {
  return unit === 'token' ? TOKENS[kind]?.[modality] : OTHER[unit]?.[kind]
}
