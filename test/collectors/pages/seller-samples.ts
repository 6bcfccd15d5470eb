import { md } from './samples.ts'

/**
 * Pages of sellers as they were recorded, shortened: their headings, cells and notes in the same places, with figures of the
 * day named. Prose is left out or replaced.
 */

// ---- Cohere: the data of the page and its questions, of 2026-08-26 and 2026-10-06

type Box = [name: string, per: string, ...prices: [string, number][]]
const box = ([modelName, per, ...prices]: Box) => ({
  _type: 'model',
  modelName,
  per: per.startsWith('1K') ? '1M tokens' : per,
  portableBody: [{ text: '128K [context] "window"' }],
  ...(prices.length > 0 && {
    pricings: [
      {
        _type: 'pricing',
        inputLabel: prices[0]![0],
        inputPrice: prices[0]![1],
        ...(prices[1] && { outputLabel: prices[1][0], outputPrice: prices[1][1] }),
        ...(per.startsWith('1K') && { outputLabel: 'Output', overridePer: per }),
      },
    ],
  }),
  primaryCta: { label: '$$3.75 an hour' },
})
const push = (text: string) => `<script>self.__next_f.push([1,${JSON.stringify(text)}])</script>`
const COHERE_FAQ =
  '<h5>Where do I find pricing for our legacy models?</h5><p>For existing customers:</p><ul><li>Command pricing is $1.00/1M tokens for input and $2.00/1M tokens for output</li><li>Command R 03-2024 pricing is $0.50/1M tokens for input and $1.50/1M tokens for output</li></ul><p>Command R+ 08-2024 pricing is $2.50/1M tokens for input and $10.00/1M tokens for output</p><p>Aya Expanse models (8B and 32B) on the API are charged at $0.50/1M tokens for input and $1.50/1M tokens for output.</p>'
const FREE: [string, number][] = [
  ['API key', 0],
  ['Model download', 0],
]
const cohere = (retrieval: Box[]) => {
  const groups = [
    { title: 'Workplace systems', models: [box(['North', '1M tokens']), box(['Compass', '1M tokens'])] },
    {
      title: 'Generative models',
      models: [
        box(['Command A+', 'Free', ...FREE]),
        box(['Command R', '1M tokens', ['Input', 0.15], ['Output', 0.6]]),
        box(['Command R7B', '1M tokens', ['Input', 0.0375], ['Output', 0.15]]),
        box(['Transcribe', '1M tokens']),
      ],
    },
    { title: 'Advanced retrieval models', models: retrieval.map(box) },
    { title: 'Coding models', models: [box(['North Mini Code', 'Free', ...FREE])] },
  ]
  const data = `30:["$","$L34",null,{"_type":"web3PricingSection","pricingGroups":${JSON.stringify(groups)},"testimonialReferences":null}]\n31:["$","div",null,{}]\n`
  return `<!DOCTYPE html><html lang="en-US"><head><title>Pricing | Cohere</title></head><body><h1>Pricing</h1><div role="tablist"><button role="tab" aria-selected="true">Workplace systems</button></div><h4>Model Vault</h4><div class="grid"><div><p>Model</p></div><div><p>Hourly rate per instance</p></div></div><div class="grid"><div><p>Embed 4</p></div><div><p>$4.00</p></div></div>${COHERE_FAQ}${push(data.slice(0, 400))}${push(data.slice(400))}</body></html>`
}
const RERANK: Box[] = [
  ['Rerank 4 Fast', '1K searches', ['Cost', 2]],
  ['Rerank 4 Pro', '1K searches', ['Cost', 2.5]],
]
const cohereAugust = cohere([['Embed 4', '1M tokens', ['Cost', 0.12], ['Image cost', 0.47]], ...RERANK])
const cohereNewest = cohere([
  ['Embed 5 Pro', '1M tokens', ['Cost', 0.12]],
  ['Embed 5 Fast', '1M tokens', ['Cost', 0.08]],
  ...RERANK,
  ['Parse 5', '1K pages', ['Cost', 1.5]],
])

// ---- Groq: models.md of the first half of 2026 and 2026-08, and the page of 2026-10-01 as a clipping

