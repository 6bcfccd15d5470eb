import { describe, expect, it } from 'vitest'
import { bundledSnapshots } from '../../../src/collectors/formats/bundled.ts'
import { ignored, lines, parseAs, unreadable } from '../support.ts'
import { newest, PAGES, type PageFormat } from './samples.ts'

const AT = { at: '2026-10-12T00:00:00Z' }
const read = (format: PageFormat, date: string, at = AT) =>
  parseAs(format)((PAGES[format] as { [date: string]: string })[date], at)
/** The lines of some models, without units. */
const of = (format: PageFormat, date: string, models: RegExp, at = AT) =>
  lines(read(format, date, at))
    .filter((line) => models.test(line.split(' ')[0]!))
    .map((line) => line.replace(/ usd_per_\w+/, '').replace(' {}', ''))

describe('every recorded shape of a page', () => {
  const shapes = Object.entries(PAGES).flatMap(([format, pages]) =>
    Object.keys(pages).map((date): [PageFormat, string] => [format as PageFormat, date]),
  )
  it.each(shapes)('%s of %s gives valid prices of its maker, each with its canonical name', (format, date) => {
    const { providers, observations } = read(format, date)
    expect(providers).toHaveLength(1)
    for (const { provider, canonicalResource, resource } of observations)
      expect([provider, canonicalResource]).toEqual([
        providers[0]!.provider,
        `${provider === 'x-ai' ? 'x-ai' : provider}/${resource.toLowerCase().replaceAll('.', provider === 'anthropic' ? '-' : '.')}`,
      ])
  })
})

describe('Anthropic', () => {
  it('is read in all its columns, with batch, fast mode and the names of the API', () => {
    expect(of('anthropic-page', '2025-12', /opus-4-5|3-5-haiku/)).toEqual([
      'claude-opus-4-5 input_tokens 0.000005', 'claude-opus-4-5 cache_write_tokens 0.00000625',
      'claude-opus-4-5 cache_write_tokens {"ttl":"1h"} 0.00001', 'claude-opus-4-5 cache_read_tokens 0.0000005',
      'claude-opus-4-5 output_tokens 0.000025', 'claude-3-5-haiku-latest input_tokens 0.0000008',
      'claude-3-5-haiku-latest cache_write_tokens 0.000001', 'claude-3-5-haiku-latest cache_write_tokens {"ttl":"1h"} 0.0000016',
      'claude-3-5-haiku-latest cache_read_tokens 0.00000008', 'claude-3-5-haiku-latest output_tokens 0.000004',
      'claude-opus-4-5 input_tokens {"service":"batch"} 0.0000025', 'claude-opus-4-5 output_tokens {"service":"batch"} 0.0000125',
      'claude-3-5-haiku-latest input_tokens {"service":"batch"} 0.0000004',
      'claude-3-5-haiku-latest output_tokens {"service":"batch"} 0.000002',
    ]) // biome-ignore format: figures
    expect(of('anthropic-page', '2026-08', /opus-4-8/).slice(-2)).toEqual([
      'claude-opus-4-8 input_tokens {"service":"fast"} 0.00001',
      'claude-opus-4-8 output_tokens {"service":"fast"} 0.00005',
    ])
  })

  it('charges more for long prompts of one model, in a row of its own', () => {
    expect(of('anthropic-page', '2026-10', /haiku-5-5/).filter((line) => line.includes('input'))).toEqual([
      'claude-haiku-5-5 input_tokens 0.0000001',
      'claude-haiku-5-5 input_tokens {"context":">100000"} 0.0000005',
    ])
  })

  it('gives the price in force of a model with dated rows, and announces the other', () => {
    const input = (at: string) =>
      of('anthropic-page', '2026-08', /sonnet-5/, { at }).filter((line) => /input/.test(line))
    const [before, after] = ['2026-08-31T23:59:59Z', '2026-09-01T00:00:00Z']
    expect([input(before), input(after)]).toEqual([
      ['claude-sonnet-5 input_tokens 0.000002'],
      ['claude-sonnet-5 input_tokens 0.000003'],
    ])
    const { announced, nextChangeAt } = read('anthropic-page', '2026-08', { at: before })
    expect(nextChangeAt).toBe('2026-09-01T00:00:00.000Z')
    expect(announced).toHaveLength(5)
    expect(announced![0]).toMatchObject({
      from: '2026-09-01T00:00:00.000Z',
      observation: {
        resource: 'claude-sonnet-5',
        dimension: 'input_tokens',
        price: '0.000003',
        effectiveFrom: '2026-09-01',
      },
    })
  })

  it('leaves out what its maker has retired, and reads the page with columns in groups alike', () => {
    const page = read('anthropic-page', '2026-10')
    expect(ignored(page)['a model that its maker has retired']).toBe(1)
    const common = (date: string) =>
      of('anthropic-page', date, /opus-5|sonnet-5|haiku-4-5|fable/).filter((line) => !/service/.test(line))
    expect(new Set(common('2026-10 HTML').filter((line) => !/sonnet-4/.test(line)))).toEqual(new Set(common('2026-10')))
  })
})

