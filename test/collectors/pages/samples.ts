import { ALIBABA } from './alibaba-samples.ts'

/**
 * Pages as they were recorded, shortened: their headings, spans and notes in the same places, with figures of the day
 * named. Prose is left out or replaced.
 */

export const md = (columns: string[], rows: string[]): string =>
  [
    `| ${columns.join(' | ')} |`,
    `| ${columns.map(() => '---').join(' | ')} |`,
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')

// ---- Anthropic: pricing.md of 2025-12, 2026-09 and 2026-10, and the HTML of 2026-10

const CLAUDE_2025 = [
  'Model',
  'Base Input Tokens',
  '5m Cache Writes',
  '1h Cache Writes',
  'Cache Hits & Refreshes',
  'Output Tokens',
]
const CLAUDE_2026 = [
  'Model',
  'Base input tokens',
  '5m cache writes',
  '1h cache writes',
  'Cache hits and refreshes',
  'Output tokens',
]
const claude = (columns: string[], rows: string[], batch: string[], more = '') =>
  ['---', 'title: Pricing', '---', '', 'This page provides prices of Claude. All prices are in USD.', '', '## Model pricing', '', md(columns, rows), '', '<Note>MTok = Million tokens.</Note>', '', '## Claude Platform on AWS pricing', '', md(['Concept', 'Details'], ['**CCU price** | $0.01 per CCU']), '', '## Feature-specific pricing', '', more, '### Batch processing', '', md(['Model', 'Batch input', 'Batch output'], batch), '', '### Tool use pricing', '', md(['Model', 'Tool choice', 'System prompt token count'], ['Claude Opus 4.5 | `auto`<hr />`any` | 346 tokens'])].join('\n') // biome-ignore format: a page

const anthropic2025 = claude(
  CLAUDE_2025,
  [
    'Claude Opus 4.5   | $5 / MTok | $6.25 / MTok | $10 / MTok | $0.50 / MTok | $25 / MTok',
    'Claude Opus 4 | $15 / MTok | $18.75 / MTok | $30 / MTok | $1.50 / MTok | $75 / MTok',
    'Claude Sonnet 4.5 | $3 / MTok | $3.75 / MTok | $6 / MTok | $0.30 / MTok | $15 / MTok',
    'Claude Sonnet 3.7 ([deprecated](/docs/en/about-claude/model-deprecations)) | $3 / MTok | $3.75 / MTok | $6 / MTok | $0.30 / MTok | $15 / MTok',
    'Claude Haiku 4.5  | $1 / MTok | $1.25 / MTok | $2 / MTok | $0.10 / MTok | $5 / MTok',
    'Claude Haiku 3.5  | $0.80 / MTok | $1 / MTok | $1.6 / MTok | $0.08 / MTok | $4 / MTok',
  ],
  ['Claude Opus 4.5 | $2.50 / MTok | $12.50 / MTok', 'Claude Haiku 3.5 | $0.40 / MTok | $2 / MTok'],
  [
    '### Long context pricing',
    '',
    md(['≤ 200K input tokens', '> 200K input tokens'], ['Input: $3 / MTok | Input: $6 / MTok']),
    '',
  ].join('\n'),
)
const FAST = [
  '### Fast mode pricing',
  '',
  md(['Model', 'Input', 'Output'], ['Claude Opus 5 / Claude Opus 4.8 | $10 / MTok | $50 / MTok']),
  '',
].join('\n')
const anthropic2026 = claude(
  CLAUDE_2026,
  [
    'Claude Fable 5.1 | $10 / MTok | $12.50 / MTok | $20 / MTok | $0.25 / MTok1 | $50 / MTok',
    'Claude Mythos 5 ([limited availability](https://anthropic.com/glasswing)) | $10 / MTok | $12.50 / MTok | $20 / MTok | $1 / MTok | $50 / MTok',
    'Claude Opus 5 | $5 / MTok | $6.25 / MTok | $10 / MTok | $0.50 / MTok | $25 / MTok',
    'Claude Opus 4.8 | $5 / MTok | $6.25 / MTok | $10 / MTok | $0.50 / MTok | $25 / MTok',
    'Claude Opus 4 ([retired, except on Google Cloud](https://platform.claude.com/d)) | $15 / MTok | $18.75 / MTok | $30 / MTok | $1.50 / MTok | $75 / MTok',
    'Claude Sonnet 5 [through August 31, 2026](/x) | $2 / MTok | $2.50 / MTok | $4 / MTok | $0.20 / MTok | $10 / MTok',
    'Claude Sonnet 5 starting September 1, 2026 | $3 / MTok | $3.75 / MTok | $6 / MTok | $0.30 / MTok | $15 / MTok',
    'Claude Haiku 4.5 | $1 / MTok | $1.25 / MTok | $2 / MTok | $0.10 / MTok | $5 / MTok',
  ],
  ['Claude Opus 5 | $2.50 / MTok | $12.50 / MTok', 'Claude Haiku 4.5 | $0.50 / MTok | $2.50 / MTok'],
  FAST,
)
const anthropicNewest = claude(
  CLAUDE_2026,
  [
    'Claude Fable 5.1 | $10 / MTok | $12.50 / MTok | $20 / MTok | $0.25 / MTok<sup>1</sup> | $50 / MTok',
    'Claude Mythos 5.1 ([limited availability](https://support.claude.com/x)) | $10 / MTok | $12.50 / MTok | $20 / MTok | $0.25 / MTok<sup>1</sup> | $50 / MTok',
    'Claude Opus 5.5 | $4 / MTok | $5 / MTok | $8 / MTok | $0.20 / MTok<sup>2</sup> | $20 / MTok',
    'Claude Opus 5 | $5 / MTok | $6.25 / MTok | $10 / MTok | $0.50 / MTok | $25 / MTok',
    'Claude Opus 4.1 ([retired, except on Bedrock and Google Cloud](https://platform.claude.com/d)) | $15 / MTok | $18.75 / MTok | $30 / MTok | $1.50 / MTok | $75 / MTok',
    'Claude Sonnet 5 | $2 / MTok<sup>3</sup> | $2.50 / MTok | $4 / MTok | $0.20 / MTok | $10 / MTok<sup>3</sup>',
    'Claude Haiku 5.5 (for prompts up to 100,000 tokens) | $0.10 / MTok | $0.125 / MTok | $0.20 / MTok | $0.01 / MTok | $0.50 / MTok',
    'Claude Haiku 5.5 (for prompts over 100,000 tokens) | $0.50 / MTok | $0.625 / MTok | $1 / MTok | $0.05 / MTok | $2.50 / MTok',
    'Claude Haiku 4.5 | $1 / MTok | $1.25 / MTok | $2 / MTok | $0.10 / MTok | $5 / MTok',
  ],
  ['Claude Opus 5.5 | $2 / MTok | $10 / MTok', 'Claude Haiku 4.5 | $0.50 / MTok | $2.50 / MTok'],
  FAST.replace('Claude Opus 5 / Claude Opus 4.8', 'Claude Opus 5.5'),
)
const claudeRow = (name: string, prices: string[], more = '') =>
  `<tr><td><a href="/docs/en/models">${name}</a>${more}<span class="text-caption">For long-running work</span></td>${prices.map((price) => `<td>$${price} / MTok</td>`).join('')}</tr>`
const anthropicHtml = `<html lang="en"><body><main><p>All prices are in USD.</p><h2>Model pricing</h2>
<table><thead><tr><th>Model</th><th colspan="2">Base tokens</th><th colspan="3">Prompt caching</th></tr>
<tr><th>Name</th><th>Input</th><th>Output</th><th><button>5m writes</button></th><th>1h writes</th><th>Hits and refreshes</th></tr></thead><tbody>
${claudeRow('Claude Opus 5.5', ['4', '20', '5', '8', '0.20'])}${claudeRow('Claude Sonnet 5', ['2', '10', '2.50', '4', '0.20'])}
${claudeRow('Claude Haiku 4.5', ['1', '5', '1.25', '2', '0.10'])}<tr><th colspan="6">Additional models</th></tr>
${claudeRow('Claude Opus 5', ['5', '25', '6.25', '10', '0.50'])}${claudeRow('Claude Fable 5.1', ['10', '50', '12.50', '20', '0.25'])}
${claudeRow('Claude Sonnet 4.6', ['3', '15', '3.75', '6', '0.30'])}
${claudeRow('Claude Opus 4.1', ['15', '75', '18.75', '30', '1.50'], '<button aria-label="Claude Opus 4.1 (Retired)"><svg></svg></button>')}</tbody></table>
<h2>Feature-specific pricing</h2><h3>Batch processing</h3><table><thead><tr><th>Model</th><th colspan="2">Batch tokens</th></tr><tr><th>Name</th><th>Input</th><th>Output</th></tr></thead>
<tbody><tr><td><a href="/x">Claude Opus 5.5</a></td><td>$2 / MTok</td><td>$10 / MTok</td></tr></tbody></table></main></body></html>`

// ---- OpenAI: pricing.md of 2026-08, also as a whole, and 2026-10

const CONTEXTS = ['input', 'cached input', 'cache writes', 'output']
const GPT = [
  'Model',
  ...CONTEXTS.map((name) => `Short context ${name}`),
  ...CONTEXTS.map((name) => `Long context ${name}`),
]
const OLD = [
  'gpt-5.5 (<272K context length) | $5.00 | $0.50 | - | $30.00 | $10.00 | $1.00 | - | $45.00',
  'gpt-5.5-pro (<272K context length) | $30.00 | - | - | $180.00 | $60.00 | - | - | $270.00',
  ...['gpt-5.4-mini | $0.75 | $0.075 | - | $4.50', 'gpt-5.2 | $1.75 | $0.175 | - | $14.00', 'gpt-5 | $1.25 | $0.125 | - | $10.00', 'gpt-5-mini | $0.25 | $0.025 | - | $2.00', 'gpt-4.1 | $2.00 | $0.50 | - | $8.00', 'gpt-4o | $2.50 | $1.25 | - | $10.00', 'gpt-4o-2024-05-13 | $5.00 | - | - | $15.00', 'gpt-4o-mini | $0.15 | $0.075 | - | $0.60', 'o1-pro | $150.00 | - | - | $600.00', 'o3 | $2.00 | $0.50 | - | $8.00', 'o4-mini | $1.10 | $0.275 | - | $4.40', 'davinci-002 | $2.00 | - | - | $2.00'].map((row) => `${row} | - | - | - | -`),
] // biome-ignore format: the rows of a table
const gpt = (rows: string[], batch: string[], fast: string[], more: string[] = []) =>
  ['# Pricing', '', 'Flagship models', '', 'Our latest models', '', 'Prices per 1M tokens.', '', 'Standard', '', '### Standard pricing data', '', md(GPT, rows), '',
   'Batch', '', '### Batch pricing data', '', md(GPT, batch), '', 'Fast mode', '', '### Fast pricing data', '', md(GPT, fast), '', ...more,
   'Short context: ≤272K input tokens. Long context: >272K input tokens.', '', 'Realtime and audio generation models', '', 'Prices per 1M tokens unless noted.', '',
   '### Grouped Pricing Table data', '', md(['Model', 'Modality', 'Input', 'Cached input', 'Output / cost'], ['gpt-realtime-2.1 | Audio | $32.00 | $0.40 | $64.00', 'gpt-realtime-2.1 | Text | $4.00 | $0.40 | $24.00', 'gpt-realtime-2.1 | Image | $5.00 | $0.50 | -', 'tts-1 | Text | $15.00 / 1M characters | - | -', 'gpt-live-1 | Audio | - | - | $0.05 / minute (billed per second)']), '',
   'Image generation models', '', 'Prices per 1M tokens.', '', 'Standard', '', '### Grouped Pricing Table data', '', md(['Model', 'Modality', 'Input', 'Cached input', 'Output'], ['gpt-image-2 | Image | $8.00 | $2.00 | $30.00', 'gpt-image-2 | Text | $5.00 | $1.25 | -']), '',
   'Batch', '', '### Grouped Pricing Table data', '', md(['Model', 'Modality', 'Input', 'Cached input', 'Output'], ['gpt-image-2 | Image | $4.00 | $1.00 | $15.00', 'gpt-image-2 | Text | $2.50 | $0.625 | -']), '',
   'Transcription models', '', 'Prices per 1M tokens.', '', '### Grouped Pricing Table data', '', md(['Model', 'Use case', 'Input', 'Output', 'Estimated cost'], ['Whisper | Transcription | - | - | $0.006 / minute']), '',
   'Specialized models', '', 'Prices per 1M tokens.', '', 'Standard', '', '### Grouped Pricing Table data', '', md(['Category', 'Model', 'Input', 'Cached input', 'Output'], ['Codex | gpt-5.3-codex | $1.75 | $0.175 | $14.00', 'Embedding | text-embedding-3-small | $0.02 | - | -', 'Moderation | omni-moderation-latest | Free | - | -']), '',
   'Fast mode', '', '### Grouped Pricing Table data', '', md(['Category', 'Model', 'Input', 'Cached input', 'Output'], ['Codex | gpt-5.3-codex | $3.50 | $0.35 | $28.00']), '',
   '### Tool pricing', '', md(['Tool', 'Price'], ['Web search | $10.00 per 1,000 calls'])].join('\n') // biome-ignore format: a page
const openai2026 = gpt(
  ['gpt-5.6-sol | $5.00 | $0.50 | $6.25 | $30.00 | $10.00 | $1.00 | $12.50 | $45.00', ...OLD],
  ['gpt-5.6-sol | $2.50 | $0.25 | $3.125 | $15.00 | $5.00 | $0.50 | $6.25 | $22.50'],
  ['gpt-5.6-sol | $10.00 | $1.00 | $12.50 | $60.00 | $20.00 | $2.00 | $25.00 | $90.00'],
)
/** Every section of the page of 2026-08, whose Sol had a promotional price. */
const openaiWhole = [
  '# Pricing', '', '> For the complete documentation index, see [llms.txt](/llms.txt).', '', 'Flagship models', '', '    ', 'Our latest models', '', 'Prices per 1M tokens.', '',
  ...([
    ['Standard', 'Standard', ['gpt-5.6-sol | $4.00 | $0.40 | $5.00 | $20.00 | $8.00 | $0.80 | $10.00 | $30.00', 'gpt-5.4 (<272K context length) | $2.50 | $0.25 | - | $15.00 | $5.00 | $0.50 | - | $22.50', ...OLD, 'babbage-002 | $0.40 | - | - | $0.40 | - | - | - | -']],
    ['Batch', 'Batch', ['gpt-5.6-sol | $2.00 | $0.20 | $2.50 | $10.00 | $4.00 | $0.40 | $5.00 | $15.00', 'gpt-3.5-turbo-1106 | $1.00 | - | - | $2.00 | - | - | - | -']],
    ['Flex', 'Flex', ['gpt-5.6-sol | $2.00 | $0.20 | $2.50 | $10.00 | $4.00 | $0.40 | $5.00 | $15.00', 'o4-mini | $0.55 | $0.138 | - | $2.20 | - | - | - | -']],
    ['Fast mode', 'Fast', ['gpt-5.6-sol | $8.00 | $0.80 | $10.00 | $40.00 | $16.00 | $1.60 | $20.00 | $60.00']],
  ] as const).flatMap(([tab, table, rows]) => ['  ', tab, '', '      ', `### ${table} pricing data`, '', md(GPT, [...rows]), '', 'Regional processing (data residency) endpoints are charged a 10% uplift for some models.', '']),
  'Cyber models', '', 'Our latest Daybreak models.', '', 'Prices per 1M tokens.', '', '### Grouped Pricing Table data', '',
  md(GPT, ['gpt-5.6-sol | $4.00 | $0.40 | $5.00 | $20.00 | $8.00 | $0.80 | $10.00 | $30.00', 'gpt-5.6-cyber | $12.50 | $1.25 | $15.625 | $75.00 | - | - | - | -', 'gpt-5.4-cyber | - | - | - | - | - | - | - | -']), '',
  '`daybreak-blue-latest` is an alias that currently points to `gpt-5.6-sol`.', '', 'Multimodal models', '', 'To estimate vision model input costs, use the calculator.', '',
  'Realtime and audio generation models', '', 'Prices per 1M tokens unless noted.', '', '### Grouped Pricing Table data', '',
  md(['Model', 'Modality', 'Input', 'Cached input', 'Output / cost'], ['gpt-realtime-2.1 | Audio | $32.00 | $0.40 | $64.00', 'gpt-4o-mini-tts | Text | $0.60 | - | -', 'tts-1 | Text | $15.00 / 1M characters | - | -']), '',
  'Video generation models', '', 'Prices per second.', '', 'Standard', '', '### Grouped Pricing Table data', '', md(['Model', 'Size', 'Portrait', 'Landscape', 'Price per second'], ['sora-2 | 720p | 720x1280 | 1280x720 | $0.10']), '',
  'Transcription models', '', 'Prices per 1M tokens unless noted.', '', '### Grouped Pricing Table data', '', md(['Model', 'Use case', 'Input', 'Output', 'Estimated cost'], ['gpt-4o-transcribe | Transcription | $2.50 | $10.00 | $0.006 / minute', 'Whisper | Transcription | - | - | $0.006 / minute']), '',
  'Tools', '', '### Grouped Pricing Table data', '', md(['Tool', 'Details', 'Pricing'], ['File search | Storage | $0.10 / GB per day (1 GB free)']), '', '$10.00 / 1k calls + Search content tokens billed at model rates.', '', 'Hosted Shell and Code Interpreter', '',
  'Specialized models', '', 'Prices per 1M tokens.', '', 'Standard', '', '### Grouped Pricing Table data', '', md(['Category', 'Model', 'Input', 'Cached input', 'Output'], ['ChatGPT | chat-latest | $5.00 | $0.50 | $30.00', 'Moderation | omni-moderation-latest | Free | - | -']), '',
  'Finetuning', '', 'Prices per 1M tokens.', '', 'Standard', '', '### Pricing Table data', '', md(['Model', 'Training', 'Input', 'Cached input', 'Output'], ['o4-mini-2025-04-16 (data sharing) | $100.00 / hour | $2.00 | $0.50 | $8.00']),
].join('\n') // biome-ignore format: a page
const openaiNewest = gpt(
  [
    'gpt-6-astra | $10.00 | $1.00 | $12.50 | $50.00 | $20.00 | $2.00 | $25.00 | $75.00',
    'gpt-6.1-sol | $2.00 | $0.10 | $2.50 | $10.00 | $4.00 | $0.20 | $5.00 | $15.00',
    'gpt-5.6-sol | $4.00 | $0.40 | $5.00 | $20.00 | $8.00 | $0.80 | $10.00 | $30.00',
    ...OLD,
  ],
  ['gpt-6-astra | $5.00 | $0.50 | $6.25 | $25.00 | $10.00 | $1.00 | $12.50 | $37.50'],
  ['gpt-6-astra | $20.00 | $2.00 | $25.00 | $100.00 | $40.00 | $4.00 | $50.00 | $150.00'],
  [
    'Ultrafast',
    '',
    '### Ultrafast pricing data',
    '',
    md(GPT, ['gpt-6.1-sol | $12.00 | $0.60 | $15.00 | $60.00 | - | - | - | -']),
    '',
  ],
)

// ---- Google: HTML of 2026-04-27 as a whole and of 2026-08-04, .md.txt of 2026-08, HTML of 2026-10

type GeminiRow = [label: string, paid: string]
const PAID = 'Paid Tier, per 1M tokens in USD'
const geminiTable = (rows: GeminiRow[], paid = PAID) =>
  `<table class="pricing-table"><colgroup><col><col class="free-tier"></colgroup><thead><tr><th></th><th scope="col">Free Tier</th><th scope="col">${paid}</th></tr></thead><tbody>${rows.map(([label, price]) => `<tr><td>${label}</td><td>Free of charge</td><td>${price}</td></tr>`).join('')}<tr><td>Used to improve our products</td><td><a href="/t">Yes</a></td><td><a href="/t">No</a></td></tr></tbody></table>`
const gemini = (name: string, ids: string[], tiers: [string, GeminiRow[]][], paid?: string) =>
  `<div class="models-section"><div class="heading-group"><h2 id="x" data-text="${name}">${name}</h2><em>${ids.map((id) => `<code translate="no">${id}</code>`).join(' and ')}</em></div><p><a href="https://aistudio">Try it in Google AI Studio</a></p></div><p>A model for <code>thinking_budget</code>.</p>
<div><devsite-selector>${tiers.map(([tier, rows]) => `<section>${tier && `<h3>${tier}</h3>`}${geminiTable(rows, paid)}</section>`).join('')}</devsite-selector></div>`
const geminiPage = (...models: string[]) =>
  `<!doctype html><html lang="en"><head><title>Pricing</title></head><body><nav><h2>Gemini 9</h2></nav><article class="devsite-article-body"><h1>Gemini Developer API pricing</h1>${models.join('\n')}</article></body></html>`
const GROUNDING: GeminiRow = [
  'Grounding with Google Search<sup>*</sup>',
  '1,500 RPD (free), then $35 / 1,000 grounded prompts',
]
const PRO: [string, GeminiRow[]][] = [
  ['Standard', [['Input price', '$1.25, prompts <= 200k tokens<br>$2.50, prompts > 200k tokens'], ['Output price (including thinking tokens)', '$10.00, prompts <= 200k tokens<br>$15.00, prompts > 200k'], ['Context caching price', '$0.125, prompts <= 200k tokens<br>$0.25, prompts > 200k<br>$4.50 / 1,000,000 tokens per hour (storage price)'], GROUNDING]],
  ['Batch', [['Input price', '$0.625, prompts <= 200k tokens<br>$1.25, prompts > 200k tokens'], ['Output price (including thinking tokens)', '$5.00, prompts <= 200k tokens<br>$7.50, prompts > 200k']]],
  ['Priority', [['Input price', '$2.25, prompts <= 200k tokens<br>$4.50, prompts > 200k tokens'], ['Output price (including thinking tokens)', '$18.00, prompts <= 200k tokens<br>$27.00, prompts > 200k']]],
] // biome-ignore format: tables
const FLASH: [string, GeminiRow[]][] = [
  ['Standard', [['Input price', '$0.30 (text / image / video)<br>$1.00 (audio)'], ['Output price (including thinking tokens)', '$2.50'], ['Context caching price', '$0.03 (text / image / video)<br>$0.1 (audio)<br>$1.00 / 1,000,000 tokens per hour (storage price)']]],
] // biome-ignore format: tables
const LITE: [string, GeminiRow[]][] = [
  ['Standard', [['Input price (text, image, video)', '$0.10 (text / image / video)<br>$0.30 (audio)'], ['Output price (including thinking tokens)', '$0.40']]],
] // biome-ignore format: tables
const DATED: [string, GeminiRow[]][] = [
  ['Standard', [['Input price', '$0.75 through December 31, 2026.<br>$1.50 starting January 1, 2027.'], ['Output price (including thinking tokens)', '$3.75 through December 31, 2026.<br>$7.50 starting January 1, 2027.'], ['Context caching price', '$0.075 through December 31, 2026.<br>$0.15 starting January 1, 2027.<br>$0.50 / 1,000,000 tokens per hour (storage price) through December 31, 2026.<br>$1.00 / 1,000,000 tokens per hour (storage price) starting January 1, 2027.']]],
] // biome-ignore format: tables
const OTHERS = [
  gemini('Gemini 3.8 Live', ['gemini-3.8-live'], [['', [['Input price', '$0.75 (text)<br>$3.00 or $0.005/min (audio)<br>$1.00 or $0.002/min (image/video)'], ['Output price (including thinking tokens)', '$4.50 (text)<br>$12.00 or $0.018/min (audio)']]]]),
  gemini('Gemini 3 Pro Image 🍌', ['gemini-3-pro-image'], [['Standard', [['Input price', '$2.00 (text/image),<br> equivalent to $0.0011 per image<sup>*</sup>'], ['Output price', '$12.00 (text and thinking)<br>$120.00 (images)<br>Equivalent to $0.134 per 1K/2K image<sup>**</sup><br>and $0.24 per 4K image<sup>**</sup>']]]]),
  gemini('Gemini 2.5 Flash Image 🍌', ['gemini-2.5-flash-image'], [['Standard', [['Input price', '$0.30 (text / image)'], ['Output price', '$0.039 per image*']]]]),
  gemini('Gemini Embedding 2', ['gemini-embedding-2'], [['Standard', [['Text input price', '$0.20'], ['Image input price', '$0.45 ($0.00012 per image)'], ['Audio input price', '$6.50 ($0.00016 per second)']]]]),
  gemini('Veo 3.1', ['veo-3.1-generate-preview'], [['', [['Veo 3.1 video with audio price', '$0.40 (720p and 1080p)<br>$0.60 (4k)']]]], 'Paid Tier, per second in USD'),
] // biome-ignore format: models
/** What the page of 2026-04-27 has and later ones do not: cells with words, prices by the picture, models that are not sold. */
const SAME = 'Same as Standard, Batch pricing not yet implemented<br>'
const APRIL = [
  gemini('Gemini 3 Flash Preview', ['gemini-3-flash-preview'], [['Batch', [['Input price', '$0.25 (text / image / video)<br>$0.50 (audio)'], ['Output price (including thinking tokens)', '$1.50'], ['Context caching price', `${SAME}$0.05 (text / image / video)<br>$0.10 (audio)<br>$1.00 / 1,000,000 tokens per hour (storage price)`]]]]),
  gemini('Gemini 3 Pro Image Preview 🍌', ['gemini-3-pro-image-preview'], [['Standard', [['Input price', '$2.00 (text/image), equivalent to $0.0011 per image<sup>*</sup>'], ['Output price', '$12.00 (text and thinking)<br>$120.00 (images)<br>Equivalent to $0.134 per 1K/2K image<sup>**</sup>']]], ['Batch', [['Input price', '$1.00 (text), $0.0006 (image)<sup>*</sup>'], ['Output price', '$6.00 (text and thinking)<br>$0.067 per 1K/2K image<sup>**</sup><br>$0.12 per 4K image<sup>**</sup>']]]]),
  gemini('Gemini 2.0 Flash', ['gemini-2.0-flash'], [['Standard', [['Input price', '$0.10 (text / image / video)<br>$0.70 (audio)'], ['Output price', '$0.40'], ['Context caching price', '$0.025 / 1,000,000 tokens (text/image/video)<br>$0.175 / 1,000,000 tokens (audio)'], ['Context caching (storage)', '$1.00 / 1,000,000 tokens per hour'], ['Tuning price', 'Not available']]]]),
  gemini('Gemma 4', [], [['', [['Input price', 'Not available'], ['Output price', 'Not available']]]]),
  gemini('Pricing for tools', [], [['', [['Google Search', '1,500 RPD (free), then $35 / 1,000 grounded prompts']]]]),
] // biome-ignore format: models
const few = (id: string) => gemini(id, [id], LITE)
const FILLERS = ['gemini-2.0-flash', 'gemini-2.0-flash-lite', 'gemini-3-flash-preview', 'gemini-3.1-flash-lite'].map(
  few,
)
const googleApril = geminiPage(
  gemini('Gemini 2.5 Pro', ['gemini-2.5-pro'], PRO),
  gemini('Gemini 2.5 Flash', ['gemini-2.5-flash'], FLASH),
  gemini('Gemini 2.5 Flash-Lite', ['gemini-2.5-flash-lite'], LITE),
  ...APRIL,
  ...['gemini-2.0-flash-lite', 'gemini-3.1-flash-lite'].map(few),
)
const google2026 = geminiPage(
  gemini('Gemini 2.5 Pro', ['gemini-2.5-pro'], PRO),
  gemini('Gemini 2.5 Flash', ['gemini-2.5-flash'], FLASH),
  gemini('Gemini 2.5 Flash-Lite', ['gemini-2.5-flash-lite'], LITE),
  ...OTHERS,
  ...FILLERS,
)
const googleNewest = geminiPage(
  gemini('Gemini 3.8 Flash', ['gemini-3.8-flash'], DATED),
  gemini('Gemini 2.5 Pro', ['gemini-2.5-pro', 'gemini-2.5-pro-customtools'], PRO),
  gemini('Gemini 2.5 Flash', ['gemini-2.5-flash'], FLASH),
  gemini('Gemini 2.5 Flash-Lite', ['gemini-2.5-flash-lite'], LITE),
  ...OTHERS,
  ...FILLERS,
)
const geminiMarkdown = (name: string, id: string, input: string, output: string, cache: string) =>
  [
    `## ${name}`,
    '',
    `*[\`${id}\`](https://ai.google.dev/gemini-api/docs/models/${id})*`,
    '',
    '[Try it in Google AI Studio](https://aistudio.google.com)',
    '',
    'A model.',
    '',
    '### Standard',
    '',
    md(
      [' ', 'Free Tier', PAID],
      [
        `Input price | Free of charge | ${input}`,
        `Output price (including thinking tokens) | Free of charge | ${output}`,
        `Context caching price | Free of charge | ${cache}`,
        'Grounding with Google Search | Not available | 1,500 RPD (free), then $35 / 1,000 grounded prompts',
      ],
    ),
    '',
  ].join('\n')
const googleMarkdown = [
  '# Gemini Developer API pricing', '',
  geminiMarkdown('Gemini 2.5 Pro', 'gemini-2.5-pro', '$1.25, prompts <= 200k tokens $2.50, prompts > 200k tokens', '$10.00, prompts <= 200k tokens $15.00, prompts > 200k', '$0.125, prompts <= 200k tokens $0.25, prompts > 200k $4.50 / 1,000,000 tokens per hour (storage price)'),
  ...['gemini-2.5-flash', 'gemini-2.5-flash-lite', 'gemini-3-flash-preview', 'gemini-3.1-flash-lite', 'gemini-3.5-flash', 'gemini-3.5-flash-lite', 'gemini-3.6-flash'].map((id) => geminiMarkdown(id, id, '$0.30 (text / image / video) $1.00 (audio)', '$2.50', '$0.03 $1.00 / 1,000,000 tokens per hour (storage price)')),
].join('\n') // biome-ignore format: a page

// ---- DeepSeek: the rows of 2026-03 as a public test holds them, 2026-07, 2026-08-17 and 2026-10

const deepseekPage = (models: string, rows: string, leading: number, note = '') =>
  `<!doctype html><html lang="en"><head><title>Models &amp; Pricing | DeepSeek API Docs</title></head><body><main><article><h1>Models &amp; Pricing</h1><p>The prices listed below are in units of per 1M tokens.</p><table style="text-align:center"><tr><td colspan="${leading}">MODEL</td>${models}</tr><tr><td colspan="${leading}">BASE URL</td><td colspan="2"><a href="https://api.deepseek.com">https://api.deepseek.com</a></td></tr><tr><td colspan="${leading}">CONTEXT LENGTH</td><td colspan="2">1M</td></tr><tr><td rowspan="2">FEATURES</td><td${leading > 2 ? ' colspan="2"' : ''}><a href="/guides/json_mode">Json Output</a></td><td>✓</td><td>✓</td></tr><tr><td${leading > 2 ? ' colspan="2"' : ''}>Tool Calls</td><td>✓</td><td>✓</td></tr>${rows}<tr><td colspan="${leading}">Concurrency Limit<sup>(2)</sup></td><td>2500</td><td>500</td></tr></table>${note}<h2>Deduction Rules</h2><p>The expense = number of tokens × price.</p></article></main></body></html>`
const peakRows = (off: [string, string][], peak: [string, string][]) =>
  ['1M INPUT TOKENS (CACHE HIT)', '1M INPUT TOKENS<br>(CACHE MISS)', '1M OUTPUT TOKENS']
    .map(
      (label, at) =>
        `<tr>${at === 0 ? '<td rowspan="6">PRICING<sup>(1)</sup></td>' : ''}<td rowspan="2">${label}</td><td>OFF-PEAK</td><td>$${off[at]![0]}</td><td>$${off[at]![1]}</td></tr><tr><td>PEAK</td><td>$${peak[at]![0]}</td><td>$${peak[at]![1]}</td></tr>`,
    )
    .join('')
/** One price for both models. */
const deepseekMarch = deepseekPage(
  '<td>deepseek-chat</td><td>deepseek-reasoner</td>',
  '<tr><td rowspan="3">PRICING</td><td>1M INPUT TOKENS (CACHE HIT)</td><td colspan="2">$0.028</td></tr><tr><td>1M INPUT TOKENS (CACHE MISS)</td><td colspan="2">$0.28</td></tr><tr><td>1M OUTPUT TOKENS</td><td colspan="2">$0.42</td></tr>',
  2,
)
const deepseek2026 = deepseekPage(
  '<td>deepseek-v4-flash<sup>(1)</sup></td><td>deepseek-v4-pro</td>',
  '<tr><td rowspan="3">PRICING</td><td>1M INPUT TOKENS (CACHE HIT)</td><td>$0.0028</td><td>$0.003625</td></tr><tr><td>1M INPUT TOKENS (CACHE MISS)</td><td>$0.14</td><td>$0.435</td></tr><tr><td>1M OUTPUT TOKENS</td><td>$0.28</td><td>$0.87</td></tr>',
  2,
)
const deepseekPeak = deepseekPage(
  '<td>deepseek-v4-flash</td><td>deepseek-v4-pro</td>',
  peakRows([['0.007', '0.022'], ['0.22', '0.66'], ['0.66', '1.98']], [['0.014', '0.044'], ['0.44', '1.32'], ['1.32', '3.96']]),
  3,
  '<p>(1) Off-peak rates are half of the peak rates. Peak hours are 01:00 - 04:00 and 06:00 - 10:00 UTC (all other hours are off-peak).</p>',
) // biome-ignore format: a page
const deepseekNewest = deepseekPage(
  '<td>deepseek-flash<sup>(1)</sup></td><td>deepseek-v4-pro</td>',
  peakRows([['0.003', '0.022'], ['0.15', '0.66'], ['0.6', '1.98']], [['0.006', '0.044'], ['0.3', '1.32'], ['1.2', '3.96']]),
  3,
  '<p>(3) Peak hours are 01:00 - 04:00 and 06:00 - 10:00 UTC, Monday through Friday, excluding Chinese public holidays. All other hours are off-peak, including weekends and Chinese public holidays in full.</p>',
) // biome-ignore format: a page

// ---- Mistral: 2026-08-14, 2026-10-07 with a sale, and the same page when the sale ends

const sale = (was: string, now: string) =>
  `<span><del><span>Original price:<!-- --> </span>$${was}</del><ins><span>Sale price:<!-- --> </span>$${now}</ins></span>`
const mistralRow = (name: string, slug: string, cells: string[], badge = '') =>
  `<tr><td><a target="_blank" href="/models/${slug}">${name}<!-- --> <span>↗</span></a>${badge && `<span data-badge-type="outline">${badge}</span>`}</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const mistralSection = (id: string, name: string, unit: string, rows: string[]) =>
  `<section id="${id}"><div><div><div>${name}</div></div><button aria-label="Copy section link">Copy section link<svg></svg></button><h2>${name}</h2></div><p>Models.</p><div><div><span>Prices ${unit}</span><div><label><button role="checkbox" aria-checked="false" value="on"></button>Regional inference</label><div role="group"><button aria-pressed="true">Standard</button><button aria-pressed="false">Batch</button></div></div></div><div><table><thead><tr><th>Model</th><th>Input</th><th>Cached input</th><th>Output</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></div></section>`
const mistral = (large4: string[]) =>
  `<html lang="en"><main><nav><ol><li>Pricing</li></ol></nav><article><h1>Pricing</h1><p>Pricing for Mistral models, organized by family.</p>${mistralSection('flagship', 'Flagship models', '/M Tokens', [...large4, mistralRow('Mistral Large 3', 'mistral-large-3-25-12', ['$0.5', '$0.05', '$1.5']), mistralRow('Mistral Medium 3.5', 'mistral-medium-3-5-26-04', ['$1.5', '$0.15', '$7.5']), mistralRow('Mistral Small 4', 'mistral-small-4-0-26-03', ['$0.15', '$0.015', '$0.6']), mistralRow('Ministral 3 14B', 'ministral-3-14b-25-12', ['$0.2', '$0.02', '$0.2'])])}${mistralSection('specialized', 'Specialized models', 'as marked', [mistralRow('OCR 4.1', 'ocr-4-1', ['$4 /1000 Pages', '$0.4 /1000 Pages', '—']), mistralRow('Voxtral Mini Transcribe 2', 'voxtral-mini-transcribe-26-02', ['$0.003 /Min', '$0.0003 /Min', '—']), mistralRow('Voxtral TTS', 'voxtral-tts-26-03', ['$0 /M Chars', '$0 /M Chars', '$16 /M Chars']), mistralRow('Mistral Moderation 2', 'mistral-moderation-26-03', ['Free', 'Free', 'Free'])])}${mistralSection('third-party-hosted', 'Third-party hosted', '/M Tokens', [mistralRow('Z.ai GLM 5.3', 'zai-glm-5-3', ['$1.4', '$0.14', '$4.4'])])}${mistralSection('code', 'Code models', '/M Tokens', [mistralRow('Codestral', 'codestral-25-08', ['$0.3', '$0.03', '$0.9']), mistralRow('Codestral Embed', 'codestral-embed-25-05', ['$0.15', '$0.015', '—'])])}</article></main></html>`
const mistralSale = mistral([
  mistralRow(
    'Mistral Large 4',
    'mistral-large-4-0',
    [sale('1.36', '0.68'), sale('0.14', '0.07'), sale('4.18', '2.09')],
    'Sale price',
  ),
])
const mistralAfterSale = mistral([mistralRow('Mistral Large 4', 'mistral-large-4-0', ['$1.36', '$0.14', '$4.18'])])

// ---- xAI: models.md of 2026-07, pricing.md of 2026-09, and the HTML of 2026-09-29

const GROK = ['Model', 'Context', 'Input / 1M tokens', 'Cached input / 1M tokens', 'Output / 1M tokens']
const grok = (rows: string[]) =>
  ['#### Key Information', '', '# Pricing', '', 'All prices are in USD. See the [models page](/developers/models).', '', '### Text API Pricing', '', md(GROK, rows), '', '*Prices shown per million tokens.*', '', '### Imagine Pricing', '', md(['Model', 'Cost'], ['grok-imagine-image-2.0 | $0.04 / image', 'grok-imagine-video | $0.050 / sec']), '', '### Voice Pricing', '', md(['Mode', 'Cost'], ['Text to Speech | $15.00 / 1M chars']), '', '## Tools Pricing', '', md(['Tool', 'Cost / 1k Calls'], ['Web Search | $5'])].join('\n') // biome-ignore format: a page
const xai2026 = grok([
  'grok-4.5 (< 200k prompt tokens) | 500k | $2.00 | $0.30 | $6.00',
  'grok-4.5 (≥ 200k prompt tokens) | 500k | $4.00 | $0.60 | $12.00',
  'grok-4.3 (< 200k prompt tokens) | 1M | $1.25 | $0.20 | $2.50',
  'grok-4.3 (≥ 200k prompt tokens) | 1M | $2.50 | $0.40 | $5.00',
  'grok-build-0.1 (< 200k prompt tokens) | 256k | $1.00 | $0.20 | $2.00',
])
const xaiNewest = grok([
  'grok-4.6 (< 200k prompt tokens) | 500k | $2.00 | $0.50 | $6.00',
  'grok-4.6 (≥ 200k prompt tokens) | 500k | $4.00 | $1.00 | $12.00',
  'grok-4.5 (< 200k prompt tokens) | 500k | $2.00 | $0.30 | $6.00',
  'grok-4.5 (≥ 200k prompt tokens) | 500k | $4.00 | $0.60 | $12.00',
  'grok-4.20-0309-reasoning (< 200k prompt tokens) | 1M | $1.25 | $0.20 | $2.50',
  'grok-4.20-0309-reasoning (≥ 200k prompt tokens) | 1M | $2.50 | $0.40 | $5.00',
])
const grokRow = (name: string, cells: string[]) =>
  `<tr><td><a href="/developers/models/${name}">${name}</a><div>Long context ≥ 200k tokens</div></td><td>500k</td>${cells.map((cell) => `<td>$${cell}</td>`).join('')}</tr>`
const xaiHtml = `<!doctype html><html lang="en"><body><main><h4>Key Information</h4><h1>Pricing</h1><p>All prices are in USD.</p><h3>Text API</h3><p>Prices per 1M tokens</p><table><thead><tr><th rowspan="2">Model</th><th rowspan="2">Context</th><th colspan="3">Short context</th><th colspan="3">Long context</th></tr><tr><th>Input</th><th>Cached</th><th>Output</th><th>Input</th><th>Cached</th><th>Output</th></tr></thead><tbody>${grokRow('grok-4.7', ['2.00', '0.50', '6.00', '4.00', '1.00', '12.00'])}${grokRow('grok-4.5', ['2.00', '0.30', '6.00', '4.00', '0.60', '12.00'])}${grokRow('grok-4.3', ['1.25', '0.20', '2.50', '2.50', '0.40', '5.00'])}</tbody></table></main></body></html>`

// ---- Z.ai: pricing.md of 2026-01-24, before GLM-5, of 2026-04, 2026-07-31 and 2026-09

const GLM = ['Model', 'Input', 'Cached Input', 'Cached Input Storage', 'Output']
const zai = (latest: string[], text: string[]) =>
  ['> ## Documentation Index', '> Fetch the index first.', '', '# Pricing', '', '> This page provides pricing information for models and tools. All prices are in USD.', '', '## Models', '', ...(latest.length > 0 ? ['### Latest Models', '', 'Prices per 1M tokens.', '', md(GLM, latest), ''] : []), '### Text Models', '', 'Prices per 1M tokens.', '', md(GLM, text), '', '### Vision Models', '', 'Prices per 1M tokens.', '', md(GLM, ['GLM-4.6V | \\$0.3 | \\$0.05 | Limited-time Free | \\$0.9', 'GLM-OCR | \\$0.03 | \\\\ | \\\\ | \\$0.03']), '', '### Built-in Tools', '', md(['Tool', 'Cost'], ['Web Search | \\$0.01 / use']), '', '### Image Generation Models', '', 'Prices per image.', '', md(['Model', 'Price'], ['GLM-Image | \\$0.015'])].join('\n') // biome-ignore format: a page
const GLM_OLD = [
  'GLM-4.7 | \\$0.6 | \\$0.11 | Limited-time Free | \\$2.2',
  'GLM-4.5-Air | \\$0.2 | \\$0.03 | Limited-time Free | \\$1.1',
  'GLM-4-32B-0414-128K | \\$0.1 | - | - | \\$0.1',
  'GLM-4.5-Flash | Free | Free | Free | Free',
]
const zaiJanuary = zai(
  [],
  [
    'GLM-4.7-FlashX | \\$0.07 | \\$0.01 | Limited-time Free | \\$0.4',
    'GLM-4.6V-Flash | Free | Free | Free | Free',
    'GLM-4.5-X | \\$2.2 | \\$0.45 | Limited-time Free | \\$8.9',
    ...GLM_OLD,
  ],
)
const zaiApril = zai(
  [],
  [
    'GLM-5 | \\$1 | \\$0.2 | Limited-time Free | \\$3.2',
    'GLM-5-Turbo | \\$1.2 | \\$0.24 | Limited-time Free | \\$4.0',
    ...GLM_OLD,
  ],
)
const zaiJuly = zai(
  [],
  [
    'GLM-5.2 | \\$1.4 | \\$0.26 | Limited-time Free | \\$4.4',
    'GLM-5 | \\$1 | \\$0.2 | Limited-time Free | \\$3.2',
    ...GLM_OLD,
  ],
)
const zaiNewest = zai(
  [
    'GLM-5.3-Flash | ~~\\$0.15~~ \\$0.075 | ~~\\$0.03~~ \\$0.015 | Limited-time Free | ~~\\$0.50~~ \\$0.25',
    'GLM-5.3 | \\$1.4 | \\$0.26 | Limited-time Free | \\$4.4',
  ],
  [
    'GLM-5.3 | \\$1.4 | \\$0.26 | Limited-time Free | \\$4.4',
    'GLM-5.2 | \\$1.4 | \\$0.26 | Limited-time Free | \\$4.4',
    ...GLM_OLD,
  ],
)

// ---- MiniMax: pay-as-you-go.md of 2025-12, pricing-paygo.md of 2026-04 and 2026-07

const M_TOKENS = ['Model', 'Input', 'Output', 'Prompt caching Read', 'Prompt caching Write']
const OFF = '<span className="inline-flex text-xs">Permanent 50% off</span>'
const M_OLD = [
  '**MiniMax-M2.7** | \\$0.3 / M tokens | \\$1.2 / M tokens | \\$0.06 / M tokens | \\$0.375 / M tokens',
  '**MiniMax-M2.7-highspeed** | \\$0.6 / M tokens | \\$2.4 / M tokens | \\$0.06 / M tokens | \\$0.375 / M tokens',
]
const tab = (name: string, was: string[], now: string[]) =>
  [`  <Tab title="${name}">`, ...md(M_TOKENS.slice(0, 4), ['≤', '>'].map((sign, at) => `**MiniMax-M3**<br />${sign} 512k input tokens${at === 1 ? '\\*' : ''} ${OFF} | ${[0, 1, 2].map((cell) => `~~\\$${was[at * 3 + cell]}~~ \\$${now[at * 3 + cell]} / M tokens`).join(' | ')}`)).split('\n').map((line) => `    ${line}`), '', '    \\* Pricing is 1.5x standard.', '  </Tab>'] // biome-ignore format: a page
const minimax = (tabs: string[]) =>
  ['# Pay as You Go', '', '> MiniMax Pay as You Go Pricing', '', '## LLM', '', '[Recharge Now](https://platform.minimax.io/b)', '', ...tabs, '', md(M_TOKENS, M_OLD), '', '<Accordion title="Legacy Models">', ...md(M_TOKENS, ['**MiniMax-M2** | \\$0.3 / M tokens | \\$1.2 / M tokens | \\$0.03 / M tokens | \\$0.375 / M tokens', '**MiniMax-M2.1-highspeed** | \\$0.6 / M tokens | \\$2.4 / M tokens | \\$0.03 / M tokens | \\$0.375 / M tokens']).split('\n').map((line) => `  ${line}`), '</Accordion>', '', '## Audio', '', md(['API', 'Model', 'Price'], ['**T2A** | speech-2.8-turbo | \\$60/M characters']), '', '## Video', '', md(['**Model / API**', '**Input Price**'], ['<div style={{minWidth:\'240px\'}}>MiniMax-H3-Context-IR</div> | \\$0.90 / M tokens']), '', '## Server Tools <span className="x" />', '', md(['Server Tool', 'Price'], ['**web\\_search** | \\$0.01 / request'])].join('\n') // biome-ignore format: a page
const minimaxDecember = ['# Pay as You Go', '', '> MiniMax API Platform provides a wide range of API capabilities.', '', '## Text', '', '[Recharge Now](https://platform.minimax.io/b)', '', md(M_TOKENS, ['**MiniMax-M2** | \\$0.3 / M tokens | \\$1.2 / M tokens | \\$0.03 / M tokens | \\$0.375 / M tokens', '**MiniMax-M2-Stable** <br />High Concurrency, Commercial Use | \\$0.3 / M tokens | \\$1.2 / M tokens | \\$0.03 / M tokens | \\$0.375 / M tokens']), '', 'The rate limits of Text API', '', md(['API', 'Model', 'RPM', 'TPM'], ['Text API | MiniMax-M2 | 20 | 1,000,000']), '', '## Audio', '', md(['API', 'Model', 'Price'], ['**T2A** | • speech-2.6-turbo <br />• speech-02-turbo | \\$60/M characters'])].join('\n') // biome-ignore format: a page
const minimaxApril = minimax([])
const minimaxNewest = minimax([
  '<Tabs>',
  ...tab(
    'Standard',
    ['0.60', '2.40', '0.12', '1.20', '4.80', '0.24'],
    ['0.30', '1.20', '0.06', '0.60', '2.40', '0.12'],
  ),
  '',
  ...tab(
    'Priority*',
    ['0.90', '3.60', '0.18', '1.80', '7.20', '0.36'],
    ['0.45', '1.80', '0.09', '0.90', '3.60', '0.18'],
  ),
  '</Tabs>',
])

// ---- Moonshot: the pages of 2026-07 and chat.md of 2026-10

const docTable = (titles: string[], rows: (string | number)[][]) =>
  ['<DocTable', '  columns={[', ...titles.map((title) => `{ title: "${title}", width: "12%" },`), ']}', '  rows={[', ...rows.map((row) => `[${row.map((cell) => (typeof cell === 'number' ? `<>{"$"}${cell.toFixed(2)}</>` : `"${cell}"`)).join(', ')}],`), ']}', '/>'].join('\n') // biome-ignore format: a page
const kimi = (...tables: string[]) =>
  ['> ## Documentation Index', '', '# Model Inference Pricing Explanation', '', 'export const DocTable = ({columns = [], rows = []}) => {', '  return <div className="doc-table-wrap">', '      <table className="doc-table">', '        <thead><tr>{columns.map((column, index) => <th key={index}>{column.title}</th>)}</tr></thead>', '      </table>', '    </div>;', '};', '', '## Model Pricing', '', ...tables.flatMap((table, at) => [`### K${3 - at} Series Models`, '', table, '']), 'Here, 1M = 1,000,000. The prices in the table represent the cost per 1M tokens consumed.'].join('\n') // biome-ignore format: a page
const KIMI_OLD = [
  'Model',
  'Unit',
  'Input Price (Cache Hit)',
  'Input Price (Cache Miss)',
  'Output Price',
  'Context Window',
]
const K2 = docTable(KIMI_OLD, [['kimi-k2.7-code', '1M tokens', 0.19, 0.95, 4, '262,144 tokens'], ['kimi-k2.6', '1M tokens', 0.16, 0.95, 4, '262,144 tokens']]) // biome-ignore format: figures
const moonshotJuly = kimi(docTable(KIMI_OLD, [['kimi-k3', '1M tokens', 0.3, 3, 15, '1,048,576 tokens']]), K2)
const moonshotNewest = kimi(
  docTable(
    [
      'Model',
      'Unit',
      'Cache Write Price (TTL 5min)',
      'Cache Write Price (TTL 1h)',
      'Cached Input Price',
      'Input Price',
      'Output Price',
      'Context Window',
    ],
    [['kimi-k3', '1M tokens', 3, 6, 0.3, 3, 15, '1,048,576 tokens']],
  ),
  K2,
)

// ---- Perplexity: the tables of 2025-10 and 2026-09, pricing.md of 2026-02-04 as a whole

const sonar = (rows: string[]) =>
  ['# Pricing', '', '## Search API Pricing', '', md(['API', 'Price per 1K requests', 'Description'], ['**Search API** | \\$5.00 | Raw results']), '', '## Sonar API Pricing', '', '<Tabs>', '  <Tab title="Token Pricing">', '', md(['Model', 'Input Tokens (\\$/1M)', 'Output Tokens (\\$/1M)', 'Citation Tokens (\\$/1M)', 'Search Queries (\\$/1K)', 'Reasoning Tokens (\\$/1M)'], rows), '  </Tab>', '  <Tab title="Request Pricing">', '', md(['Model', 'Low Context Size', 'Medium Context Size', 'High Context Size'], ['**Sonar** | \\$5 | \\$8 | \\$12']), '  </Tab>', '</Tabs>'].join('\n') // biome-ignore format: a page
const SONAR = [
  'Sonar | $1 | $1 | - | - | -',
  'Sonar Pro | $3 | $15 | - | - | -',
  'Sonar Reasoning Pro | $2 | $8 | - | - | -',
  'Sonar Deep Research | $2 | $8 | $2 | $5 | $3',
]
const perplexity2025 = sonar([...SONAR.slice(0, 2), 'Sonar Reasoning | $1 | $5 | - | - | -', ...SONAR.slice(2)])
/** Every table of pricing.md of 2026-02-04. */
const perplexityWhole = [
  sonar([...SONAR.slice(0, 3), 'Sonar Deep Research | \\$2 | \\$8 | \\$2 | \\$5 | \\$3']), '', '## Agentic Research API Pricing', '', '### Model Pricing', '', 'See the full pricing breakdown.', '',
  '### Tool Pricing', '', md(['Tool', 'Price', 'Description'], ['**web\\_search** | \\$0.005 per invocation | Searches']), '',
  '<Tabs>', '  <Tab title="Pro Search Pricing">', '    ### Search Type Options', '', md(['Search Type', 'Description', 'Request Fee (per 1K)'], ['fast | Standard | \\$6 / \\$10 / \\$14']), '  </Tab>', '</Tabs>', '',
  '## Cost Examples', '', '<Tabs>', '      <Tab title="Low">', md(['Component', 'Cost'], ['Input tokens | \\$0.0005', 'Total | \\$0.0057']), '      </Tab>', '</Tabs>',
].join('\n') // biome-ignore format: a page
const perplexityNewest = sonar(SONAR)

/** Of each format its pages, the newest last. */
export const PAGES = {
  'anthropic-page': { '2025-12': anthropic2025, '2026-08': anthropic2026, '2026-10 HTML': anthropicHtml, '2026-10': anthropicNewest },
  'openai-page': { '2026-08': openai2026, '2026-08 as a whole': openaiWhole, '2026-10': openaiNewest },
  'google-page': { '2026-04 HTML': googleApril, '2026-08 HTML': google2026, '2026-08': googleMarkdown, '2026-10 HTML': googleNewest },
  'deepseek-page': { '2026-03': deepseekMarch, '2026-07': deepseek2026, '2026-08': deepseekPeak, '2026-10': deepseekNewest },
  'mistral-page': { 'after the sale': mistralAfterSale, '2026-10': mistralSale },
  'xai-page': { '2026-07': xai2026, '2026-09 HTML': xaiHtml, '2026-09': xaiNewest },
  'zai-page': { '2026-01': zaiJanuary, '2026-04': zaiApril, '2026-07': zaiJuly, '2026-09': zaiNewest },
  'minimax-page': { '2025-12': minimaxDecember, '2026-04': minimaxApril, '2026-07': minimaxNewest },
  'moonshot-page': { '2026-07': moonshotJuly, '2026-10': moonshotNewest },
  'alibaba-page': ALIBABA,
  'perplexity-page': { '2025-10': perplexity2025, '2026-02': perplexityWhole, '2026-09': perplexityNewest },
} as const // biome-ignore format: a table
export type PageFormat = keyof typeof PAGES
export const newest = (format: PageFormat): string => Object.values(PAGES[format]).at(-1)!