const GROQ = ['MODEL ID', 'SPEED (T/SEC)', 'PRICE PER 1M TOKENS', 'RATE LIMITS (DEVELOPER PLAN)', 'CONTEXT WINDOW (TOKENS)', 'MAX COMPLETION TOKENS', 'MAX FILE SIZE'] // biome-ignore format: a table
const groqRow = (name: string, id: string, price: string, more = '', link = `/docs/model/${id}`) =>
  `[![Maker](https://console.groq.com/_next/image?url=%2Flogo.png&w=48&q=75)${name}](${link})${more}${id} | 500 | ${price} | ${/sales/i.test(price) ? price : '250K TPM1K RPM'} | 131,072 | 65,536 | \\-`
const groq = (production: string[], preview: string[], systems = true) =>
  ['---', 'description: Explore all available models on GroqCloud.', 'title: Supported Models - GroqDocs', '---', '', '# Supported Models', '', 'Explore all available models on GroqCloud.', '',
   '## [Featured Models and Systems](#featured-models-and-systems)', '', '[![Groq Compound icon](https://console.groq.com/x)Groq CompoundGroq Compound is an AI system](/docs/compound/systems/compound)', '',
   '## [Production Models](#production-models)', '', '**Note:** Production models are intended for production.', '', md(GROQ, production), '',
   ...(systems ? ['## [Production Systems](#production-systems)', '', '  ', md(GROQ, [groqRow('Compound', 'groq/compound', '\\-', '', '/docs/compound/systems/compound')]), ''] : []),
   '## [Preview Models](#preview-models)', '', md(GROQ, preview), '', '## [Deprecated Models](#deprecated-models)', '', 'Read about deprecations.', '', '```', 'curl https://api.groq.com/openai/v1/models', '```'].join('\n') // biome-ignore format: a page
const GROQ_SPEECH = [
  groqRow('Whisper', 'whisper-large-v3', '$0.111 per hour'),
  groqRow('Whisper Large V3 Turbo', 'whisper-large-v3-turbo', '$0.04 per hour'),
]
const GPT_OSS = [
  groqRow('GPT OSS 120B', 'openai/gpt-oss-120b', '$0.15 input$0.60 output'),
  groqRow('GPT OSS 20B', 'openai/gpt-oss-20b', '$0.075 input$0.30 output'),
]
const GUARDS = [
  groqRow('Canopy Labs Orpheus V1 English', 'canopylabs/orpheus-v1-english', '$22.00 per 1M characters'),
  groqRow('Prompt Guard 2 86M', 'meta-llama/llama-prompt-guard-2-86m', '$0.04 input$0.04 output'),
]
const groqSpring = groq(
  [
    groqRow('Llama 3.1 8B', 'llama-3.1-8b-instant', '$0.05 input$0.08 output'),
    groqRow('Llama 3.3 70B', 'llama-3.3-70b-versatile', '$0.59 input$0.79 output'),
    ...GPT_OSS,
    ...GROQ_SPEECH,
  ],
  [...GUARDS, groqRow('Qwen3-32B', 'qwen/qwen3-32b', '$0.29 input$0.59 output')],
)
const LLAMA_ON_REQUEST = [
  groqRow('Llama 3.1 8B', 'llama-3.1-8b-instant', 'ContactSales', 'Enterprise'),
  groqRow('Llama 3.3 70B', 'llama-3.3-70b-versatile', 'ContactSales', 'Enterprise'),
]
const groqAugust = groq(
  [...LLAMA_ON_REQUEST, ...GPT_OSS, ...GROQ_SPEECH],
  [
    ...GUARDS,
    groqRow('Qwen/Qwen3.6-27B', 'qwen/qwen3.6-27b', '$0.60 input$3.00 output'),
    groqRow('Qwen/Qwen3.8-27B', 'qwen/qwen3.8-27b', '$0.80 input$4.00 output'),
  ],
)
const groqNewest = groq(
  [...LLAMA_ON_REQUEST, ...GPT_OSS, ...GROQ_SPEECH],
  [
    ...GUARDS,
    groqRow('MiniMax M2.7', 'minimaxai/minimax-m2.7', 'ContactSales', 'Enterprise'),
    groqRow('Qwen/Qwen3.8-27B', 'qwen/qwen3.8-27b', '$0.80 input$4.00 output'),
  ],
  false,
)
  .replaceAll('](/docs/model/', '](https://console.groq.com/docs/model/')
  .replaceAll(')Enterprise', ') Enterprise  ')

