/** Alibaba's page of prices as it was recorded, shortened: the spans, notes and figures of the day named, without prose. */

type Band = [tokens: string, ...prices: string[]]
/** A model with the cells that span its bands, and a row for each band. */
const model = (name: string, spanning: string[], bands: Band[], quota = '1 million tokens', notes: string[] = []) =>
  bands
    .map(([tokens, ...prices], at) => {
      const span = bands.length > 1 ? ` rowspan="${bands.length}"` : ''
      const named = `<p>${name}</p>${notes.map((note) => `<blockquote><p>${note}</p></blockquote>`).join('')}`
      const cells = (texts: string[], more = '') => texts.map((text) => `<td${more}><p>${text}</p></td>`).join('')
      const sized = cells(tokens === '' ? prices : [tokens, ...prices])
      if (at > 0) return `<tr>${sized}</tr>`
      return `<tr><td${span}>${named}</td>${cells(spanning, span)}${sized}${quota ? cells([quota], span) : ''}</tr>`
    })
    .join('')
const table = (head: string, ...rows: string[]) =>
  `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`
const heads = (...names: string[]) => `<tr>${names.map((name) => `<td><p><b>${name}</b></p></td>`).join('')}</tr>`
/** Output has two columns: with thinking and without. */
const twice = (before: string[], output: string, modes: [string, string], after: string[] = []) => {
  const tall = (names: string[]) => names.map((name) => `<td rowspan="2"><p>${name}</p></td>`).join('')
  return `<tr>${tall(before)}<td colspan="2"><p>${output}</p></td>${tall(after)}</tr><tr>${modes.map((mode) => `<td><p>${mode}</p></td>`).join('')}</tr>`
}
const BATCH_2025 = '<a href="/help/en/batch">50% off for batch calls</a>'
const CACHE_2025 = '<a href="/help/en/context-cache">Discounts available for context cache</a>'
const QUOTA = 'Free quota <a href="/q">(Note)</a>'

// ---- 2025-12-10: the region stands in the heading of a family

const MILLION_2025 = ['Input price (Million tokens)', 'Output price (Million tokens)']
const MAX_2025: Band[] = [
  ['0 &lt; Tokens ≤ 32K', '$1.2', '$6'],
  ['32K &lt; Tokens ≤ 128K', '$2.4', '$12'],
  ['128K &lt; Tokens ≤ 252K', '$3', '$15'],
]
const december = `<main><h1>Model pricing</h1><h2>Text generation - International (Singapore)</h2>
<h3>Qwen-Max</h3><p>Billing is based on the number of input and output tokens.</p>
${table(
  heads('Model', 'Mode', 'Input tokens per request', MILLION_2025[0]!, `${MILLION_2025[1]}<blockquote>Chain of thought + response</blockquote>`, QUOTA),
  model('qwen3-max', ['Non-thinking mode only'], MAX_2025, '1 million tokens for each', [BATCH_2025, CACHE_2025]),
  model('qwen3-max-preview', ['Non-thinking and thinking modes'], MAX_2025, '1 million tokens', [CACHE_2025]),
)}
<h5>More models</h5>${table(
  heads('Model', 'Mode', 'Input tokens per request', ...MILLION_2025, QUOTA),
  model('qwen-max', ['Non-thinking mode only'], [['No tiered pricing', '$1.6', '$6.4']], '1 million tokens', [BATCH_2025]),
)}
<h3>Qwen-Plus</h3>${table(
  twice(['Model', 'Input tokens per request', MILLION_2025[0]!], MILLION_2025[1]!, ['Non-thinking mode', 'Thinking mode (Chain of thought + response)'], [QUOTA]),
  model('qwen-plus', [], [['0 &lt; Tokens ≤ 256K', '$0.4', '$1.2', '$4'], ['256K &lt; Tokens ≤ 1M', '$1.2', '$3.6', '$12']]),
  model('qwen-plus-2025-07-14', [], [['No tiered pricing', '$0.4', '$1.2', '$4']]),
  model('qwen-plus-2025-01-25', [], [['No tiered pricing', '$0.4', '$1.2', '-']]),
)}
<h3>Qwen-Flash</h3>${table(
  heads('Model', 'Input tokens per request', ...MILLION_2025, QUOTA),
  model('qwen-flash', [], [['0 &lt; Tokens ≤ 256K', '$0.05', '$0.4'], ['256K &lt; Tokens ≤ 1M', '$0.25', '$2']], '1 million tokens', [BATCH_2025, CACHE_2025]),
)}</main>` // biome-ignore format: a page

