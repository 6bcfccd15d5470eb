import { built } from './openapi/openapi.ts'
import type { Api } from './route.ts'
import type { Answer, SendAnswer } from './serving/send-answer.ts'

const ABOUT = `# Pricetape

> The published prices and legal documents of AI and cloud providers, as they stood at any instant. The same \`asOf\`
> always returns the same rows: cite the \`asOf\` of an answer beside any price you name.

Send \`Authorization: Bearer <API_KEY>\` with every request. On 429 wait \`retry-after\` seconds and send the same request
again. Errors are \`{"error":{"code","message","field"?}}\`; handle an unknown code by its HTTP status, and ignore fields you
do not know.

## How to read prices

- \`price\` is an exact decimal text, in \`currency\`, per one unit: \`usd_per_token\` times 1,000,000 is the price per million
  tokens. Do not add or rank prices of different units, currencies or tiers.
- A price line is provider, source, resource, dimension, unit, currency and pricingTier. Its price at \`asOf\` is its row
  with the newest \`recordedAt\`; older rows are its history. \`pricingTier\` \`{}\` is the standard tier.
- A source is a price list or a provider's own page. One source is served for each resource at an instant. \`continues\`
  on a row names the source that was served before.
- \`recordedAt\` is when the price was seen, which can be later than when it began to hold.
- Rows under an old name carry \`renamedTo\`.
- While \`nextCursor\` is not null, send it as \`cursor\` with \`limit\` and nothing else. On 409 \`alias_changed\` discard the
  pages and start again with the first page's \`asOf\`.`

type Parameter = { name: string; description?: string }
type Operation = { summary?: string; parameters?: Parameter[] }
type Document = { paths: Record<string, Record<string, Operation>> }

/** GET /llms.txt: what a language model needs in order to use the API, from the same schemas as its reference. */
export function llmsRoute(api: Api, sendAnswer: SendAnswer): void {
  let made: Answer | undefined
  const answer = () => {
    made ??= built('text/plain; charset=utf-8', llmsText(api.swagger() as unknown as Document))
    return made
  }
  api.addHook('onListen', async () => void answer())
  api.get('/llms.txt', { schema: { hide: true } }, (request, reply) => sendAnswer(request, reply, answer()))
}

/** Returns the text, with the endpoints that the OpenAPI document lists. */
function llmsText({ paths }: Document): string {
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => endpointText(`${method.toUpperCase()} ${path}`, operation)),
  )
  return `${ABOUT}

## Endpoints

${endpoints.join('\n')}

## Examples

- What one model cost on 1 August 2026:
  \`GET /v1/prices/history?providers=openai&resource=gpt-5&current=true&asOf=2026-08-01T00:00:00Z\`
- All its prices up to then, with when each was recorded: the same without \`current\`
- Every seller of one model now: \`GET /v1/prices/history?alias=<group>\`, with a group of \`GET /v1/comparison/aliases\`
- Which names a provider uses: \`GET /v1/catalog?provider=anthropic\`

## More

- [OpenAPI document](/openapi.json): every parameter and field, and the bodies of webhooks
- [Reference](/docs): the same to read
- MCP server: \`npx pricetape mcp\`, with PRICETAPE_URL and PRICETAPE_API_KEY set; its tools are find_resource, price_at,
  price_history, price_evidence, compare_group and list_providers
`
}

function endpointText(endpoint: string, { summary, parameters = [] }: Operation): string {
  const lines = parameters.map(({ name, description }) => `  - \`${name}\`${description ? `: ${description}` : ''}`)
  return [`- \`${endpoint}\`: ${summary ?? ''}`, ...lines].join('\n')
}