// ---- Together: serverless-models.md of about 2026-03, serverless/models.md of about 2026-09, the chat and image tables of 2026-10

const TOGETHER = ['Organization', 'Model name', 'API model string', 'Context length', 'Input pricing (per 1M tokens)', 'Cached input pricing (per 1M tokens)', 'Output pricing (per 1M tokens)', 'Quantization', 'Function calling', 'Structured outputs'] // biome-ignore format: a table
const VISION = [...TOGETHER.slice(0, 5), 'Output pricing (per 1M tokens)']
const togetherRow = (name: string, id: string, input: string, cached: string, output: string) =>
  `Maker | ${name} | ${id} | 131072 | ${input} | ${cached} | ${output} | FP8 | Yes | Yes`
const together = (chat: string[], images: string, more: string[]) =>
  ['> ## Documentation Index', '> Fetch the complete documentation index at: https://docs.together.ai/llms.txt', '', '# Available models', '', '<Columns cols={4}>', '  <Card title="Chat" icon="message-circle" href="#chat-models" horizontal />', '</Columns>', '', '## Chat models', '', '<Note>', '  Serverless and dedicated models differ.', '</Note>', '', md(TOGETHER, chat), '', '**Chat model examples**', '', '## Image models', '', images, '', ...more].join('\n') // biome-ignore format: a page
const IMAGES = md(
  ['Organization', 'Model name', 'Model string for API', 'Price per MP', 'Default steps'],
  ['Google | Imagen 4.0 Fast | google/imagen-4.0-fast | \\$0.02 | -'],
)
const VIDEO_AUDIO = [
  '## Video models', '', md(['Organization', 'Model name', 'Model string for API', 'Price per video', 'Resolution / duration'], ['OpenAI | Sora 2 | openai/sora-2 | \\$0.80 | 720p / 8s']), '',
  '## Audio models', '', md(['Organization', 'Modality', 'Model name', 'Model string for API', 'Pricing'], ['Kokoro | Text-to-Speech | Kokoro | hexgrad/Kokoro-82M | \\$4.00 per 1M chars']), '',
] // biome-ignore format: a page
const togetherMarch = together(
  [
    togetherRow('Minimax M2.5', 'MiniMaxAI/MiniMax-M2.5', '\\$0.30', '\\$0.06', '\\$1.20'),
    togetherRow('GLM-5', 'zai-org/GLM-5', '\\$1.00', '-', '\\$3.20'),
    togetherRow('GPT-OSS 120B', 'openai/gpt-oss-120b', '\\$0.15', '-', '\\$0.60'),
    togetherRow('DeepSeek-V3.1', 'deepseek-ai/DeepSeek-V3.1', '\\$0.60', '-', '\\$1.70'),
    togetherRow(
      'Llama 4 Maverick<br />(17Bx128E)',
      'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8',
      '\\$0.27',
      '-',
      '\\$0.85',
    ),
    togetherRow('Gemma Instruct (2B)', 'google/gemma-2b-it\\*', '\\$0.00', '-', '\\$0.00'),
    togetherRow('Arcee AI Trinity Mini', 'arcee-ai/trinity-mini', '\\$0.045', '-', '\\$0.15'),
  ],
  IMAGES,
  [
    '## Vision models', '', md(VISION, ['Qwen | Qwen3-VL-32B-Instruct | Qwen/Qwen3-VL-32B-Instruct | 262144 | \\$0.50 | \\$1.50']), '', ...VIDEO_AUDIO,
    '## Embedding models', '', md(['Model Name', 'Model String for API', 'Model Size', 'Embedding Dimension', 'Context Window', 'Pricing (per 1M tokens)'], ['Multilingual-e5-large-instruct | intfloat/multilingual-e5-large-instruct | 560M | 1024 | 514 | \\$0.02']), '',
    '## Moderation models', '', md(['Organization', 'Model Name', 'Model String for API', 'Context length', 'Pricing (per 1M tokens)'], ['Meta | Llama Guard 4 (12B) | meta-llama/Llama-Guard-4-12B | 1048576 | \\$0.20']),
  ], // biome-ignore format: a page
)
  .replaceAll('Model name', 'Model Name')
  .replaceAll('API model string', 'API Model String')
