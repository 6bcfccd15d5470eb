import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../../src/collectors/index.ts'
import { parseAs } from '../support.ts'
import { newest, PAGES, type PageFormat } from './samples.ts'

const AT = { at: '2026-10-12T00:00:00Z' }
const FORMATS = Object.keys(PAGES) as PageFormat[]
const refused = (format: PageFormat, page: string, reason: RegExp) => {
  const read = () => parseAs(format)(page, AT)
  expect(read).toThrow(SnapshotError)
  expect(read).toThrow(reason)
}

/** Not one price of these pages may be read. */
const EVERYWHERE: [what: string, page: (sample: string) => string, reason: RegExp][] = [
  ['an empty page', () => '', /is empty/],
  ['a sign-in page', () => '<!doctype html><html lang="en"><body><h1>Sign in</h1><form><input></form></body></html>', /does not say/],
  ['the text of a 404', () => '# Page not found\n\nThe page you requested does not exist.', /does not say/],
  ['an answer in JSON', () => '{"error": "not found"}', /is JSON|has no page at data\.content/],
  ['a page cut off before its first table', (sample) => sample.slice(0, sample.search(/<table|\| Model|\| {3}\|/)), /does not say|has no table/],
  ['a redesign with prices in boxes', (sample) => sample.replace(/<(\/?)(?:table|thead|tbody|tr|th|td)\b[^>]*>/g, '<$1div>')
        .replaceAll(/^\|[ |-]+\|$|\|/gm, ' ').replaceAll('<DocTable', '<DocCards'), /has no table|does not say/],
  ['another currency', (sample) => sample.replaceAll('$', '¥'), /cannot be read|unknown column|does not say|unknown table/],
] // biome-ignore format: a table

/** A page whose Markdown tables have a column less, or more. */
const cellsOf = (line: string) => line.split('|').slice(1, -1)
const changed = (page: string, name: string, change: (cells: string[], at: number, isHead: boolean) => string[]) => {
  let at = -1
  return page
    .split('\n')
    .map((line, index, all) => {
      if (!line.startsWith('|')) return line
      const isHead = !all[index - 1]?.startsWith('|')
      if (isHead) at = cellsOf(line).findIndex((cell) => cell.trim() === name)
      return at < 0 ? line : `|${change(cellsOf(line), at, isHead).join('|')}|`
    })
    .join('\n')
}
const without = (name: string) => (page: string) => changed(page, name, (cells, at) => cells.toSpliced(at, 1))
const withColumn = (name: string, added: string, value: string) => (page: string) =>
  changed(page, name, (cells, at, isHead) =>
    cells.toSpliced(at, 0, isHead ? added : cells[0] === ' --- ' ? '---' : value),
  )