describe('OpenAI', () => {
  it('is read by service tier, with short and long context', () => {
    expect(of('openai-page', '2026-10', /gpt-6-astra|gpt-5\.5$/).filter((line) => /input|output/.test(line))).toEqual([
      'gpt-6-astra input_tokens 0.00001', 'gpt-6-astra output_tokens 0.00005', 'gpt-6-astra input_tokens {"context":">272000"} 0.00002',
      'gpt-6-astra output_tokens {"context":">272000"} 0.000075', 'gpt-5.5 input_tokens 0.000005', 'gpt-5.5 output_tokens 0.00003',
      'gpt-5.5 input_tokens {"context":">272000"} 0.00001', 'gpt-5.5 output_tokens {"context":">272000"} 0.000045',
      'gpt-6-astra input_tokens {"service":"batch"} 0.000005', 'gpt-6-astra output_tokens {"service":"batch"} 0.000025',
      'gpt-6-astra input_tokens {"service":"batch","context":">272000"} 0.00001',
      'gpt-6-astra output_tokens {"service":"batch","context":">272000"} 0.0000375',
      'gpt-6-astra input_tokens {"service":"fast"} 0.00002', 'gpt-6-astra output_tokens {"service":"fast"} 0.0001',
      'gpt-6-astra input_tokens {"service":"fast","context":">272000"} 0.00004',
      'gpt-6-astra output_tokens {"service":"fast","context":">272000"} 0.00015',
    ]) // biome-ignore format: figures
  })

  it('is read by kind of content, and by the character where a cell says so', () => {
    expect(of('openai-page', '2026-08', /realtime|image|tts|moderation/)).toEqual([
      'gpt-realtime-2.1 input_audio_tokens 0.000032', 'gpt-realtime-2.1 cache_read_audio_tokens 0.0000004',
      'gpt-realtime-2.1 output_audio_tokens 0.000064', 'gpt-realtime-2.1 input_tokens 0.000004',
      'gpt-realtime-2.1 cache_read_tokens 0.0000004', 'gpt-realtime-2.1 output_tokens 0.000024',
      'gpt-realtime-2.1 input_image_tokens 0.000005', 'gpt-realtime-2.1 cache_read_image_tokens 0.0000005',
      'tts-1 input_characters 0.000015', 'gpt-image-2 input_image_tokens 0.000008', 'gpt-image-2 cache_read_image_tokens 0.000002',
      'gpt-image-2 output_image_tokens 0.00003', 'gpt-image-2 input_tokens 0.000005', 'gpt-image-2 cache_read_tokens 0.00000125',
      'gpt-image-2 input_image_tokens {"service":"batch"} 0.000004', 'gpt-image-2 cache_read_image_tokens {"service":"batch"} 0.000001',
      'gpt-image-2 output_image_tokens {"service":"batch"} 0.000015', 'gpt-image-2 input_tokens {"service":"batch"} 0.0000025',
      'gpt-image-2 cache_read_tokens {"service":"batch"} 0.000000625', 'omni-moderation-latest input_tokens 0',
    ]) // biome-ignore format: figures
    expect(unreadable(read('openai-page', '2026-08'))).toEqual([
      'gpt-live-1 output_audio_tokens {} = "$0.05 / minute (billed per second)"',
    ])
  })
})