// ---- 2026-02: other words for the same columns

const M_2026 = ['Input price (per 1M tokens)', 'Output price (per 1M tokens)']
const february = `<main><h1>Model pricing</h1><h2>Text generation - International (Singapore)</h2><h3>Qwen-Max</h3>
${table(
  heads('Model', 'Mode', 'Input tokens per request', ...M_2026, QUOTA),
  model('qwen3-max', ['Non-thinking and thinking modes'], [['0&lt;Token≤32K', '$1.2', '$6'], ['32K&lt;Token≤128K', '$2.4', '$12']]),
)}<h3>Qwen-Plus</h3>${table(
  twice(['Model', 'Input tokens per request', M_2026[0]!], M_2026[1]!, ['Non-thinking mode', 'Thinking mode (CoT + response)'], [QUOTA]),
  ...['qwen3.5-plus', 'qwen3.5-plus-2026-02-15'].map((name) => model(name, [], [['0&lt;Token≤256K', '$0.4', '$2.4', '$2.4'], ['256K&lt;Token≤1M', '$1.2', '$7.2', '$7.2']])),
  model('qwen-plus', [], [['0&lt;Token≤256K', '$0.4', '$1.2', '$4']]),
)}</main>` // biome-ignore format: a page

// ---- 2026-09: inside an answer in JSON, with a column for where the model is served

const answer = (content: string) =>
  JSON.stringify({ code: 200, success: true, data: { nodeId: 2987148, title: 'Model inference pricing', content } })
const MILLION = ['Input price (per 1 million tokens)', 'Output price (per 1 million tokens)']
const PLACED = ['Model ID', 'Deployment scope']
const BANDS = 'Input tokens per request'
const september = answer(`<div><h2>Text generation - Qwen</h2><h3>Qwen Max</h3><h4>China (Beijing)</h4>
${table(
  heads('Model ID', 'Mode', BANDS, MILLION[0]!, `${MILLION[1]}<blockquote>Chain of thought + answer</blockquote>`, QUOTA),
  model('qwen3.8-max', ['Non-Thinking and Thinking modes'], [['0&lt;Token≤1M', '$1.65', '$4.951']], '1 million tokens', ['50% batch inference discount', 'context caching discount']),
)}<h4>Singapore</h4>${table(
  heads(...PLACED, 'Mode', BANDS, MILLION[0]!, `${MILLION[1]}<blockquote>Chain of thought + answer</blockquote>`, QUOTA),
  model('qwen3.8-max', ['International', 'Non-Thinking and Thinking modes'], [['0&lt;Token≤1M', '$2', '$6']], '1 million tokens', ['50% batch inference discount', 'context caching discount']),
  model('qwen3-max', ['International', 'Non-Thinking and Thinking modes'], [['0&lt;Token≤32K', '$1.2', '$6'], ['32K&lt;Token≤128K', '$2.4', '$12'], ['128K&lt;Token≤256K', '$3', '$15']], '1 million tokens', ['Currently equivalent to qwen3-max-2026-01-23', 'context caching discount']),
)}<h3>Qwen Plus</h3><h4>Singapore</h4>${table(
  twice([...PLACED, BANDS, MILLION[0]!], MILLION[1]!, ['Non-Thinking mode', 'Thinking mode (chain of thought + answer)'], ['Free quota']),
  model('qwen3.5-plus', ['International'], [['0&lt;Token&le;256K', '$0.4', '$2.4', '$2.4'], ['256K&lt;Token&le;1M', '$0.5', '$3', '$3']], '1 million tokens', ['Currently equivalent to qwen3.5-plus-2026-02-15']),
  model('qwen3.7-plus', ['International'], [['0&lt;Token&le;256K', 'List price $0.4 (Limited-time 20% off)', 'List price $1.6 (Limited-time 20% off)', 'List price $1.6 (Limited-time 20% off)'], ['256K&lt;Token&le;1M', '$1.2', '$4.8', '$4.8']]),
  model('qwen-plus', ['International'], [['0&lt;Token&le;256K', '$0.4', '$1.2', '$4']]),
  model('qwen-plus-2025-01-25', ['International'], [['No tiered pricing', '$0.4', '$1.2', '<ul><li></li></ul>']]),
)}<h4>US (Virginia)</h4>${table(
  heads(...PLACED, BANDS, ...MILLION),
  model('qwen3-coder-plus', ['Global'], [['0&lt;Token≤32K', '$0.574', '$2.294'], ['32K&lt;Token≤128K', '$0.861', '$3.441']], ''),
)}<h2>Text generation - Qwen - open source</h2><h3>Qwen3</h3><h4>Singapore</h4>${table(
  twice([...PLACED, 'Mode', MILLION[0]!], MILLION[1]!, ['Non-Thinking mode', 'Thinking mode'], ['Free quota']),
  model('qwen3-235b-a22b-thinking-2507', ['International', 'Thinking mode only'], [['', '$0.23', '-', '$2.3']]),
  model('qwen3-235b-a22b-instruct-2507', ['International', 'Non-Thinking mode only'], [['', '$0.23', '$0.92', '-']]),
)}<h3>Qwen Omni</h3><h4>Singapore</h4>${table(
  `<tr>${PLACED.map((name) => `<td rowspan="2"><p>${name}</p></td>`).join('')}<td colspan="2"><p>${MILLION[0]}</p></td><td colspan="2"><p>${MILLION[1]}</p></td></tr>${heads('Text/Image/Video', 'Audio', 'Text<blockquote>Multimodal input</blockquote>', 'Text + audio')}`,
  model('qwen3.5-omni-plus', ['International'], [['', '$1.4', '$11', '$8.3', '$44']], ''),
)}<h3>Qwen ASR</h3><h4>Singapore</h4>${table(heads('Model ID', 'Deployment scope', 'Input price'), model('qwen3-asr-flash', ['International'], [['', '$0.000035/second']], ''))}
<h2>Image generation</h2><h4>Singapore</h4>${table(heads('Model ID', 'Deployment scope', 'Output price'), model('qwen-image-plus', ['International'], [['', '$0.03/image']], ''))}
<h2>Speech synthesis</h2><h4>China (Beijing)</h4>${table(heads('Model ID', ...MILLION), model('qwen-tts-flash', [], [['', '$0.23', '$1.434']], ''))}</div>`) // biome-ignore format: a page

