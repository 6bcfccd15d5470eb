import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { MACHINE_LISTS, MODEL_LISTS } from '../../../src/collectors/formats/model-lists/index.ts'
import { DEFAULT_SOURCES, readSources } from '../../../src/collectors/sources-file.ts'
import { OperatorError } from '../../../src/lib/errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'pricetape-sources-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (content: unknown) => {
  const path = join(folder, 'sources.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('the list of sources', () => {
  it('that comes with the product is sound, and the public lists in it are on', () => {
    const sources = readSources()
    expect(sources.folder).toBe(dirname(DEFAULT_SOURCES))
    const prices = sources.enabled.filter(({ kind }) => kind === 'prices')
    const names = (isOfRank: (source: (typeof prices)[number]) => boolean) =>
      prices.filter(isOfRank).map(({ source }) => source)
    const isServed = (rank?: string) => (source: (typeof prices)[number]) => !source.witness && source.rank === rank
    expect(names(isServed())).toEqual(['genai-prices', 'models-dev', 'litellm', 'skypilot-lambda'])
    expect(names(isServed('verified'))).toEqual(['ai-price-index'])
    expect(names(isServed('provider'))).toEqual([
      ...['anthropic-pricing', 'openai-pricing', 'google-pricing', 'deepseek-pricing'],
      ...['mistral-pricing', 'xai-pricing', 'zai-pricing', 'minimax-pricing', 'moonshot-pricing', 'perplexity-pricing'],
      'alibaba-pricing',
      ...['cohere-pricing', 'groq-pricing', 'together-pricing', 'fireworks-pricing', 'cloudflare-pricing'],
      'writer-pricing',
      ...['openrouter-models', 'vercel-models', 'huggingface-router', 'deepinfra-models', 'novita-models'],
      ...['sambanova-models', 'cerebras-models', 'chutes-models', 'requesty-models', 'venice-models'],
      ...['friendli-models', 'synthetic-models', 'nearai-models'],
      ...['ovh-ai-endpoints', 'azure-openai', 'azure-gpu-machines', 'aws-bedrock', 'aws-bedrock-models'],
      ...[
        'aws-bedrock-service',
        'aws-bedrock-frankfurt',
        'aws-bedrock-models-frankfurt',
        'aws-ec2-us-east-1',
        'aws-ec2-us-east-2',
      ],
      ...['aws-ec2-us-west-2', 'aws-ec2-eu-central-1', 'aws-ec2-ap-northeast-1', 'runpod-gpus', 'oracle-cloud'],
      ...['scaleway-fr-par-2', 'ovh-public-cloud'],
    ])
    expect(names(({ witness }) => witness === true)).toEqual([])
    expect(prices[0]).toMatchObject({ source: 'genai-prices', bundled: true, primary: true })
    expect(new Set(sources.all.map(({ format }) => format))).toEqual(
      new Set([
        ...['genai-prices', 'ai-price-index', 'models-dev', 'litellm', 'azure', 'aws'],
        ...[...MODEL_LISTS, ...MACHINE_LISTS].map(({ format }) => format),
        ...['oracle', 'ec2-on-demand', 'google-cloud-skus'],
        ...['anthropic-page', 'openai-page', 'google-page', 'deepseek-page', 'mistral-page', 'xai-page'],
        ...['zai-page', 'minimax-page', 'moonshot-page', 'perplexity-page', 'alibaba-page'],
        ...['cohere-page', 'groq-page', 'together-page', 'fireworks-page', 'cloudflare-page', 'writer-page'],
        ...['skypilot', 'curated', ...(sources.all.some(({ kind }) => kind === 'terms') ? ['document'] : [])],
      ]),
    )
    for (const { about } of sources.all) expect(about).toBeTruthy()
    // No one's server is asked more than once an hour but the list that is served.
    for (const { source, intervalSeconds } of prices)
      if (source !== 'genai-prices') expect(intervalSeconds).toBeGreaterThanOrEqual(3_600)
  })

  it('is refused with everything that is wrong in it at once', () => {
    writeFileSync(
      join(folder, 'names.json'),
      JSON.stringify({ names: [{ listed: 'M', resource: 'a.m', day: '2026-11-24' }] }),
    )
    const path = file({
      sources: [
        { source: 'a', format: 'genai-prices', url: 'https://example.com/a.json' },
        { source: 'a', format: 'guesswork', url: 'https://example.com/b.json' },
        { source: 'b', format: 'litellm' },
        { source: 'c', format: 'skypilot', url: 'ftp://example.com/c.csv' },
        { source: 'd', format: 'litellm', url: 'https://example.com', bundled: true },
        { source: 'w', format: 'genai-prices', bundled: true, witness: true },
        { source: 'f', format: 'litellm', url: 'https://example.com/f', complete: true },
        {
          source: 'g',
          format: 'ec2-on-demand',
          url: 'https://example.com/g',
          options: { region: 'eu', question: 'what' },
        },
        { source: 'h', format: 'aws', url: 'https://example.com/h', options: { names: '../names.json' } },
        { source: 'i', format: 'aws', url: 'https://example.com/i', options: { names: 'names.json' } },
        { source: 'e', format: 'document', url: 'https://example.com/terms', options: { provider: 'acme' } },
      ],
    })
    expect(() => readSources(path)).toThrow(OperatorError)
    expect(() => readSources(path)).toThrow(
      new RegExp(
        [
          'a: is declared twice', 'a: format guesswork is unknown; known are genai-prices', 'b: has neither url nor bundled',
          'c: url ftp://example.com/c.csv is neither', 'c: options.provider must', 'd: nothing is bundled for litellm',
          'w: a witness has no bundled history', 'f: complete needs the rank provider and speaksFor',
          'g: options.question must be an object', 'g: options.location and options.region must say', 'h: options.names must be the name of a file',
          'i: names.json: names.0.evidence', 'e: options.document', 'e: options.title',
        ].join('[\\s\\S]*'),
      ),
    ) // biome-ignore format: one thing after another
  })

  it('decides by no source that is a witness', () => {
    const declared = ['before', 'witness', 'after'].map((source) => ({
      ...{ source, format: 'litellm', url: `https://example.com/${source}.json`, witness: source === 'witness' },
    }))
    const { all } = readSources(file({ sources: declared }))
    expect(all.map(({ source, primary }) => [source, primary])).toEqual([
      ['before', true],
      ['witness', false],
      ['after', true],
    ])
  })

  it('is refused for shapes and fields it does not know', () => {
    const bad = { source: 'Not A Slug', format: 'litellm', url: 'x', intervalSeconds: 5, intervall: 7 }
    expect(() => readSources(file({ sources: [bad] }))).toThrow(
      /sources\.0\.source[\s\S]*sources\.0\.intervalSeconds[\s\S]*intervall/,
    )
    expect(() => readSources(file([]))).toThrow(/the file/)
    expect(() => readSources(file('{'))).toThrow(/cannot be read: .*PRICETAPE_SOURCES/)
    expect(() => readSources(join(folder, 'nowhere.json'))).toThrow(/cannot be read/)
  })

  it('keeps what is off known and out of the way', () => {
    const sources = readSources(
      file({ sources: [{ source: 'off', format: 'litellm', url: 'x.json', enabled: false }] }),
    )
    expect(sources.all).toHaveLength(1)
    expect(sources.enabled).toEqual([])
  })
})