describe('Google', () => {
  it('is read with context, audio, storage and service tiers, for every id of a heading', () => {
    expect(of('google-page', '2026-10 HTML', /gemini-2\.5-pro$|gemini-2\.5-flash$/)).toEqual([
      'gemini-2.5-pro input_tokens 0.00000125', 'gemini-2.5-pro input_tokens {"context":">200000"} 0.0000025',
      'gemini-2.5-pro output_tokens 0.00001', 'gemini-2.5-pro output_tokens {"context":">200000"} 0.000015',
      'gemini-2.5-pro cache_read_tokens 0.000000125', 'gemini-2.5-pro cache_read_tokens {"context":">200000"} 0.00000025',
      'gemini-2.5-pro cache_storage_token_hours 0.0000045',
      'gemini-2.5-pro input_tokens {"service":"batch"} 0.000000625', 'gemini-2.5-pro input_tokens {"service":"batch","context":">200000"} 0.00000125',
      'gemini-2.5-pro output_tokens {"service":"batch"} 0.000005', 'gemini-2.5-pro output_tokens {"service":"batch","context":">200000"} 0.0000075',
      'gemini-2.5-pro input_tokens {"service":"priority"} 0.00000225',
      'gemini-2.5-pro input_tokens {"service":"priority","context":">200000"} 0.0000045',
      'gemini-2.5-pro output_tokens {"service":"priority"} 0.000018',
      'gemini-2.5-pro output_tokens {"service":"priority","context":">200000"} 0.000027',
      'gemini-2.5-flash input_tokens 0.0000003', 'gemini-2.5-flash input_audio_tokens 0.000001', 'gemini-2.5-flash output_tokens 0.0000025',
      'gemini-2.5-flash cache_read_tokens 0.00000003', 'gemini-2.5-flash cache_read_audio_tokens 0.0000001',
      'gemini-2.5-flash cache_storage_token_hours 0.000001',
    ]) // biome-ignore format: figures
    const models = (date: string) => new Set(read('google-page', date).observations.map(({ resource }) => resource))
    expect(models('2026-10 HTML')).toContain('gemini-2.5-pro-customtools')
    expect(models('2026-08')).toContain('gemini-3.6-flash')
  })

  it('gives no price twice in another unit, and prices by the image only where there is no other', () => {
    expect(of('google-page', '2026-10 HTML', /live|image|embedding/)).toEqual([
      'gemini-3.8-live input_tokens 0.00000075', 'gemini-3.8-live input_audio_tokens 0.000003',
      'gemini-3.8-live input_image_tokens 0.000001', 'gemini-3.8-live input_video_tokens 0.000001',
      'gemini-3.8-live output_tokens 0.0000045', 'gemini-3.8-live output_audio_tokens 0.000012',
      'gemini-3-pro-image input_tokens 0.000002', 'gemini-3-pro-image output_tokens 0.000012',
      'gemini-3-pro-image output_image_tokens 0.00012', 'gemini-2.5-flash-image input_tokens 0.0000003',
      'gemini-2.5-flash-image output_images 0.039', 'gemini-embedding-2 input_tokens 0.0000002',
      'gemini-embedding-2 input_image_tokens 0.00000045', 'gemini-embedding-2 input_audio_tokens 0.0000065',
    ]) // biome-ignore format: figures
  })

  it('announces a price with its day, and reads it when the day comes', () => {
    const prices = (at: string) => of('google-page', '2026-10 HTML', /3\.8-flash/, { at })
    expect(prices('2026-12-31T23:59:59Z')).toEqual([
      'gemini-3.8-flash input_tokens 0.00000075', 'gemini-3.8-flash output_tokens 0.00000375',
      'gemini-3.8-flash cache_read_tokens 0.000000075', 'gemini-3.8-flash cache_storage_token_hours 0.0000005',
    ]) // biome-ignore format: figures
    expect(prices('2027-01-01T00:00:00Z')).toEqual([
      'gemini-3.8-flash input_tokens 0.0000015', 'gemini-3.8-flash output_tokens 0.0000075',
      'gemini-3.8-flash cache_read_tokens 0.00000015', 'gemini-3.8-flash cache_storage_token_hours 0.000001',
    ]) // biome-ignore format: figures
    const { announced, nextChangeAt } = read('google-page', '2026-10 HTML')
    expect(nextChangeAt).toBe('2027-01-01T00:00:00.000Z')
    expect(announced!.map(({ from, observation: { dimension, price } }) => `${from} ${dimension} ${price}`)).toEqual([
      '2027-01-01T00:00:00.000Z input_tokens 0.0000015', '2027-01-01T00:00:00.000Z output_tokens 0.0000075',
      '2027-01-01T00:00:00.000Z cache_read_tokens 0.00000015', '2027-01-01T00:00:00.000Z cache_storage_token_hours 0.000001',
    ]) // biome-ignore format: figures
  })

  it('makes a line unreadable when its price has ended and the page names none that follows', () => {
    const page = newest('google-page').replace('<br>$1.50 starting January 1, 2027.', '')
    const after = parseAs('google-page')(page, { at: '2027-01-02T00:00:00Z' })
    expect(unreadable(after)).toEqual(['gemini-3.8-flash input_tokens {} = "0.75"'])
  })
})

