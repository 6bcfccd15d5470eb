import { describe, expect, it } from 'vitest'
import { answerText } from '../../src/lib/safe-fetch/answer-text.ts'
import { storableJson } from '../../src/lib/storable-input.ts'
import { composedName, isStorable, isVisible, oneLine, storable, storableText } from '../../src/lib/text.ts'

describe('a name', () => {
  it('is stored composed, with single plain spaces between its words and none around them', () => {
    expect(composedName('Cafe\u0301')).toBe('Caf\u00e9')
    expect(composedName('  a\u00a0\u2003b  c ')).toBe('a b c')
  })

  it('is visible when one character of it leaves a mark', () => {
    expect(['a', ' ä ', '🎉', '漢', '\u2801', '\u200bx'].map(isVisible)).not.toContain(false)
    const unseen = ['', ' ', '\u00a0\u3000', '\u200b', '\u0007', '\u2800', '\ud800', '\u3164', '\ufe0f', '\u2028']
    expect(unseen.map(isVisible)).not.toContain(true)
  })
})

describe('JSON from outside', () => {
  it('is read unless one of its texts or names cannot be stored, which an escape hides', () => {
    expect(storableJson('[["a",{"b":"\\ud83c\\udf89"},1,null]]')).toEqual([['a', { b: '🎉' }, 1, null]])
    const wrong = ['', '[', '"\\u0000"', '["a",["\\ud83c"]]', '{"a\\u0000":1}', '{"a":"\\udf89"}']
    expect(wrong.map(storableJson)).toEqual(wrong.map(() => undefined))
  })
})

describe('a text from outside', () => {
  it('can be stored unless it holds NUL or half of a character', () => {
    expect(['', 'a', '🎉', '\u0001', '\n'].map(isStorable)).toEqual([true, true, true, true, true])
    expect(['\0', 'a\0b', '\ud83c', 'x\udf89'].map(isStorable)).toEqual([false, false, false, false])
  })

  it('is stored with the replacement character for each part that cannot be', () => {
    expect(storableText('a\0b\ud83cc\0\0🎉')).toBe('a\ufffdb\ufffdc\ufffd\ufffd🎉')
  })

  it('is one line for people: without line breaks and control characters, and without spaces around it', () => {
    expect(oneLine(' a\r\n\tb\u001b[0m\u2028c\u2029d\u0085e\u202ef\u2067g ', 80)).toBe('a b [0m c d e f g')
    expect(oneLine('a\ud800\0b', 80)).toBe('a b')
  })

  it('is cut where it is longer than a line may be, with an ellipsis as its last character', () => {
    expect(oneLine('12345', 5)).toBe('12345')
    expect(oneLine('123456', 5)).toBe('1234…')
    expect(oneLine('123🎉56', 5)).toBe('123\ufffd…')
  })

  it('is read no further than twice the length of its line, however long it is', () => {
    expect(oneLine(`${' '.repeat(7)}123456`, 5)).toBe('123')
  })

  it('is storable in data too: in lists, in objects and in their keys, and everything else stays', () => {
    const at = new Date(0)
    const data = { 'k\0': ['a\0', 1, null, true, undefined], inner: { text: 'b\ud800' }, at }
    const stored = storable(data)
    expect(stored).toEqual({
      'k\ufffd': ['a\ufffd', 1, null, true, undefined],
      inner: { text: 'b\ufffd' },
      at: new Date(0),
    })
    expect(stored.at).toBe(at)
    expect(storable('\0')).toBe('\ufffd')
    expect([storable(null), storable(7), storable(undefined)]).toEqual([null, 7, undefined])
  })
})

describe('the text of an answer', () => {
  it('is its bytes as UTF-8, with what is none replaced and no NUL', () => {
    expect(answerText(Buffer.from('déjà\0vu'), 1024)).toBe('déjà\ufffdvu')
    expect(answerText(Buffer.from([0x61, 0xff, 0x62]), 1024)).toBe('a\ufffdb')
  })

  it('keeps a byte order mark, which belongs to the answer', () => {
    expect(answerText(Buffer.from('\ufeffa'), 1024)).toBe('\ufeffa')
  })

  it('ends before a character that was cut at the limit, and names one that was broken when sent', () => {
    const cut = Buffer.from('aé').subarray(0, 2)
    expect(answerText(cut, 2)).toBe('a')
    expect(answerText(Buffer.from('a🎉').subarray(0, 4), 4)).toBe('a')
    expect(answerText(cut, 1024)).toBe('a\ufffd')
  })

  it('has no more bytes than the limit, also where a replacement takes more than what it replaces', () => {
    expect(answerText(Buffer.alloc(4, 0xff), 4)).toBe('\ufffd')
    expect(answerText(Buffer.alloc(3), 3)).toBe('\ufffd')
    expect(answerText(Buffer.alloc(4), 7)).toBe('\ufffd\ufffd')
    expect(answerText(Buffer.from('abc'), 3)).toBe('abc')
  })
})