const TOGETHER_AUTUMN = [
  togetherRow('Kimi K3', 'moonshotai/Kimi-K3', '\\$3.00', '\\$0.30', '\\$15.00'),
  togetherRow('GLM-5.3', 'zai-org/GLM-5.3', '\\$1.40', '\\$0.26', '\\$4.40'),
  togetherRow('GPT-OSS 120B', 'openai/gpt-oss-120b', '\\$0.15', '-', '\\$0.60'),
  togetherRow('DeepSeek V4 Pro 0813', 'deepseek-ai/DeepSeek-V4-Pro-0813', '\\$1.32', '\\$0.13', '\\$3.96'),
  togetherRow('Llama 3.3 70B Instruct Turbo', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', '\\$1.04', '-', '\\$1.04'),
  togetherRow('Ternary Bonsai 27B', 'Prism-ML/Ternary-Bonsai-27B', 'Free', '-', 'Free'),
]
const togetherSeptember = together(
  [...TOGETHER_AUTUMN, togetherRow('Qwen3.5 9B', 'Qwen/Qwen3.5-9B', '\\$0.17', '-', '\\$0.25')],
  IMAGES,
  ['## Vision models', '', md(VISION, ['Qwen | Qwen3.5 9B | Qwen/Qwen3.5-9B | 262144 | \\$0.17 | \\$0.25', 'Moonshot | Kimi K3 | moonshotai/Kimi-K3 | 1048576 | \\$3.00 | \\$15.00']), '', ...VIDEO_AUDIO, '## Embedding models', '', 'There are currently no embedding models offered via serverless.'],
) // biome-ignore format: a page
const togetherNewest = together(
  TOGETHER_AUTUMN,
  md(
    ['Organization', 'Model name', 'Model string for API', 'Unit', 'Price', 'Output per \\$1'],
    [
      'Black Forest Labs | Flux1.1 \\[pro] | black-forest-labs/FLUX.1.1-pro | `megapixel` | \\$0.04 | 25 megapixels',
      'OpenAI | GPT Image 2 | openai/gpt-image-2 | `image` | \\$0.053+ ([varies](/docs/x)) | 19 images',
    ],
  ),
  ['## Vision models'],
)

// ---- Fireworks: serverless/pricing.md of 2026-08 and 2026-09, and a column of 2026-08 as public tests hold it

const fire = (name: string, slug: string, standard: string, priority: string) =>
  `[${name}](https://app.fireworks.ai/models/fireworks/${slug}) | ${standard} | ${priority}`.replaceAll('$', '\\$')
const fireworks = (columns: string[], rows: string[]) =>
  ['> ## Documentation Index', '> Fetch the complete documentation index at: https://docs.fireworks.ai/llms.txt', '', '# Serverless Pricing', '', '## Overview', '', '## How pricing works', '', '* Prices below are **per 1 million tokens** in US dollars.', '* **Batch inference** is billed at **50% of serverless pricing**.', '',
   '## Text and vision models', '', 'Per-model pricing. In each **Standard** or **Priority** cell, prices are **input / cached input / output** (USD per 1M tokens), in that order.', '', md(columns, rows), '', '**—** in the Priority column means Priority is not available for that model.', '',
   '## Other base models — by size and architecture', '', md(['Model', '\\$ / 1M tokens'], ['Less than 4B parameters | \\$0.10', 'MoE up to 56B parameters (e.g. Mixtral 8x7B) | \\$0.50']), '',
   '## Embeddings', '', 'Embeddings are billed per 1M input tokens.', '', md(['Base model parameter count', '\\$ / 1M input tokens'], ['up to 150M | \\$0.008', 'Qwen3 8B | \\$0.10']), '', '## Notes'].join('\n') // biome-ignore format: a page
const K3 = [
  fire('Kimi K3', 'kimi-k3', '$3.00 / $0.30 / $15.00', '$3.75 / $0.375 / $18.75'),
  fire('Kimi K3 Fast', 'kimi-k3', '$4.50 / $0.45 / $22.50', '—'),
]
const FIRE_AUGUST = [
  ...K3,
  fire('Kimi K3 US', 'kimi-k3', '$3.30 / $0.33 / $16.50', '$4.125 / $0.4125 / $20.625'),
  fire('DeepSeek V4 Flash (0731)', 'deepseek-v4-flash-0731', '$0.14 / $0.028 / $0.28', '$0.21 / $0.042 / $0.42'),
  fire('GLM 5.2', 'glm-5p2', '$1.40 / $0.14 / $4.40', '$1.75 / $0.18 / $5.50'),
  fire('GLM 5.2 Fast US', 'glm-5p2', '$2.10 / $0.21 / $6.60', '—'),
  fire('Qwen 3.7 Plus', 'qwen3p7-plus', '$0.40 / $0.08 / $1.60', '—'),
  fire('MiniMax M3', 'minimax-m3', '$0.30 / $0.06 / $1.20', '$0.45 / $0.09 / $1.80'),
  fire('OpenAI GPT OSS 120B', 'gpt-oss-120b', '$0.15 / $0.015 / $0.60', '$0.18 / $0.018 / $0.72'),
  fire('NVIDIA Nemotron 3 Ultra (Preview)', 'nemotron-3-ultra-nvfp4', '$0.60 / $0.12 / $2.40', '—'),
]
const FIRE = ['Model', 'Standard', 'Priority']
const fireworksAugust = fireworks(FIRE, FIRE_AUGUST)
const fireworksReserved = fireworks(
  [...FIRE, 'Reserved Throughput'],
  FIRE_AUGUST.map((row, at) => `${row} | ${at < 2 ? '✓' : ''}`),
)
const fireworksNewest = fireworks(FIRE, [
  ...K3,
  fire('Kimi K3 (US)', 'kimi-k3', '$4.50 / $0.45 / $22.50', '$5.625 / $0.5625 / $28.125'),
  fire('DeepSeek V4.1 Flash', 'deepseek-v4p1-flash', '$0.30 / $0.006 / $1.20', '$0.375 / $0.0075 / $1.50'),
  fire('DeepSeek V4.1 Flash (US)', 'deepseek-v4p1-flash', '$0.45 / $0.009 / $1.80', '$0.5625 / $0.01125 / $2.25'),
  fire('GLM 5.3 Flash (US)', 'glm-5p3-flash', '$0.225 / $0.045 / $0.75', '—'),
  fire('GLM 5.3', 'glm-5p3', '$1.40 / $0.26 / $4.40', '$1.75 / $0.325 / $5.50'),
  fire('GLM 5.3 Fast', 'glm-5p3', '$2.10 / $0.39 / $6.60', '—'),
  fire('Qwen 3.8 Max', 'qwen3p8-max', '$2.00 / $0.25 / $6.00', '$3.00 / $0.375 / $9.00'),
  fire('OpenAI GPT OSS 120B', 'gpt-oss-120b', '$0.15 / $0.015 / $0.60', '$0.18 / $0.018 / $0.72'),
])

// ---- Cloudflare: the source of its page of 2025, a clipping of 2026-07-15, and the HTML of 2026-08-27

const CF = ['Model', 'Price in Tokens', 'Price in Neurons']
type Cf = [id: string, tokens: string, neurons: string]
const cf = (id: string, input: number, output?: number, cached?: number): Cf => [
  id,
  [
    `$${input.toFixed(3)} per M input tokens`,
    ...(cached === undefined ? [] : [`$${cached.toFixed(3)} per M cached input tokens`]),
    ...(output === undefined ? [] : [`$${output.toFixed(3)} per M output tokens`]),
  ].join(' <br/> '),
  '2457 neurons per M input tokens',
]
const CF_LLM = [
  cf('@cf/meta/llama-3.2-1b-instruct', 0.027, 0.201),
  cf('@cf/meta/llama-3.2-3b-instruct', 0.051, 0.335),
  cf('@cf/meta/llama-3.3-70b-instruct-fp8-fast', 0.293, 2.253),
  cf('@cf/mistral/mistral-7b-instruct-v0.1', 0.11, 0.19),
  cf('@cf/meta/llama-3.1-8b-instruct', 0.282, 0.827),
  cf('@cf/meta/llama-2-7b-chat-fp16', 0.556, 6.667),
]
const CF_EMBED = [cf('@cf/baai/bge-small-en-v1.5', 0.02), cf('@cf/baai/bge-large-en-v1.5', 0.204)]
const CF_IMAGE: Cf[] = [
  [
    '@cf/black-forest-labs/flux-1-schnell',
    '$0.0000528 per 512x512 tile <br/> $0.0001056 per step',
    '4.80 neurons per 512x512 tile',
  ],
]
const CF_OTHER: Cf[] = [
  cf('@cf/huggingface/distilbert-sst-2-int8', 0.026),
  cf('@cf/meta/m2m100-1.2b', 0.342, 0.342),
  ['@cf/microsoft/resnet-50', '$2.51 per M images', '228055 neurons per M images'],
]
const CF_SECTIONS = (llm: Cf[]): [string, Cf[]][] => [
  ['LLM model pricing', llm],
  ['Embeddings model pricing', CF_EMBED],
  ['Image model pricing', CF_IMAGE],
  [
    'Audio model pricing',
    [['@cf/deepgram/nova-3 (WebSocket)', '$0.0092 per audio minute input <br/>', '836.36 neurons']],
  ],
  ['Other model pricing', CF_OTHER],
]
const CF_TOP = ['---', 'title: Pricing', '---', '', ':::note', 'Workers AI has updated pricing.', ':::', '', 'Workers AI is priced at **$0.011 per 1,000 Neurons**.', '', md(['', 'Free <br/> allocation', 'Pricing'], ['Workers Paid | 10,000 Neurons per day | $0.011 / 1,000 Neurons']), '', '## What are Neurons?', ''] // biome-ignore format: a page
const cloudflareMd = (sections: [string, Cf[]][]) =>
  [...CF_TOP, ...sections.flatMap(([title, rows]) => [`## ${title}`, '', md(CF, rows.map((row) => row.join(' | '))), ''])].join('\n') // biome-ignore format: a page
const cloudflare2025 = cloudflareMd([
  ['LLM model pricing', [...CF_LLM, cf('@cf/meta/llama-3.1-8b-instruct-awq', 0.123, 0.266)]],
  [
    'Other model pricing',
    [...CF_IMAGE, ...CF_OTHER.slice(0, 2), ...CF_EMBED, ['@cf/openai/whisper', '$0.0005 per audio minute', '41.14 neurons']],
  ],
]) // biome-ignore format: a page
const CF_2026 = [
  ...CF_LLM,
  cf('@cf/meta/llama-guard-3-8b', 0.484, 0.03),
  cf('@cf/zai-org/glm-5.2', 1.4, 4.4, 0.26),
  cf('@cf/moonshotai/kimi-k2.6', 0.95, 4, 0.16),
]
const cloudflareJuly = cloudflareMd(CF_SECTIONS(CF_2026)).replaceAll(' <br/> ', '   ')
const cell = (text: string) => `<td>${text.replaceAll('<br/>', '<br>')}</td>`
const cloudflareNewest = `<!DOCTYPE html><html lang="en"><head><title>Pricing · Cloudflare Workers AI docs</title></head><body><nav><h2>Elsewhere</h2></nav><main><h1>Pricing</h1><p>Workers AI is priced at <strong>$0.011 per 1,000 Neurons</strong>.</p><h2>What are Neurons?</h2>
${CF_SECTIONS([...CF_2026, cf('@cf/deepseek-ai/deepseek-v4-flash-0731', 0.44, 1.32, 0.014)])
  .map(([title, rows]) => `<div class="heading-wrapper level-h2"><h2>${title}</h2><a href="#x"><span aria-hidden="true"><svg></svg></span></a></div>\n<div class="table-scroll"><table>\n<thead>\n<tr>\n<th>Model</th>\n<th>Price in Tokens</th>\n<th>Price in Neurons</th>\n</tr>\n</thead>\n<tbody>\n${rows.map((row) => `<tr>\n${row.map(cell).join('\n')}\n</tr>`).join('\n')}\n</tbody>\n</table></div>`)
  .join('\n')}</main></body></html>` // biome-ignore format: a page

// ---- Writer: the Markdown of early 2026, and of mid-2026 with a notice, then as rendered

const WRITER_MODELS: [string, string, string, string][] = [
  ['Palmyra X5', 'palmyra-x5', '\\$0.60', '\\$6.00'],
  ['Palmyra X4', 'palmyra-x4', '\\$2.50', '\\$10.00'],
  ['Palmyra X 003 Instruct', 'palmyra-x-003-instruct', '\\$7.50', '\\$22.50'],
  ['Palmyra Med', 'palmyra-med', '\\$5.00', '\\$12.00'],
]
const WRITER_COLUMNS = ['Model name', 'Model ID', 'Input / 1M', 'Output / 1M']
const writer = (notice: string) => `# Pricing

> View pricing for Writer AI models. Compare costs per million tokens for Palmyra models including X5.

${notice}<Info>
  For any custom pricing, **[contact Sales](https://go.writer.com/contact-sales)**.
</Info>

## Base model

Our [base model](/home/models#models). The input and output prices are displayed per 1M tokens unless otherwise specified.

${md(
  WRITER_COLUMNS,
  WRITER_MODELS.map(([name, id, ...prices]) => [`[${name}](/home/models#${id})`, `\`${id}\``, ...prices].join(' | ')),
)}

