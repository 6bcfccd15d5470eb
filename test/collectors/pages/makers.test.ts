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

/** Alibaba sells models of others too; whose one is that another company serves there is not certain. */
function canonical(provider: string, resource: string): string | undefined {
  const name = resource.toLowerCase().replaceAll('.', provider === 'anthropic' ? '-' : '.')
  if (provider !== 'alibaba') return `${provider}/${name}`
  const makers = { kimi: 'moonshotai', deepseek: 'deepseek' }
  const maker = Object.entries(makers).find(([family]) => name.startsWith(family))?.[1] ?? 'qwen'
  return name.includes('/') ? undefined : `${maker}/${name}`
}

describe('every recorded shape of a page', () => {
  const shapes = Object.entries(PAGES).flatMap(([format, pages]) =>
    Object.keys(pages).map((date): [PageFormat, string] => [format as PageFormat, date]),
  )
  it.each(shapes)('%s of %s gives valid prices of its seller, each with its canonical name', (format, date) => {
    const { providers, observations } = read(format, date)
    expect(providers).toHaveLength(1)
    for (const { provider, canonicalResource, resource } of observations)
      expect([provider, canonicalResource]).toEqual([providers[0]!.provider, canonical(provider, resource)])
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

describe('a whole page of OpenAI', () => {
  it('is read in every section, and prices by the second, tools and training are left out', () => {
    expect(of('openai-page', '2026-08 as a whole', /gpt-5\.6|chat-latest/).filter((line) => /output/.test(line))).toEqual([
      'gpt-5.6-sol output_tokens 0.00002', 'gpt-5.6-sol output_tokens {"context":">272000"} 0.00003',
      'gpt-5.6-sol output_tokens {"service":"batch"} 0.00001', 'gpt-5.6-sol output_tokens {"service":"batch","context":">272000"} 0.000015',
      'gpt-5.6-sol output_tokens {"service":"flex"} 0.00001', 'gpt-5.6-sol output_tokens {"service":"flex","context":">272000"} 0.000015',
      'gpt-5.6-sol output_tokens {"service":"fast"} 0.00004', 'gpt-5.6-sol output_tokens {"service":"fast","context":">272000"} 0.00006',
      'gpt-5.6-cyber output_tokens 0.000075', 'chat-latest output_tokens 0.00003',
    ]) // biome-ignore format: figures
    expect(
      Object.keys(ignored(read('openai-page', '2026-08 as a whole'))).filter((reason) => /^prices of/.test(reason)),
    ).toEqual(
      ['video generation models', 'transcription models', 'tools', 'finetuning'].map(
        (section) => `prices of ${section}, which are not read from this page`,
      ),
    )
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

describe('a whole page of Google', () => {
  it('is read where a cell says that a batch costs the same, and left out where models are not sold or a tool is', () => {
    expect(of('google-page', '2026-04 HTML', /3-flash|2\.0-flash$/).filter((line) => /cache/.test(line))).toEqual([
      'gemini-3-flash-preview cache_read_tokens {"service":"batch"} 0.00000005',
      'gemini-3-flash-preview cache_read_audio_tokens {"service":"batch"} 0.0000001',
      'gemini-3-flash-preview cache_storage_token_hours {"service":"batch"} 0.000001',
      'gemini-2.0-flash cache_read_tokens 0.000000025', 'gemini-2.0-flash cache_read_audio_tokens 0.000000175',
      'gemini-2.0-flash cache_storage_token_hours 0.000001',
    ]) // biome-ignore format: figures
    expect(ignored(read('google-page', '2026-04 HTML'))).toMatchObject({
      'a table in which nothing has a price': 1,
      'prices of tools and agents, which are not by the token of a model': 1,
      'a price of output price per other': 2,
    })
  })

  it('makes a price by the picture unreadable that stands without its unit beside a price of tokens', () => {
    expect(unreadable(read('google-page', '2026-04 HTML'))).toEqual([
      'gemini-3-pro-image-preview input_image_tokens {"service":"batch"} = "0.0006"',
    ])
  })

  it('does not call models without a name unsold that have a price', () => {
    const page = PAGES['google-page']['2026-04 HTML'].replace(
      '<td>Input price</td><td>Free of charge</td><td>Not available</td>',
      '<td>Input price</td><td>Free of charge</td><td>$0.10</td>',
    )
    expect(() => parseAs('google-page')(page, AT)).toThrow(/under “Gemma 4”, which names no model id/)
  })
})

describe('DeepSeek', () => {
  it('is read with models as columns, and off-peak as the standard price', () => {
    expect(of('deepseek-page', '2026-03', /reasoner/)).toEqual([
      'deepseek-reasoner cache_read_tokens 0.000000028',
      'deepseek-reasoner input_tokens 0.00000028',
      'deepseek-reasoner output_tokens 0.00000042',
    ])
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

describe('Alibaba', () => {
  const thinking = (line: string) => /thinking"/.test(line)

  it('is read by the size of requests, in every region, with International as the standard', () => {
    expect(of('alibaba-page', '2026-09', /qwen3-max|coder/)).toEqual([
      'qwen3-max input_tokens 0.0000012', 'qwen3-max output_tokens 0.000006', 'qwen3-max input_tokens {"context":">32000"} 0.0000024',
      'qwen3-max output_tokens {"context":">32000"} 0.000012', 'qwen3-max input_tokens {"context":">128000"} 0.000003',
      'qwen3-max output_tokens {"context":">128000"} 0.000015', 'qwen3-coder-plus input_tokens {"region":"Global"} 0.000000574',
      'qwen3-coder-plus output_tokens {"region":"Global"} 0.000002294',
      'qwen3-coder-plus input_tokens {"region":"Global","context":">32000"} 0.000000861',
      'qwen3-coder-plus output_tokens {"region":"Global","context":">32000"} 0.000003441',
    ]) // biome-ignore format: figures
    expect(of('alibaba-page', '2026-10', /kimi/)).toEqual([
      'kimi-k3 input_tokens {"region":"Chinese mainland"} 0.000002827', 'kimi-k3 output_tokens {"region":"Chinese mainland"} 0.000014133',
      'kimi-k3 input_tokens {"region":"Global"} 0.000002827', 'kimi-k3 output_tokens {"region":"Global"} 0.000014133',
      'kimi-k3 input_tokens 0.000003', 'kimi-k3 output_tokens 0.000015',
    ]) // biome-ignore format: figures
  })

  it('charges half for a batch where a model says so, exactly', () => {
    expect(of('alibaba-page', '2026-09', /3\.8-max/)).toEqual([
      'qwen3.8-max input_tokens {"region":"Chinese mainland"} 0.00000165',
      'qwen3.8-max input_tokens {"region":"Chinese mainland","service":"batch"} 0.000000825',
      'qwen3.8-max output_tokens {"region":"Chinese mainland"} 0.000004951',
      'qwen3.8-max output_tokens {"region":"Chinese mainland","service":"batch"} 0.0000024755',
      'qwen3.8-max input_tokens 0.000002', 'qwen3.8-max input_tokens {"service":"batch"} 0.000001',
      'qwen3.8-max output_tokens 0.000006', 'qwen3.8-max output_tokens {"service":"batch"} 0.000003',
    ]) // biome-ignore format: figures
    expect(of('alibaba-page', '2025-12', /^qwen-flash/).filter((line) => /batch/.test(line))).toHaveLength(4)
    expect(of('alibaba-page', '2025-12', /preview/).filter((line) => /batch/.test(line))).toEqual([])
  })

  it('has output with thinking as an offer, in a column or a row, and as the standard where there is no other', () => {
    const plus = 'qwen-plus output_tokens {"offer":"thinking"} 0.000004'
    for (const date of ['2025-12', '2026-02', '2026-09', '2026-10'])
      expect(of('alibaba-page', date, /^qwen-plus$/).filter(thinking)[0]).toBe(plus)
    expect(of('alibaba-page', '2025-12', /^qwen-plus$/)).toEqual([
      'qwen-plus input_tokens 0.0000004', 'qwen-plus output_tokens 0.0000012', plus,
      'qwen-plus input_tokens {"context":">256000"} 0.0000012', 'qwen-plus output_tokens {"context":">256000"} 0.0000036',
      'qwen-plus output_tokens {"offer":"thinking","context":">256000"} 0.000012',
    ]) // biome-ignore format: figures
    expect(of('alibaba-page', '2026-09', /235b/)).toEqual([
      'qwen3-235b-a22b-thinking-2507 input_tokens 0.00000023', 'qwen3-235b-a22b-thinking-2507 output_tokens 0.0000023',
      'qwen3-235b-a22b-instruct-2507 input_tokens 0.00000023', 'qwen3-235b-a22b-instruct-2507 output_tokens 0.00000092',
    ]) // biome-ignore format: figures
  })

  it('makes lines unreadable whose cell has a discount off its list price, or hours that the page does not give', () => {
    expect(unreadable(read('alibaba-page', '2026-09'))).toEqual([
      'qwen3.7-plus input_tokens {} = "List price $0.4 (Limited-time 20% off)"',
      'qwen3.7-plus output_tokens {} = "List price $1.6 (Limited-time 20% off)"',
      'qwen3.7-plus output_tokens {"offer":"thinking"} = "List price $1.6 (Limited-time 20% off)"',
    ])
    expect(of('alibaba-page', '2026-09', /3\.7-plus/)).toHaveLength(3)
    expect(unreadable(read('alibaba-page', '2026-10'))).toEqual([
      'deepseek-r1-distill-llama-8b input_tokens {"region":"Global"} = "Discontinued"',
      'deepseek-r1-distill-llama-8b output_tokens {"region":"Global"} = "Discontinued"',
      'deepseek-v4.1-flash input_tokens {} = "Busy hours: $0.3 Idle hours: $0.15"',
      'deepseek-v4.1-flash output_tokens {} = "Busy hours: $1.2 Idle hours: $0.6"',
    ])
  })

  it('leaves out what is not by the token of text, and rows without a model', () => {
    expect(ignored(read('alibaba-page', '2026-09'))).toMatchObject({
      'prices of images, video, speech and embeddings': 2,
      'prices that depend on what else a request holds: audio, images, video': 1,
      'prices that are not by the token': 1,
    })
    expect(ignored(read('alibaba-page', '2026-10'))['a text where a model should be']).toBe(1)
    expect(of('alibaba-page', '2026-10', /deepseek-v(3|4-f)/)).toEqual([
      'siliconflow/deepseek-v3.2 input_tokens {"region":"Chinese mainland"} 0.000000287',
      'siliconflow/deepseek-v3.2 output_tokens {"region":"Chinese mainland"} 0.000000431',
      'deepseek-v4-flash input_tokens {"region":"Japan"} 0.000000205', 'deepseek-v4-flash output_tokens {"region":"Japan"} 0.00000041',
    ]) // biome-ignore format: figures
  })

  it('makes all lines of a model unreadable that has a note no one declared, and no other', () => {
    const page = newest('alibaba-page').replace(
      'Currently equivalent to qwen3.7-flash-2026-07-15',
      'Limited-time 20% off',
    )
    const noted = parseAs('alibaba-page')(page, AT)
    expect(lines(noted).filter((line) => /3\.7-flash/.test(line))).toEqual([])
    expect(unreadable(noted).filter((line) => /3\.7-flash/.test(line))).toHaveLength(6)
    expect(noted.observations).toHaveLength(read('alibaba-page', '2026-10').observations.length - 6)
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