describe('DeepSeek', () => {
  it('is read with models as columns, and off-peak as the standard price', () => {
    expect(of('deepseek-page', '2026-07', /pro/)).toEqual([
      'deepseek-v4-pro cache_read_tokens 0.000000003625',
      'deepseek-v4-pro input_tokens 0.000000435',
      'deepseek-v4-pro output_tokens 0.00000087',
    ])
    expect(of('deepseek-page', '2026-08', /pro/).filter((line) => /output/.test(line))).toEqual([
      'deepseek-v4-pro output_tokens 0.00000198',
      'deepseek-v4-pro output_tokens {"timeOfDay":"01:00Z-04:00Z,06:00Z-10:00Z"} 0.00000396',
    ])
    expect(of('deepseek-page', '2026-10', /flash/).filter((line) => /input/.test(line))).toEqual([
      'deepseek-flash input_tokens 0.00000015',
      'deepseek-flash input_tokens {"timeOfDay":"Mo-Fr,!PH:CN 01:00Z-04:00Z,06:00Z-10:00Z"} 0.0000003',
    ])
  })
})

describe('Mistral', () => {
  it('is read at its sale price while the sale lasts, under the names of the API, without models of others', () => {
    const large4 = (date: string) => of('mistral-page', date, /large-4/)
    expect([large4('2026-10')[2], large4('after the sale')[2]]).toEqual([
      'mistral-large-4 output_tokens 0.00000209',
      'mistral-large-4 output_tokens 0.00000418',
    ])
    expect([...new Set(read('mistral-page', '2026-10').observations.map(({ resource }) => resource))]).toEqual([
      'mistral-large-4', 'mistral-large-2512', 'mistral-medium-3-5', 'mistral-small-2603', 'ministral-14b-2512', 'mistral-ocr-4-1',
      'voxtral-tts-2603', 'mistral-moderation-2603', 'codestral-2508', 'codestral-embed-2505',
    ]) // biome-ignore format: names
    expect(of('mistral-page', '2026-10', /ocr|tts/)).toEqual([
      'mistral-ocr-4-1 pages 0.004', 'voxtral-tts-2603 input_characters 0', 'voxtral-tts-2603 output_characters 0.000016',
    ]) // biome-ignore format: figures
  })
})

describe('xAI', () => {
  it('is read with long context in rows and in columns alike', () => {
    const expected = [
      'grok-4.5 input_tokens 0.000002', 'grok-4.5 cache_read_tokens 0.0000003', 'grok-4.5 output_tokens 0.000006',
      'grok-4.5 input_tokens {"context":">200000"} 0.000004', 'grok-4.5 cache_read_tokens {"context":">200000"} 0.0000006',
      'grok-4.5 output_tokens {"context":">200000"} 0.000012',
    ] // biome-ignore format: figures
    for (const date of ['2026-07', '2026-09', '2026-09 HTML'])
      expect(of('xai-page', date, /grok-4\.5/)).toEqual(expected)
  })
})