// ---- 2026-10: a row for each mode, models of others, and prices that differ by the hour

const october = answer(`<div><h2>Text generation - third-party</h2><h4>China (Beijing)</h4>
${table(heads('Model ID', ...MILLION), model('kimi-k3', [], [['', '$2.827', '$14.133']], ''), model('siliconflow/deepseek-v3.2', [], [['', '$0.287', '$0.431']], ''), model('See the list', [], [['', '$1', '$2']], ''))}
<h4>Japan (Tokyo)</h4>${table(heads(...PLACED, ...MILLION), model('kimi-k3', ['Global'], [['', '$2.827', '$14.133']], ''), model('deepseek-v4-flash', ['Japan'], [['', '$0.205', '$0.41']], ''), model('deepseek-r1-distill-llama-8b', ['Global'], [['', 'Discontinued', 'Discontinued']], ''))}
<h4>Singapore</h4>${table(
  heads(...PLACED, BANDS, ...MILLION, 'Free quota'),
  model('qwen3.7-flash', ['International'], [['0&lt;Token≤32K', '$0.030', '$0.130'], ['32K&lt;Token≤256K', '$0.100', '$0.400'], ['256K&lt;Token≤1M', '$0.200', '$0.800']], '1 million tokens', ['Currently equivalent to qwen3.7-flash-2026-07-15']),
)}${table(
  heads(...PLACED, ...MILLION),
  model('deepseek-v4.1-flash', ['International'], [['', 'Busy hours: $0.3<br>Idle hours: $0.15', 'Busy hours: $1.2<br>Idle hours: $0.6']], '', ['context caching']),
  model('kimi-k3', ['International'], [['', '$3', '$15']], ''),
)}${table(
  heads(...PLACED, 'Mode', ...MILLION),
  model('qwen-plus', ['International', 'Non-thinking mode'], [['', '$0.4', '$1.2']], ''),
  model('qwen-plus', ['International', 'Thinking mode'], [['', '$0.4', '$4']], ''),
  model('qwen3.8-max', ['International', 'Non-Thinking and Thinking modes'], [['', '$2', '$6']], ''),
)}</div>`) // biome-ignore format: a page

export const ALIBABA = { '2025-12': december, '2026-02': february, '2026-09': september, '2026-10': october }
