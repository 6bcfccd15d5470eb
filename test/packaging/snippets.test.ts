import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { GROUPS } from '../../src/cli/groups.ts'
import { curated } from '../../src/collectors/formats/curated.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { webhookBody } from '../../src/webhooks/schema.ts'
import { pages, readPage, snippet, snippetsOf } from '../support/code/snippets.ts'

const ROOT = join(import.meta.dirname, '../..')

/** How a block is proven: the file that runs it, `here` (below), or why it is not run. */
type Proof = { runBy: string } | 'here' | { notRun: string }
const EXAMPLES = { runBy: 'test/journeys/examples.test.ts' }
const RECEIVERS = { runBy: 'test/wire/documentation.test.ts' }
const CLIENTS = { runBy: 'test/clients/packages.test.ts' }
const DURABILITY = { runBy: 'bench/durability/methods.ts' }
const START = { runBy: 'test/journeys/start/start.test.ts' }

/** Every fenced block of every page, by a text that it alone holds. */
const PROOFS: Record<string, Record<string, Proof>> = {
  'README.md': {
    'npm install && npm start': START,
    'What does gemini-3.6-flash cost at google?': EXAMPLES,
    'npm install && npm test': { notRun: 'it is what runs these tests' },
    'providers=google': EXAMPLES,
    '"nextCursor": null': EXAMPLES,
    'npm run demo': { notRun: 'it takes a minute; its steps are those of the webhook below' },
    'webhook create': EXAMPLES,
    'npx pricetape doctor': EXAMPLES,
  },
  'docs/use/accounts.md': {
    'account list': 'here',
    'curl -c cookies': EXAMPLES,
    PRICETAPE_OIDC_ISSUER: { runBy: 'test/accounts/identities/identity-settings.test.ts' },
  },
  'docs/use/mcp.md': { mcpServers: 'here', 'Prices of gpt-5 in 2025-12': { runBy: 'test/mcp/server.test.ts' } },
  'docs/install.md': { 'npm install\nnpm start': START, '(supervisor)': { notRun: 'a drawing' } },
  'docs/deploy.md': {
    'docker compose up --build --detach --scale': { runBy: 'test/packaging/deployment.test.ts' },
    'helm install': { runBy: 'ops/helm/check.ts' },
    'cosign verify': { notRun: 'it needs a release on GitHub' },
    'docker compose exec postgres sh /docker-entrypoint-initdb.d': { runBy: 'test/packaging/compose-roles.test.ts' },
    'docker compose exec api node bin/pricetape.js doctor': { notRun: 'it needs Docker' },
    'git archive HEAD': { notRun: 'it writes to /opt and /etc' },
    'systemctl enable': { runBy: 'test/packaging/deployment.test.ts' },
    'npm ci && npm run build && npm prune --omit=dev\nnode': { runBy: 'ops/image/check.ts' },
  },
  'docs/commands.md': { 'npx pricetape check ': 'here' },
  'docs/backup.md': {
    'pg_dump --format=directory': DURABILITY,
    'pg_restore --jobs': DURABILITY,
    archive_mode: DURABILITY,
    pg_basebackup: DURABILITY,
    pg_receivewal: DURABILITY,
    'recovery.signal': DURABILITY,
    restore_command: DURABILITY,
  },
  'docs/monitor.md': { not_ready: { runBy: 'test/monitoring/health.test.ts' } },
  'docs/alerts.md': { 'webhook failing\nnpx': 'here' },
  'docs/use/reading-prices.md': {
    'limit=2': EXAMPLES,
    'text/csv': EXAMPLES,
    '"confirmedBy"': { runBy: 'test/api/history/confirmation.test.ts' },
  },
  'docs/use/receiving-webhooks.md': {
    'POST /hooks HTTP/1.1': { runBy: 'test/wire/signing.test.ts' },
    'const verifiers = ': RECEIVERS,
    'function verify(': RECEIVERS,
    'createServer(async': RECEIVERS,
    'def verify(': RECEIVERS,
    'func verified(': RECEIVERS,
    'npx pricetape receiver': EXAMPLES,
  },
  'docs/use/proof.md': {
    '"leafIndex": 1234': { notRun: 'an answer in outline: its hashes and texts are shortened' },
    '"from": 9000000': { notRun: 'an answer in outline: its hashes and texts are shortened' },
  },
  'docs/use/export.md': {
    'pricetape export --format parquet': { notRun: 'files of one’s own; test/exports runs the commands' },
    'pricetape verify --file': { notRun: 'a key of one’s own; test/exports runs the command' },
    'select provider, resource, price::decimal': { runBy: 'test/exports/readers.test.ts' },
  },
  'docs/develop/formats.md': { '"asOf": "2026-11-21"': 'here' },
  'docs/use/subscriptions.md': { '"aliases"': 'here' },
  'docs/terms.md': {
    '"format": "document"': 'here',
    'terms check': 'here',
    'review list --kind terms': 'here',
    'terms list': 'here',
  },
  'clients/typescript/README.md': {
    openAiItems: CLIENTS,
    currentRows: CLIENTS,
    'copy.set': CLIENTS,
    verifyPage: CLIENTS,
    verifyWebhook: CLIENTS,
  },
  'clients/python/README.md': {
    openai_items: CLIENTS,
    current_rows: CLIENTS,
    'copy.update': CLIENTS,
    verify_page: CLIENTS,
    verify_webhook: CLIENTS,
  },
}