describe('Z.ai, MiniMax, Moonshot and Perplexity', () => {
  it('are read at the price after a sale, in tabs, from a component, and with their own dimensions', () => {
    expect(of('zai-page', '2026-09', /GLM-5\.3|Flash$|OCR/)).toEqual([
      'GLM-5.3-Flash input_tokens 0.000000075', 'GLM-5.3-Flash cache_read_tokens 0.000000015', 'GLM-5.3-Flash output_tokens 0.00000025',
      'GLM-5.3 input_tokens 0.0000014', 'GLM-5.3 cache_read_tokens 0.00000026', 'GLM-5.3 output_tokens 0.0000044',
      'GLM-4.5-Flash input_tokens 0', 'GLM-4.5-Flash output_tokens 0', 'GLM-OCR input_tokens 0.00000003', 'GLM-OCR output_tokens 0.00000003',
    ]) // biome-ignore format: figures
    expect(of('minimax-page', '2026-07', /M3/).filter((line) => /input/.test(line))).toEqual([
      'MiniMax-M3 input_tokens 0.0000003', 'MiniMax-M3 input_tokens {"context":">512000"} 0.0000006',
      'MiniMax-M3 input_tokens {"service":"priority"} 0.00000045',
      'MiniMax-M3 input_tokens {"service":"priority","context":">512000"} 0.0000009',
    ]) // biome-ignore format: figures
    expect(of('moonshot-page', '2026-10', /k3/)).toEqual([
      'kimi-k3 cache_write_tokens 0.000003', 'kimi-k3 cache_write_tokens {"ttl":"1h"} 0.000006', 'kimi-k3 cache_read_tokens 0.0000003',
      'kimi-k3 input_tokens 0.000003', 'kimi-k3 output_tokens 0.000015',
    ]) // biome-ignore format: figures
    expect(of('perplexity-page', '2026-09', /deep/)).toEqual([
      'sonar-deep-research input_tokens 0.000002', 'sonar-deep-research output_tokens 0.000008',
      'sonar-deep-research citation_tokens 0.000002', 'sonar-deep-research web_searches 0.005', 'sonar-deep-research reasoning_tokens 0.000003',
    ]) // biome-ignore format: figures
  })
})

describe('the names on the pages', () => {
  it('are those that genai-prices has for the same models', () => {
    const { observations } = parseAs('genai-prices')(new TextDecoder().decode(bundledSnapshots().at(-1)!.bytes()))
    const known = new Set(observations.map(({ provider, resource }) => `${provider}/${resource}`))
    const names = (Object.keys(PAGES) as PageFormat[]).flatMap((format) =>
      Object.keys(PAGES[format]).flatMap((date) =>
        read(format, date).observations.map(({ provider, resource }) => `${provider}/${resource}`),
      ),
    )
    const all = [...new Set(names)]
    expect(all.filter((name) => known.has(name))).toEqual(
      expect.arrayContaining([
        'anthropic/claude-3-5-haiku-latest', 'anthropic/claude-opus-4-0', 'anthropic/claude-sonnet-5', 'anthropic/claude-fable-5-1',
        'openai/gpt-5.5-pro', 'openai/gpt-4o-2024-05-13', 'openai/gpt-5.3-codex', 'openai/text-embedding-3-small', 'openai/gpt-image-2',
        'google/gemini-2.5-pro', 'google/gemini-3.8-flash', 'google/gemini-embedding-2', 'deepseek/deepseek-v4-pro',
        'mistral/mistral-large-2512', 'mistral/mistral-medium-3-5', 'mistral/mistral-small-2603', 'mistral/ministral-14b-2512',
        'mistral/codestral-2508', 'mistral/mistral-ocr-4-1', 'x-ai/grok-4.5', 'x-ai/grok-4.6', 'x-ai/grok-build-0.1', 'zai/GLM-5.2', 'zai/GLM-5.3-Flash', 'minimax/MiniMax-M2.7',
        'moonshotai/kimi-k3', 'moonshotai/kimi-k2.7-code', 'perplexity/sonar', 'perplexity/sonar-deep-research',
      ]),
    ) // biome-ignore format: names
  })
})
