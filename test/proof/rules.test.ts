import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import {
  isOrigin,
  judgeSignature,
  readCheckpoint,
  signCheckpoint,
  verifierOf,
} from '../../src/proof/checkpoint-rules.ts'
import { privateText, publicBytes, readPrivate, sealedFor, signing } from '../../src/proof/keys/key-rules.ts'
import { nextOrigin } from '../../src/proof/origin-rules.ts'
import { leafHash } from '../../src/proof/tree/hash-rules.ts'
import {
  bundle,
  inLogOrder,
  leafText,
  type ProviderLeaf,
  type RowLeaf,
  readLeaf,
  unbundle,
} from '../../src/proof/tree/leaf-rules.ts'

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z` as Instant
const row = (second: number, digit: string): RowLeaf => ({
  kind: 'row',
  at: at(second),
  contentHash: digit.repeat(64),
  status: 'approved',
})
const provider = (second: number, name: string): ProviderLeaf => ({
  kind: 'provider',
  at: at(second),
  provider: name,
  status: 'active',
})

describe('leaves', () => {
  it('are canonical JSON, and are read back', () => {
    expect(leafText(row(1, 'a'))).toBe(
      `{"at":"2026-01-01T00:00:01.000Z","contentHash":"${'a'.repeat(64)}","kind":"row","status":"approved"}`,
    )
    expect(leafText({ kind: 'origin', at: at(1), origin: 'o', reason: 'installed', previousOrigin: undefined })).toBe(
      '{"at":"2026-01-01T00:00:01.000Z","kind":"origin","origin":"o","reason":"installed"}',
    )
    expect(readLeaf(leafText(provider(1, 'acme')))).toEqual(provider(1, 'acme'))
    for (const wrong of ['', '{}', '[]', '{"kind":"row"}', `${leafText(row(1, 'a'))}x`])
      expect(readLeaf(wrong)).toBeUndefined()
  })

  it('are in the order of instants, and within one providers come first', () => {
    const rows = [row(1, 'b'), row(1, 'a'), row(3, 'c')]
    const providers = [provider(1, 'acme'), provider(2, 'globex'), provider(4, 'zeta')]
    expect(inLogOrder(providers, rows)).toEqual([
      provider(1, 'acme'),
      row(1, 'b'),
      row(1, 'a'),
      provider(2, 'globex'),
      row(3, 'c'),
      provider(4, 'zeta'),
    ])
    expect(inLogOrder(providers, [])).toEqual(providers)
  })

  it('are kept after their lengths, big end first', () => {
    expect(bundle([Buffer.from('ab'), Buffer.alloc(300, 1)]).subarray(0, 6)).toEqual(Buffer.from([0, 2, 97, 98, 1, 44]))
    const texts = fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 })
    fc.assert(
      fc.property(texts, (entries) => {
        const leaves = entries.map((entry) => Buffer.from(entry))
        expect(unbundle(bundle(leaves))).toEqual(leaves)
        expect(unbundle(bundle(leaves), 2)).toEqual(leaves.slice(0, 2))
      }),
    )
  })
})

describe('checkpoints', () => {
  const keys = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')].map(({ privateKey }) => ({
    privateKey,
    publicKey: publicBytes(privateKey),
  }))
  const [ours, other] = keys as [(typeof keys)[0], (typeof keys)[0]]
  const checkpoint = { origin: 'log.test/prices', size: 10, root: leafHash(Buffer.from('x')) }

  it('are three lines, an empty one, and a line for each signature', () => {
    const note = signCheckpoint(checkpoint, keys)
    expect(note.split('\n').slice(0, 4)).toEqual(['log.test/prices', '10', checkpoint.root.toString('base64'), ''])
    expect(
      note
        .split('\n')
        .slice(4)
        .map((line) => line.slice(0, 18)),
    ).toEqual(['— log.test/prices ', '— log.test/prices ', ''])
    const read = readCheckpoint(note)!
    expect(read).toMatchObject(checkpoint)
    expect(read.signatures.map(({ signature }) => signature.length)).toEqual([64, 64])
    expect(keys.map(({ publicKey }) => judgeSignature(read, publicKey))).toEqual(['signed', 'signed'])
  })

  it('of another text, name or key are not signed', () => {
    const note = signCheckpoint(checkpoint, [ours])
    expect(judgeSignature(readCheckpoint(note)!, other.publicKey)).toBe('absent')
    expect(judgeSignature(readCheckpoint(note.replace('\n10\n', '\n11\n'))!, ours.publicKey)).toBe('wrong')
    expect(judgeSignature(readCheckpoint(note.replace(/^log/, 'lag'))!, ours.publicKey)).toBe('absent')
    const cut = note.replace(
      / (\S+)\n$/,
      (_, text) => ` ${Buffer.from(text, 'base64').subarray(0, 40).toString('base64')}\n`,
    )
    expect(judgeSignature(readCheckpoint(cut)!, ours.publicKey)).toBe('wrong')
  })

  it('may have more lines before the signatures, and more signatures of others', () => {
    const note = signCheckpoint(checkpoint, [ours])
    const extended = note.replace('\n\n', '\nextension\n\n')
    expect(readCheckpoint(extended)?.text.endsWith('extension\n')).toBe(true)
    const line = '— witness.test AAAAAGFiYw==\n'
    expect(judgeSignature(readCheckpoint(note + line)!, ours.publicKey)).toBe('signed')
  })

  it('are read whole or not at all', () => {
    const note = signCheckpoint(checkpoint, [ours])
    for (const wrong of [
      '',
      'x',
      note.slice(0, -1),
      note.replace('\n\n', '\n'),
      note.replace('\n10\n', '\n010\n'),
      note.replace('\n10\n', '\n-1\n'),
      note.replace('\n10\n', '\n1e3\n'),
      note.replace('\n10\n', `\n${'9'.repeat(20)}\n`),
      note.replace(checkpoint.root.toString('base64'), 'AAAA'),
      note.replace('=\n\n', '\n\n'),
      note.replace('log.test/prices\n', 'log test\n'),
      note.replace('— ', '- '),
      `${note}rest\n`,
    ])
      expect([wrong, readCheckpoint(wrong)]).toEqual([wrong, undefined])
  })

  it('name verifiers as Go does, and logs by names without spaces or plus', () => {
    // The example of golang.org/x/mod/sumdb/note, whose key is public.
    const key = Buffer.from('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', 'base64').subarray(1)
    expect(verifierOf('PeterNeumann', key)).toBe('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')
    expect(['a.test/b', 'a b', 'a+b', '', 'a\n', 'x'.repeat(201)].map(isOrigin)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('keys', () => {
  it('are sealed as text for their public half, and sign until they are over', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const publicKey = publicBytes(privateKey)
    expect(publicBytes(readPrivate(privateText(privateKey)))).toEqual(publicKey)
    expect(sealedFor(publicKey)).toBe(`log-key/${publicKey.toString('hex')}`)
    const key = { publicKey, since: at(1), isOver: false, firstSize: 0 }
    const sealed = Buffer.from('x')
    expect(signing([{ ...key, sealed }, key, { ...key, sealed, isOver: true }])).toEqual([{ ...key, sealed }])
  })
})

describe('the origin', () => {
  const first = { id: '0000-11112222', isFirst: true, startedAt: at(1), lostAfter: null, lostUntil: null }
  const restored = { id: '0000-aaaa3333', isFirst: false, startedAt: at(5), lostAfter: at(2), lostUntil: at(4) }
  const current = {
    origin: 'a.test/v1/log',
    path: '',
    reason: 'installed',
    since: at(1),
    firstSize: 0,
    lastSize: null,
    lostAfter: null,
    lostUntil: null,
  } as const
  const next = (given: Partial<Parameters<typeof nextOrigin>[0]>) =>
    nextOrigin({
      names: {},
      installation: 'id',
      state: { size: 7, timeline: first.id },
      timeline: first,
      current,
      ...given,
    })

  it('is what is set, else the address, else the installation', () => {
    const start = { state: { size: 0 }, current: undefined }
    expect(next({ ...start, names: { logOrigin: 'x', publicUrl: 'https://a.test/' } })).toEqual({
      origin: 'x',
      path: '',
      reason: 'installed',
      firstSize: 0,
      lostAfter: null,
      lostUntil: null,
    })
    expect(next({ ...start, names: { publicUrl: 'https://a.test:8443/x' } })?.origin).toBe('a.test:8443/v1/log')
    expect(next(start)?.origin).toBe('pricetape/id')
    expect(next({ ...start, timeline: restored })).toMatchObject({
      origin: 'pricetape/id/aaaa3333',
      reason: 'installed',
      lostAfter: null,
    })
  })

  it('stays as it was when the address alone changes', () => {
    expect(next({})).toBeUndefined()
    expect(next({ names: { publicUrl: 'https://b.test' } })).toBeUndefined()
    expect(next({ names: { logOrigin: 'a.test/v1/log' } })).toBeUndefined()
  })

  it('is another one after a restore, and after another name was set', () => {
    expect(next({ timeline: restored })).toEqual({
      origin: 'a.test/v1/log/aaaa3333',
      path: '/aaaa3333',
      reason: 'restored',
      firstSize: 7,
      lostAfter: at(2),
      lostUntil: at(4),
    })
    expect(next({ names: { logOrigin: 'b' } })).toMatchObject({ origin: 'b', reason: 'renamed', lostAfter: null })
    const after = { ...current, origin: 'a.test/v1/log/aaaa3333', path: '/aaaa3333' }
    const state = { size: 9, timeline: restored.id }
    expect(next({ state, timeline: restored, current: after })).toBeUndefined()
    expect(next({ state, timeline: restored, current: after, names: { logOrigin: 'b' } })).toMatchObject({
      origin: 'b/aaaa3333',
      path: '/aaaa3333',
      reason: 'renamed',
    })
  })
})