describe('every block of the documentation', () => {
  it('is listed with what proves it', async () => {
    for (const page of await pages()) {
      const listed = Object.keys(PROOFS[page] ?? {})
      const blocks = await snippetsOf(page)
      const texts = blocks.map(({ text }) => listed.filter((holding) => text.includes(holding)))
      expect({ page, unlisted: blocks.filter((_, n) => texts[n]!.length === 0).map(({ text }) => text) }).toEqual({
        page,
        unlisted: [],
      })
      for (const holding of listed) await snippet(page, holding)
      expect({ page, blocks: blocks.length }).toEqual({ page, blocks: listed.length })
    }
  })

  it('is proven by a file that exists', () => {
    const proofs = Object.values(PROOFS).flatMap((of) => Object.values(of))
    const files = proofs.flatMap((proof) => (typeof proof === 'object' && 'runBy' in proof ? [proof.runBy] : []))
    expect([...new Set(files)].filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  it('of JSON is what the product reads', async () => {
    webhookBody.parse(JSON.parse(await snippet('docs/use/subscriptions.md', '"aliases"')))
    const source = sourceDeclaration.parse(JSON.parse(await snippet('docs/terms.md', '"format": "document"')))
    expect(source.source).toBe('terms.example.terms-of-use')
    const file = Buffer.from(await snippet('docs/develop/formats.md', '"asOf": "2026-11-21"'))
    expect(curated.parse(file, { source, at: '2026-11-21T00:00:00.000Z' as Instant }).observations).toMatchObject([
      { provider: 'acme', price: '0.000003' },
    ])
    const { mcpServers } = JSON.parse(await snippet('docs/use/mcp.md', 'mcpServers'))
    expect(mcpServers.pricetape.args.slice(1)).toEqual(['mcp'])
  })
})

describe('every command that a page or a message names', () => {
  const groups = new Map<string, Command>()
  beforeAll(async () => {
    for (const [name, load] of Object.entries(GROUPS)) groups.set(name, await load())
  })

  it('exists, with its options', async () => {
    const code = (await readdir(join(ROOT, 'src'), { recursive: true })).filter((name) => /\.tsx?$/.test(name))
    const files = [...(await pages()), ...code.map((name) => `src/${name}`)]
    const named = (await Promise.all(files.map(async (file) => commandsIn(await readPage(file), file)))).flat()
    expect(named.length).toBeGreaterThan(80)
    expect(
      named.flatMap(({ command, file }) => wrongIn(command).map((wrong) => `${file}: ${command}: ${wrong}`)),
    ).toEqual([])
  })

  function commandsIn(text: string, file: string): { command: string; file: string }[] {
    return [...text.matchAll(/npx pricetape ([a-z][^\n`'"\\;.]*)/g)].map(([, rest]) => ({
      command: rest!.split(/ {3,}| # |, |: |\)| and | then | prints | lists /)[0]!.trim(),
      file,
    }))
  }

  /** `group list | delete KEY` names two commands of a group. */
  function wrongIn(text: string): string[] {
    const [first = '', ...others] = text.split(' | ')
    const [name = '', ...words] = first.split(' ')
    if (name === 'start') return []
    const group = groups.get(name)
    if (!group) return [`there is no command ${name}`]
    const uses = [words, ...others.map((other) => other.split(' '))]
    return uses.flatMap(([sub = '', ...rest]) => wrongUse(group, sub, rest))
  }

  function wrongUse(group: Command, sub: string, rest: string[]): string[] {
    const command = group.commands.find((known) => known.name() === sub)
    if (group.commands.length > 0 && !command && /^[a-z]/.test(sub) && sub !== 'jq') return [`it has no ${sub}`]
    const options = new Set((command ?? group).options.map(({ long }) => long))
    return [sub, ...rest]
      .flatMap((word) => /--[a-z-]+/.exec(word)?.[0] ?? [])
      .filter((option) => option !== '--help' && !options.has(option))
      .map((option) => `it has no ${option}`)
  }
})