type Change = string | RegExp | ((page: string) => string)
/** What is changed on the newest page of a maker, and the reason that its operator reads. */
const DAMAGE: { [format in PageFormat]: [what: string, from: Change, to: string, reason: RegExp][] } = {
  'anthropic-page': [
    ['another language', 'All prices are in USD', 'Alle Preise sind in USD', /does not say that its prices are in USD/],
    ['a renamed column', '5m cache writes', 'Short cache writes', /unknown column or row “short cache writes”/],
    ['a column less', without('Output tokens'), '', /no prices of output: a column is missing or has another name; there are “model”/],
    ['a column more', withColumn('Output tokens', 'Thinking tokens', '$9 / MTok'), '', /unknown column or row “thinking tokens” with “\$9 \/ MTok”/],
    ['a heading without its column', '| Output tokens |', '| Output tokens | Thinking tokens |', /table of the page cannot be read/],
    ['swapped columns', /Base input tokens(.*)Output tokens/, 'Output tokens$1Base input tokens', /output of claude-\S+ costs less than its input/],
    ['two swapped columns of the cache', /5m cache writes \| 1h cache writes/, '1h cache writes | 5m cache writes', /costs less for an hour/],
    ['prices per thousand tokens', /\/ MTok/g, '/ kTok', /highest input price is \$10000 per million/],
    ['a model without its prices', /(Claude Opus 5\.5) \| \$4 \/ MTok \|/, '$1 | Contact sales |', /cannot be read/],
    ['a model with an empty cell', /(Claude Opus 5\.5) \| \$4 \/ MTok \|/, '$1 | - |', /no price of input for “claude-opus-5-5”/],
    ['a lost family of models', /^\| Claude Haiku.*\n/gm, '', /no model like \^claude-haiku-/],
    ['a note that nobody declared', 'Claude Sonnet 5 |', 'Claude Sonnet 5 (enterprise only) |', /unknown note/],
    ['a name that no rule spells', 'Claude Sonnet 5 |', 'Claude Sonnet 3.9 |', /no rule says what the API calls it/],
    ['a name of another kind', 'Claude Sonnet 5 |', 'Cloud Sonnet 5 |', /where a model should be/],
    ['two prices for one model', '| Claude Sonnet 5 |', '| Claude Opus 5 | $6 / MTok | $6.25 / MTok | $10 / MTok | $0.50 / MTok | $25 / MTok |\n| Claude Sonnet 5 |', /two prices for claude-opus-5 input_tokens/],
    ['a new table of prices', '### Tool use pricing', '### Slow mode pricing\n\n| Model | Input |\n| --- | --- |\n| Claude Opus 5 | $1 / MTok |\n\n### Tool use pricing', /unknown table of prices under “.*Slow mode pricing”/],
    ['a lost table', '### Batch processing', '### Batches', /unknown table of prices|no table “Batch processing”/],
    ['a footnote that hides in the number', '$0.25 / MTok<sup>1</sup>', '$0.251 / MTok per seat', /cannot be read/],
  ],
  'openai-page': [
    ['another language', /Prices per 1M tokens/g, 'Preise je 1M Token', /does not say Prices per 1M tokens/],
    ['a renamed column', /Short context input/g, 'Short context prompt', /unknown column or row “short context prompt”/],
    ['a column less', without('Short context output'), '', /no prices of output/],
    ['a column more', withColumn('Short context output', 'Short context audio', '$7.00'), '', /unknown column or row “short context audio”/],
    ['a column more with its prices', /^(\| gpt-6-astra .*) \|$/gm, '$1 | $9.00 |', /row of 10 cells under 9 columns/],
    ['swapped columns', /Short context input \| Short context cached input/g, 'Short context cached input | Short context input', /cached input of \S+ costs more|no price of input/],
    ['swapped input and output', /Short context input(.*?)Short context output/g, 'Short context output$1Short context input', /output of \S+ costs less than its input/],
    ['prices per thousand tokens', /Prices per 1M tokens/g, 'Prices per 1K tokens', /does not say Prices per 1M tokens/],
    ['another boundary of long context', /272K/g, '400K', /does not say that long context begins above 272K/],
    ['a model without its row', /^\| gpt-4o \|.*\n/gm, '', /no model like \^gpt-4o\$/],
    ['a lost table', /### Standard pricing data/g, '### Prices', /does not say Standard pricing data/],
    ['an unknown section', 'Specialized models', 'Undersea models', /unknown section “Undersea models”/],
    ['an unknown service tier', '\nFast mode\n', '\nSlow mode\n', /unknown section “Slow mode”/],
    ['an unknown modality', '| gpt-realtime-2.1 | Audio', '| gpt-realtime-2.1 | Smell', /unknown modality “Smell”/],
    ['a price in words', '| gpt-6.1-sol | $2.00', '| gpt-6.1-sol | from $2.00', /cannot be read/],
  ],
  'google-page': [
    ['a machine translation', '<html lang="en">', '<html lang="zh-TW-x-mtfrom-en">', /in the language zh-tw-x-mtfrom-en/],
    ['another language', /Input price/g, 'Eingabepreis', /does not say Input price/],
    ['a renamed column', /Paid Tier, per 1M tokens in USD/g, 'Paid Tier, per 1K tokens in USD', /does not say Paid Tier, per 1M tokens in USD/],
    ['an unknown row', 'Context caching price', 'Context warming price', /unknown column or row “context warming price”/],
    ['a heading without an id', '<code translate="no">gemini-2.5-flash</code>', '', /“Standard”, which names no model id/],
    ['an id of another kind', '<code translate="no">gemini-2.5-flash</code>', '<code translate="no">temperature</code>', /names no model id/],
    ['swapped rows', /Input price<\/td>([\s\S]*?)Output price \(including thinking tokens\)/, 'Output price</td>$1Input price', /output of gemini-3\.8-flash costs less/],
    ['a condition that nobody declared', '$1.25, prompts <= 200k tokens', '$1.25, on Sundays', /cannot be read/],
    ['two prices without a difference', '$0.30 (text / image / video)<br>$1.00 (audio)', '$0.30<br>$1.00', /cannot be read/],
    ['a lost family of models', /gemini-2\.5-pro/g, 'gemini-2.5-max', /no model like/],
    ['batch above standard', '$0.625, prompts <= 200k tokens', '$1.30, prompts <= 200k tokens', /batch price of gemini-2\.5-pro is above/],
    ['a day that does not exist', 'through December 31, 2026', 'through December 32, 2026', /cannot be read/],
  ],
  'deepseek-page': [
    ['the Chinese page', '1M INPUT TOKENS<br>(CACHE MISS)', '百万tokens输入（缓存未命中）', /does not say 1M INPUT TOKENS \(CACHE MISS\)/],
    ['the page of the first call instead', /<h1>[\s\S]*<\/table>/, '<h1>Your First API Call</h1><table><tr><th>PARAM</th><th>VALUE</th></tr><tr><td>model</td><td>deepseek-v4-pro</td></tr></table>', /does not say/],
    ['a renamed row', '1M OUTPUT TOKENS', '1M ANSWER TOKENS', /unknown column or row “pricing \/ 1m answer tokens \/ off-peak”/],
    ['a row of another unit', '1M OUTPUT TOKENS', '1K OUTPUT TOKENS', /unknown column or row/],
    ['peak hours without a sentence', 'Peak hours are', 'Busy hours are', /no sentence that says when they are/],
    ['peak hours with a condition that nobody declared', 'UTC, Monday through Friday', 'UTC, in even weeks', /no sentence that says when they are/],
    ['a model more without its prices', '<td>deepseek-v4-pro</td>', '<td>deepseek-v4-pro</td><td>deepseek-v5</td>', /no price of input for “deepseek-v5”/],
    ['a name of another kind', 'deepseek-flash<sup>(1)</sup>', 'chat-flash', /where a model should be/],
    ['swapped rows', /1M INPUT TOKENS<br>\(CACHE MISS\)(.*?)1M OUTPUT TOKENS/, '1M OUTPUT TOKENS$1 1M INPUT TOKENS (CACHE MISS)', /output of \S+ costs less/],
    ['prices in yuan', /\$0\.15/, '¥1', /cannot be read|unknown column/],
  ],
  'mistral-page': [
    ['another language', '<html lang="en">', '<html lang="fr">', /in the language fr/],
    ['batch prices chosen', /aria-pressed="true">Standard<\/button><button aria-pressed="false">Batch/, 'aria-pressed="false">Standard</button><button aria-pressed="true">Batch', /“Batch” is chosen/],
    ['a renamed column', /<th>Cached input<\/th>/g, '<th>Cache</th>', /unknown column or row “cache”/],
    ['a column less', /<th>Cached input<\/th>/g, '', /row of 4 cells under 3 columns/],
    ['a column more', /<th>Output<\/th>/g, '<th>Output</th><th>Reasoning</th>', /row of 4 cells under 5 columns/],
    ['swapped columns', /<th>Input<\/th><th>Cached input<\/th>/g, '<th>Cached input</th><th>Input</th>', /cannot be right: cached input of \S+ costs more|cannot be right/],
    ['prices per thousand tokens', 'Prices /M Tokens', 'Prices /K Tokens', /no longer says that its prices are per million tokens/],
    ['a model without its row', /<tr><td><a target="_blank" href="\/models\/codestral-25-08">[\s\S]*?<\/tr>/, '', /no model like \^codestral-/],
    ['a model whose name leads nowhere', 'href="/models/mistral-large-4-0"', 'href="/chat"', /no rule says what the API calls it/],
    ['a sale in words', '$0.68</ins>', 'half price</ins>', /cannot be read/],
    ['a third-party section with another name', /Third-party hosted/g, 'Partners', /lists “Z\.ai GLM 5\.3”, and no rule says what the API calls it/],
  ],
  'xai-page': [
    ['another language', 'All prices are in USD', 'Tous les prix sont en USD', /does not say that its prices are in USD/],
    ['a renamed column', 'Input / 1M tokens |', 'Prompt / 1M tokens |', /unknown column or row “prompt \/ 1m tokens”/],
    ['prices per thousand tokens', /\/ 1M tokens/g, '/ 1K tokens', /unknown column or row “input \/ 1k tokens”/],
    ['a column less', without('Cached input / 1M tokens'), '', /no prices of cache_read/],
    ['a column more', withColumn('Output / 1M tokens', 'Images', '$3.00'), '', /unknown column or row “images”/],
    ['swapped columns', 'Input / 1M tokens | Cached input / 1M tokens', 'Cached input / 1M tokens | Input / 1M tokens', /cached input of \S+ costs more/],
    ['another boundary of long context', /200k/g, '128k', /does not say that long context begins at 200k/],
    ['models without their rows', /^\| grok-4\.[56] .*\n/gm, '', /1 models, and at least/],
    ['a note that nobody declared', 'grok-4.6 (< 200k prompt tokens)', 'grok-4.6 (Europe)', /unknown note/],
    ['a lost table', '### Text API Pricing', '### Prices', /unknown table of prices/],
  ],
  'zai-page': [
    ['another language', 'All prices are in USD', '所有价格以人民币计', /does not say that its prices are in USD/],
    ['a renamed column', /\| Input \|/g, '| Prompt |', /no table “Models by the token”|unknown table of prices/],
    ['a column less', without('Output'), '', /no prices of output/],
    ['a column more', withColumn('Output', 'Thinking', '\\$9'), '', /unknown column or row “thinking”/],
    ['swapped columns', /\| Input \| Cached Input \|/g, '| Cached Input | Input |', /cached input of \S+ costs more|no price of input/],
    ['prices per thousand tokens', /Prices per 1M tokens/g, 'Prices per 1K tokens', /does not say Prices per 1M tokens/],
    ['one table of prices per thousand tokens', 'Prices per 1M tokens', 'Prices per 1K tokens', /no longer says that its prices are per million tokens/],
    ['models without their rows', /^\| GLM-5.*\n/gm, '', /“Models by the token” has no rows/],
    ['a model listed twice at two prices', '| GLM-5.2 | \\$1.4', '| GLM-5.3 | \\$9.9', /two prices for GLM-5\.3 input_tokens/],
    ['a model of somebody else', '| GLM-5.2 |', '| Kimi-K3 |', /where a model should be/],
  ],
  'minimax-page': [
    ['another language', /Prompt caching Read/g, '提示缓存读取', /does not say Prompt caching Read/],
    ['a column less', without('Output'), '', /no prices of output/],
    ['a column more', withColumn('Output', 'Thinking', '\\$9 / M tokens'), '', /unknown column or row “thinking”/],
    ['swapped columns', /\| Input \| Output \|/g, '| Output | Input |', /output of \S+ costs less/],
    ['prices per thousand tokens', /\/ M tokens/g, '/ K tokens', /highest input price is/],
    ['prices without a unit', / \/ M tokens/g, '', /does not say what the prices of “\S+” are for/],
    ['a tab that nobody declared', 'title="Priority*"', 'title="Turbo"', /stands under “Turbo”, which is unknown/],
    ['a model without its rows', /^.*MiniMax-M2\.1.*\n|^.*MiniMax-M3.*\n|^.*MiniMax-M2\.7.*\n/gm, '', /no model like|has no rows/],
    ['a sale in words', '~~\\$0.60~~ \\$0.30', '~~\\$0.60~~ half', /cannot be read/],
  ],
  'moonshot-page': [
    ['the page in yuan', /"\$"/g, '"¥"', /does not say prices in dollars/],
    ['a renamed column', /title: "Input Price"/, 'title: "Prompt Price"', /unknown column or row “prompt price”/],
    ['a column less', /\{ title: "Input Price", width: "12%" \},\n/, '', /row of 8 cells under 7 columns/],
    ['swapped columns', /title: "Input Price \(Cache Hit\)"(.*)\n(.*)title: "Input Price \(Cache Miss\)"/, 'title: "Input Price (Cache Miss)"$1\n$2title: "Input Price (Cache Hit)"', /cached input of \S+ costs more/],
    ['prices per thousand tokens', /"1M tokens"/g, '"1K tokens"', /highest input price is/],
    ['an unknown unit', /"1M tokens"/g, '"1 book"', /per “1 book”, which is unknown/],
    ['code in place of a price', '<>{"$"}15.00</>', 'price("k3")', /cannot be read|row of/],
    ['models without their rows', /^\["kimi-k2.*\n/gm, '', /“Model pricing” has no rows/],
  ],
  'alibaba-page': [
    ['another language', /1 million tokens/g, '每百万Token', /does not say prices per million tokens/],
    ['the Chinese page', /\$/g, '元', /does not say prices in dollars/],
    ['an empty answer', /"content":".*"/, '"content":""', /has no page at data\.content/],
    ['another document', /"content":".*"/, '"content":"<h1>Models</h1><p>$1 International 1 million tokens</p>"', /no table “Models by the token”.*no tables at all/],
    ['a renamed column', /Input price \(per 1 million tokens\)/g, 'Prompt price (per 1 million tokens)', /no table “Models by the token”|unknown table of prices/],
    ['a renamed column of one table', 'Input price (per 1 million tokens)', 'Input unit price (per 1 million tokens)', /unknown table of prices under “.*China \(Beijing\)”/],
    ['a renamed column of regions', /Deployment scope/g, 'Service scope', /unknown column or row “service scope” with “Global”/],
    ['a renamed section', 'Text generation', 'Chat', /no table “Models by the token”/],
    ['a column more', 'Output price (per 1 million tokens)', 'Cached input price (per 1 million tokens)', /unknown table of prices/],
    ['swapped columns', /Input (price \(per 1 million tokens\)[\s\S]*?)Output/g, 'Output $1Input', /two prices for qwen-plus input_tokens|output of \S+ costs less/],
    ['prices per thousand tokens', /per 1 million tokens/g, 'per 1 thousand tokens', /unknown table of prices|no table “Models by the token”/],
    ['a region that is unknown', /<p>International<\/p>/, '<p>Atlantis</p>', /has “Atlantis” for deployment scope of “qwen3\.7-flash”, which is unknown/],
    ['a place that is unknown', '<h4>China (Beijing)</h4>', '<h4>Atlantis</h4>', /stands under “Atlantis”, and nothing says which tier that is/],
    ['a mode that is unknown', '<p>Thinking mode</p>', '<p>Dreaming mode</p>', /has “Dreaming mode” for mode of “qwen-plus”, which is unknown/],
    ['a size of requests in words', '32K&lt;Token≤256K', 'long requests', /is for requests of “long requests” of “qwen3\.7-flash”, which cannot be read/],
    ['two prices for one model', /(<p>kimi-k3<\/p><\/td><td><p>International<\/p><\/td><td><p>)\$3/, '$1$$4</p></td><td><p>$$15</p></td></tr><tr><td><p>kimi-k3</p></td><td><p>International</p></td><td><p>$$3', /two prices for kimi-k3 input_tokens/],
    ['a lost family of models', /qwen-plus/g, 'qwen-pro', /no model like \^qwen\[\\d\.\]\*-plus\$/],
    ['standard prices under another name', /International<\/p>/g, 'Global</p>', /two prices for kimi-k3 input_tokens {"region":"Global"}/],
    ['a model without its price', /(<p>qwen3\.8-max<\/p>.*?<p>)\$2/, '$1-', /no price of input for “qwen3\.8-max”/],
  ],
  'perplexity-page': [
    ['another language', 'Token Pricing', 'Tokenpreise', /does not say Token Pricing/],
    ['a renamed column', 'Output Tokens (\\$/1M)', 'Answer Tokens (\\$/1M)', /unknown column or row “answer tokens \(\$\/1m\)”/],
    ['a column less', without('Output Tokens (\\$/1M)'), '', /no prices of output/],
    ['swapped columns', /Input Tokens \(\\\$\/1M\) \| Output Tokens \(\\\$\/1M\)/, 'Output Tokens (\\$/1M) | Input Tokens (\\$/1M)', /output of sonar-pro costs less/],
    ['prices per thousand tokens', /\/1M\)/g, '/1K)', /unknown table of prices|no table “Token pricing”/],
    ['a model without its row', /^\| Sonar Pro \|.*\n/gm, '', /no model like \^sonar-pro\$/],
    ['a tab that nobody declared', 'title="Token Pricing"', 'title="Old Token Pricing"', /stands under “Old Token Pricing”/],
  ],
} // biome-ignore format: a table

describe.each(FORMATS)('a page of %s that is not as declared is quarantined with its reason', (format) => {
  it('reads the page itself', () => expect(parseAs(format)(newest(format), AT).observations.length).toBeGreaterThan(5))

  it.each(EVERYWHERE)('%s', (_, page, reason) => refused(format, page(newest(format)), reason))

  it.each(FORMATS.filter((other) => other !== format))('the page of %s behind its address', (other) =>
    refused(format, newest(other), /does not say|is in the language|has no table|is JSON/),
  )

  it.each(DAMAGE[format])('%s', (_, from, to, reason) => {
    const page = typeof from === 'function' ? from(newest(format)) : newest(format).replace(from, to)
    expect(page).not.toBe(newest(format))
    refused(format, page, reason)
  })
})