## WRITER Agent

${md(WRITER_COLUMNS.slice(2), ['\\$5.00 | \\$12.00'])}

## Palmyra Vision

${md(['Type', 'Input', 'Output / 1M'], ['Image | \\$0.005/image | \\$8.00', 'Video | \\$0.005/second | \\$8.00', 'Text | \\$7.50/1M | \\$22.50'])}

## Knowledge Graph

${md(['Capability', 'Cost'], ['Knowledge Graph hosting | \\$0.085/gb of storage per day', 'Data extraction | \\$0.00015/page'])}

## Tools API

${md(['Tool', 'Cost'], ['[PDF parser](/api-reference/tool-api/pdf-parser) | \\$0.055/page'])}

## Translation API

* **Input**: \\$20.00/100k words

## Deprecated models

${md(['Model name', 'Deprecation date', ...WRITER_COLUMNS.slice(2)], ['Palmyra Fin 32k | 2025-03-03 | \\$5.00 | \\$12.00'])}

## Deprecated tools

${md(['Tool', 'Deprecation date', 'Cost', 'Migration guide'], ['AI detection | 2025-12-22 | \\$0.03 per request | —', 'Medical comprehend | 2025-12-22 | \\$0.02 per 1M words input (no output costs) | [Migrate](/x)'])}
`
const writerNewest = writer(
  '<Warning>\n  **Deprecation notice**: The following models will be removed on **July 13, 2026**: `palmyra-med`.\n</Warning>\n\n',
)

/** Of each format its pages, the newest last. */
export const SELLER_PAGES = {
  'cohere-page': { '2026-08': cohereAugust, '2026-10': cohereNewest },
  'groq-page': { 'spring of 2026': groqSpring, '2026-08': groqAugust, '2026-10': groqNewest },
  'together-page': { '2026-03': togetherMarch, '2026-09': togetherSeptember, '2026-10': togetherNewest },
  'fireworks-page': { '2026-08': fireworksAugust, '2026-08 with a column more': fireworksReserved, '2026-09': fireworksNewest },
  'cloudflare-page': { '2025': cloudflare2025, '2026-07': cloudflareJuly, '2026-08 HTML': cloudflareNewest },
  'writer-page': { 'early 2026': writer(''), 'mid-2026': writerNewest },
} as const // biome-ignore format: a table
